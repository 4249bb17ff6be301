/** For tests: tools, images and a counting `fetch`, shared by the tests of all client libraries. */

export const CITY_SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

const chatTool = (name: string, description: string) => ({
  type: 'function' as const,
  function: { name, description, parameters: CITY_SCHEMA },
});
export const WEATHER_TOOL = chatTool('get_weather', 'The weather in a city');
export const TIME_TOOL = chatTool('get_time', 'The time of day in a city');

const messagesTool = (name: string, description: string) => ({
  name,
  description,
  input_schema: CITY_SCHEMA,
});
export const WEATHER_MESSAGES_TOOL = messagesTool('get_weather', 'The weather in a city');
export const TIME_MESSAGES_TOOL = messagesTool('get_time', 'The time of day in a city');

/** A PNG of one transparent pixel, in base64. */
export const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns the width and height in the header of a PNG. @throws Error for other bytes. */
export function pngSize(bytes: Uint8Array): readonly [width: number, height: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getBigUint64(0) !== 0x89504e470d0a1a0an) throw new Error('not a PNG');
  return [view.getUint32(16), view.getUint32(20)];
}

/** Returns a `fetch` for a library that counts the library's HTTP requests, including retries. */
export function countingFetch() {
  let count = 0;
  const counting = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    count += 1;
    return fetch(input, init);
  };
  return { fetch: counting, calls: () => count };
}
