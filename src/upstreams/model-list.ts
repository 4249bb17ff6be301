/** Requests a provider's list of models. The list is untrusted, so its size is limited. */
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import {
  asArray,
  asFilledString,
  asJsonObject,
  type JsonObject,
  parsedObject,
} from '../json/object.ts';
import type { Egress } from './egress.ts';
import { decompressed, lowerCased } from './network.ts';

/** Maximum bytes of a list. Aggregators with hundreds of models send about 1 MB. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Maximum number of models that are returned. Further models are only counted. */
export const MAX_LISTED = 1_000;
const MAX_ID_CHARS = 200;
const MAX_TOKENS = 100_000_000;
const TIMEOUT_MS = 20_000;
const MILLION_DIGITS = 6;
const ANTHROPIC_VERSION = '2023-06-01';

export type ListedCost = {
  readonly input: string;
  readonly output: string;
  /** The source of the prices; null if they are from the provider's own list. */
  readonly source: string | null;
};
export type ListedModel = {
  readonly id: string;
  readonly name: string | null;
  readonly contextWindow: number | null;
  readonly maxOutput: number | null;
  readonly readsImages: boolean;
  /** The provider's price in USD per 1M tokens, as exact decimals. */
  readonly cost: ListedCost | null;
};

export type ModelListEnd =
  | { readonly kind: 'listed'; readonly models: readonly ListedModel[]; readonly leftOut: number }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | { readonly kind: 'redirected' | 'too_large' }
  | { readonly kind: 'not_a_list'; readonly text: string };

export type ModelListSource = {
  readonly protocol: 'openai' | 'anthropic' | 'responses';
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly egress: Egress;
};

/**
 * Requests the list, with a timeout of 20 s.
 * @throws NotSent when the address is forbidden or unknown.
 * @throws GatewayError `upstream_timeout`; other errors of the connection are those of `fetch`.
 */
export async function requestModelList(
  source: ModelListSource,
  clock: Pick<Clock, 'after'>,
): Promise<ModelListEnd> {
  await source.egress.permission();
  const abort = new AbortController();
  const timer = clock.after(TIMEOUT_MS, () =>
    abort.abort(
      new GatewayError('upstream_timeout', `The provider did not answer within ${TIMEOUT_MS} ms.`),
    ),
  );
  try {
    const call: RequestInit & { readonly decompress: false } = {
      headers: headersOf(source),
      signal: abort.signal,
      // Redirects are not followed, because they could send the operator's key to another host.
      redirect: 'manual',
      decompress: false,
    };
    const response = await fetch(modelListUrl(source), call);
    if (response.status >= 300 && response.status < 400) return { kind: 'redirected' };
    const text = await boundedText(decompressed(response));
    if (text === null) return { kind: 'too_large' };
    if (!response.ok) return { kind: 'refused', status: response.status, text };
    return listIn(text) ?? { kind: 'not_a_list', text };
  } catch (thrown) {
    abort.signal.throwIfAborted();
    throw thrown;
  } finally {
    timer.cancel();
    abort.abort();
  }
}

export function modelListUrl({
  protocol,
  baseUrl,
}: Pick<ModelListSource, 'protocol' | 'baseUrl'>): string {
  const base = baseUrl.replace(/\/+$/, '');
  return protocol === 'anthropic'
    ? `${base.replace(/\/v1$/, '')}/v1/models?limit=1000`
    : `${base}/models`;
}

function headersOf({ protocol, apiKey, headers }: ModelListSource): Record<string, string> {
  const fixed = protocol === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : {};
  const key = apiKey === null ? null : apiKey.reveal();
  return {
    'user-agent': 'modelgate',
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...fixed,
    ...lowerCased(headers),
    ...(key === null
      ? {}
      : protocol === 'anthropic'
        ? { 'x-api-key': key }
        : { authorization: `Bearer ${key}` }),
  };
}

async function boundedText(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_LIST_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Parses the list; null if the text contains no list. `leftOut` counts the entries that are not
 * returned: invalid ids, duplicates, and models beyond `MAX_LISTED`.
 */
function listIn(text: string): ModelListEnd | null {
  const data = parsedObject(text)?.['data'];
  if (!Array.isArray(data)) return null;
  const models = new Map<string, ListedModel>();
  let leftOut = 0;
  for (const each of data) {
    const entry = asJsonObject(each);
    const id = asFilledString(entry?.['id']);
    const isUsable = id !== null && id.length <= MAX_ID_CHARS && /^[!-~]+$/.test(id);
    if (entry === null || !isUsable || models.has(id) || models.size >= MAX_LISTED) leftOut += 1;
    else models.set(id, modelOf(id, entry));
  }
  return { kind: 'listed', models: [...models.values()], leftOut };
}

function modelOf(id: string, entry: JsonObject): ListedModel {
  const top = asJsonObject(entry['top_provider']);
  const modalities = asArray(asJsonObject(entry['architecture'])?.['input_modalities']);
  const name = asFilledString(entry['display_name']) ?? asFilledString(entry['name']);
  return {
    id,
    name: name === null ? null : name.toWellFormed().slice(0, MAX_ID_CHARS),
    contextWindow: tokensIn(
      entry['context_length'],
      entry['context_window'],
      entry['max_model_len'],
      entry['max_input_tokens'],
    ),
    maxOutput: tokensIn(top?.['max_completion_tokens'], entry['max_output'], entry['max_tokens']),
    readsImages: modalities.includes('image') || asArray(entry['input']).includes('image'),
    cost: costOf(asJsonObject(entry['pricing'])),
  };
}

const tokensIn = (...values: readonly unknown[]): number | null =>
  values
    .filter((value): value is number => typeof value === 'number')
    .find((value) => Number.isInteger(value) && value >= 1 && value <= MAX_TOKENS) ?? null;

/**
 * Reads prices per token in OpenRouter's format. Returns null if a price is missing, is not a
 * decimal number, or is negative, which means that the price varies.
 */
function costOf(pricing: JsonObject | null): ListedModel['cost'] {
  const input = perMillion(pricing?.['prompt']);
  const output = perMillion(pricing?.['completion']);
  return input === null || output === null ? null : { input, output, source: null };
}

/**
 * Converts a price per token to a price per 1M tokens. Moves the decimal point, so that nothing is
 * rounded.
 */
export function perMillion(perToken: unknown): string | null {
  const [, whole, fraction = ''] =
    /^(\d{1,6})(?:\.(\d{1,15}))?$/.exec(typeof perToken === 'string' ? perToken : '') ?? [];
  if (whole === undefined) return null;
  const digits = fraction.padEnd(MILLION_DIGITS, '0');
  const units = (whole + digits.slice(0, MILLION_DIGITS)).replace(/^0+(?=\d)/, '');
  const rest = digits.slice(MILLION_DIGITS).replace(/0+$/, '');
  return rest === '' ? units : `${units}.${rest}`;
}
