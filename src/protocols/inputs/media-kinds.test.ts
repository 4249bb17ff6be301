/** Media are priced by the kind that a request declares, and read only from public addresses. */
import { describe, expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import { readChatRequest } from '../chat/request.ts';
import { readMessagesRequest } from '../messages/request.ts';
import { readResponsesRequest } from '../responses/request.ts';
import { png } from './media.fixture.ts';
import type { MediaInput } from './media-input.ts';
import { requestSize } from './request-size.ts';

type Read = (view: Record<string, unknown>) => { readonly inputs: readonly MediaInput[] };

function mediaIn(body: object, read: Read) {
  const scanned = scanObject(Uint8Array.from(Buffer.from(JSON.stringify(body))), 64);
  return requestSize(scanned, read(scanned.view()).inputs).media;
}
const inChat = (...content: unknown[]) =>
  mediaIn({ model: 'm', messages: [{ role: 'user', content }] }, readChatRequest);
const inMessages = (...content: unknown[]) =>
  mediaIn(
    { model: 'm', max_tokens: 1, messages: [{ role: 'user', content }] },
    readMessagesRequest,
  );
const inResponses = (...content: unknown[]) =>
  mediaIn({ model: 'm', input: [{ role: 'user', content }] }, readResponsesRequest);

const DATA = png(8, 8).toString('base64');
const IMAGE = { kind: 'image', width: 8, height: 8 } as const;
const UNKNOWN = { kind: 'unmeasured', modality: 'unknown' } as const;
const chatImage = (url: string, more = {}) => ({ type: 'image_url', image_url: { url, ...more } });

describe('an image that the request declares as other media may be any media', () => {
  test.each(['video/mp4', 'audio/mp3', 'text/plain', 'application/pdf', ' image/png', ''])(
    'as "%s"',
    (type) => {
      const url = `data:${type};base64,${DATA}`;
      expect(inChat(chatImage(url))).toEqual([UNKNOWN]);
      expect(inResponses({ type: 'input_image', image_url: url })).toEqual([UNKNOWN]);
      const source = { type: 'base64', media_type: type, data: DATA };
      expect(inMessages({ type: 'image', source })).toContainEqual(UNKNOWN);
      expect(inMessages({ type: 'browser_state', shot: { source } })).toContainEqual(UNKNOWN);
    },
  );

  test('by the format of a chat server', () => {
    const url = `data:image/png;base64,${DATA}`;
    expect(inChat(chatImage(url, { format: 'video/mp4' }))).toContainEqual(UNKNOWN);
    expect(inChat(chatImage(url, { format: 'image/png' }))).toEqual([IMAGE]);
  });

  test.each([
    ['https://example.com/a.MP4', true],
    ['https://example.com/a.webm?sig=1', true],
    [' http://example.com/b/a.pdf#p', true],
    ['https://example.com/a.mp4.png', false],
    ['https://example.com/a.png?from=b.mp4', false],
    ['https://example.com/mp4', false],
  ])('by the ending of its URL: %s', (url, isOther) => {
    const expected = isOther
      ? expect.arrayContaining([UNKNOWN])
      : [{ ...UNKNOWN, modality: 'image' }];
    expect(inChat(chatImage(url))).toEqual(expected);
    expect(inResponses({ type: 'input_image', image_url: url })).toEqual(expected);
    expect(inMessages({ type: 'image', source: { type: 'url', url } })).toEqual(expected);
  });

  test('behind an escaped letter of a long URL', () => {
    const long = `ata:video/mp4;base64,${'A'.repeat(40_000)}`;
    const body = JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: [chatImage(`d${long}`)] }],
    }).replace(`d${long}`, `\\u0064${long}`);
    const scanned = scanObject(Uint8Array.from(Buffer.from(body)), 64);
    const { inputs } = readChatRequest(scanned.view());
    expect(requestSize(scanned, inputs).media).toEqual([UNKNOWN]);
  });

  test('but not in other spellings of an image', () => {
    expect(inChat(chatImage(`DATA:Image/PNG;base64,${DATA}`))).toEqual([IMAGE]);
    const source = { type: 'base64', media_type: 'IMAGE/png', data: DATA };
    expect(inMessages({ type: 'image', source })).toEqual([IMAGE]);
  });
});

describe('an address that only the operator can open is refused', () => {
  const address = ' GS://bucket/x.mp4';
  const audio = { type: 'input_audio', input_audio: { data: address, format: 'mp3' } };
  const source = { type: 'url', url: address };
  const chatPath = 'messages[0].content[0]';
  test.each([
    [`${chatPath}.image_url.url`, () => inChat(chatImage(address))],
    [`${chatPath}.file.file_data`, () => inChat({ type: 'file', file: { file_data: address } })],
    [`${chatPath}.input_audio.data`, () => inChat(audio)],
    [`${chatPath}.video_url.url`, () => inChat({ type: 'video_url', video_url: { url: address } })],
    [`${chatPath}.source.url`, () => inMessages({ type: 'image', source })],
    [`${chatPath}.source.url`, () => inMessages({ type: 'document', source })],
    [
      'input[0].content[0].image_url',
      () => inResponses({ type: 'input_image', image_url: address }),
    ],
    ['input[0].content[0].file_url', () => inResponses({ type: 'input_file', file_url: address })],
    [
      'input[0].content[0].file_data',
      () => inResponses({ type: 'input_file', file_data: address }),
    ],
    ['input[0].content[0].input_audio.data', () => inResponses(audio)],
  ])('in %s', (path, read) => {
    expect(read).toThrow(`${path}: must be a URL that begins with http:// or https://, or base64`);
  });
});
