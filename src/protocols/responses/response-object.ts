/** Writes the response object of translated answers. Parts that all events share are built once. */
import { memberText } from '../../json/edit.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { derivedId } from '../dialect.ts';

/** The request that an answer belongs to. */
export type AnsweredRequest = {
  readonly requestId: string;
  /** The time when the request was admitted, in Unix seconds. */
  readonly createdSeconds: number;
  /** The model's name as the caller knows it. */
  readonly model: string;
};

/** The caller's settings that a response repeats, with the JSON text for an omitted setting. */
const REPEATED = {
  max_output_tokens: 'null',
  max_tool_calls: 'null',
  metadata: '{}',
  parallel_tool_calls: 'true',
  prompt_cache_key: 'null',
  reasoning: '{"effort":null,"summary":null}',
  safety_identifier: 'null',
  temperature: '1',
  text: '{"format":{"type":"text"},"verbosity":"medium"}',
  tool_choice: '"auto"',
  top_logprobs: '0',
  top_p: '1',
  truncation: '"disabled"',
  user: 'null',
} as const;

/**
 * Maximum UTF-16 units of a setting that is repeated, because each stream repeats it three times.
 */
const MAX_REPEATED_UNITS = 16_384;

/**
 * Members with fixed values. The gateway stores nothing, and no client reads the tools from a
 * response.
 */
const FIXED =
  '"access_programs":null,"background":false,"instructions":null,"previous_response_id":null,' +
  '"store":false,"tools":[]';

/** The members of a response object that repeat the request, as JSON text. */
export type RepeatedSettings = string & { readonly brand: 'RepeatedSettings' };

export const repeatedSettings = (body: ScannedObject): RepeatedSettings =>
  settingsText((name) => memberText(body, name));

/**
 * The name of each setting, and the JSON text of the response's member if a request omits the
 * setting.
 */
const SETTINGS = Object.entries(REPEATED).map(([name, omitted]) => ({
  name,
  omitted: `,"${name}":${omitted}`,
}));

function settingsText(given: (name: string) => string | null): RepeatedSettings {
  let settings = FIXED;
  for (const { name, omitted } of SETTINGS) {
    const text = given(name);
    const isKept = text !== null && text !== 'null' && text.length <= MAX_REPEATED_UNITS;
    settings += isKept ? `,"${name}":${oneLine(text)}` : omitted;
  }
  return settings as RepeatedSettings;
}

/**
 * Replaces line breaks with spaces, because an event's data is one line. JSON text has unescaped
 * line breaks only between values, so no value changes.
 */
const oneLine = (json: string): string => json.replaceAll(/[\r\n]/g, ' ');

/** The repeated settings of a request that sets none of them. */
export const NO_SETTINGS: RepeatedSettings = settingsText(() => null);

export type ResponseError = { readonly code: string; readonly message: string };

/** The status of an answer: in progress, or how it ended. */
export type ResponseEnd =
  | { readonly status: 'in_progress' | 'completed' }
  | {
      readonly status: 'incomplete';
      readonly reason: 'max_output_tokens' | 'content_filter';
    }
  | { readonly status: 'failed'; readonly error: ResponseError };

export const IN_PROGRESS: ResponseEnd = { status: 'in_progress' };

export type ResponseContent = {
  readonly end: ResponseEnd;
  /** The output items as JSON texts. */
  readonly output: readonly string[];
  /** The usage object as JSON text; `null` while nothing was counted. */
  readonly usage: string;
  /** The service tier that served the request, as the protocol names it. */
  readonly tier: string;
};

/** Returns a response object as JSON text. */
export function responseText(
  { requestId, createdSeconds, model }: AnsweredRequest,
  settings: RepeatedSettings,
  { end, output, usage, tier }: ResponseContent,
): string {
  const error = end.status === 'failed' ? JSON.stringify(end.error) : 'null';
  const details = end.status === 'incomplete' ? `{"reason":"${end.reason}"}` : 'null';
  const head = JSON.stringify({
    id: derivedId('resp_', requestId),
    object: 'response',
    created_at: createdSeconds,
    status: end.status,
    model,
    service_tier: tier,
  });
  return (
    `${head.slice(0, -1)},"error":${error},"incomplete_details":${details},${settings},` +
    `"output":[${output.join(',')}],"usage":${usage}}`
  );
}
