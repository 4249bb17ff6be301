/** Reads embeddings from an upstream's answer, and writes them for the caller with the cost. */
import { nextTurn } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { CLOSE_ARRAY, COLON, isSpace, OPEN_ARRAY, QUOTE, type Span } from '../../json/cursor.ts';
import { memberText, replaceMembers } from '../../json/edit.ts';
import { asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import { JsonScan, type ScannedObject, scanObject } from '../../json/scan.ts';
import type { Served } from '../../money/served.ts';
import { unreadableAnswer } from '../broken-answer.ts';
import { reportedError } from '../chat/errors.ts';
import { servedFromChat } from '../chat/usage.ts';
import type { CostFields, ReportedError } from '../dialect.ts';
import type { Quirks, ReportedCost } from '../quirks.ts';
import { tokenCount, usageWithCost } from '../usage-object.ts';
import type { EmbeddingsRequest } from './request.ts';

type Encoding = EmbeddingsRequest['encoding'];

export type DeliveredEmbeddings = {
  readonly body: ScannedObject;
  /** The byte ranges of the values of `embedding` in `data`, in order. */
  readonly embeddings: readonly Span[];
  /**
   * The encoding of the embeddings in the upstream's answer. The caller may have requested another
   * one.
   */
  readonly encoding: Encoding;
  /** Number of input tokens that the upstream reported; null if it is missing or implausible. */
  readonly tokens: number | null;
  readonly served: Served;
  /** Where the upstream reports its price, which callers do not get. */
  readonly reportedCost: ReportedCost | null;
};

export type EmbeddingsAnswer =
  | ({ readonly kind: 'embeddings' } & DeliveredEmbeddings)
  | { readonly kind: 'error'; readonly error: ReportedError };

/**
 * Maximum nesting depth of an answer. The numbers of an embedding are in an array inside `data`.
 */
const MAX_DEPTH = 16;
/**
 * The number of bytes after which a scan or an encoding lets other requests run, because so many
 * bytes take milliseconds.
 */
const LONG_BYTES = 128 * 1024;

/**
 * Reads a body with status 200. The embeddings are not parsed, because their bytes are passed to
 * the caller.
 * @param count the number of inputs.
 * @throws GatewayError `upstream_failed` if the answer does not have one embedding for each input.
 */
export async function readEmbeddingsAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  count: number,
  quirks: Pick<Quirks, 'toolUses' | 'reportedCost'>,
): Promise<EmbeddingsAnswer> {
  const body = await scannedAnswer(bytes);
  const error = reportedError(membersOf(body, ERROR_MEMBERS), null);
  if (error !== null) return { kind: 'error', error };
  const data = body.members.get('data');
  const embeddings = data === undefined ? [] : embeddingsIn(bytes, data);
  if (embeddings.length !== count) throw wrongCount(embeddings.length, count);
  const encodings = new Set(embeddings.map(({ start }) => ENCODED_BY.get(bytes[start] ?? 0)));
  const [encoding] = encodings;
  if (encoding === undefined || encodings.size > 1)
    throw unreadableAnswer(new Error('an embedding is neither an array of numbers nor base64'));
  if (encoding === 'float' && embeddings.some((each) => hasNonNumber(bytes, each)))
    throw unreadableAnswer(new Error('an embedding has an element that is not a number'));
  const reported = membersOf(body, REPORTED_MEMBERS);
  return {
    kind: 'embeddings',
    body,
    embeddings,
    encoding,
    tokens: tokensIn(asJsonObject(reported['usage']) ?? {}),
    served: servedFromChat(reported, quirks),
    reportedCost: quirks.reportedCost,
  };
}

const ENCODED_BY: ReadonlyMap<number, Encoding> = new Map([
  [OPEN_ARRAY, 'float'],
  [QUOTE, 'base64'],
]);

/** Scans an answer. @throws `upstream_failed` for an answer that is not a JSON object. */
async function scannedAnswer(bytes: Uint8Array<ArrayBuffer>): Promise<ScannedObject> {
  try {
    if (bytes.byteLength <= LONG_BYTES) return scanObject(bytes, MAX_DEPTH);
    const scan = new JsonScan({ maxDepth: MAX_DEPTH });
    for (let end = LONG_BYTES; end < bytes.byteLength; end += LONG_BYTES) {
      scan.advance(bytes, end);
      await nextTurn();
    }
    return scan.finish(bytes, bytes.byteLength);
  } catch (cause) {
    throw unreadableAnswer(cause);
  }
}

/**
 * The members in which servers report an error. Older servers have no `error`, but `object:
 * "error"` with the other members.
 */
const ERROR_MEMBERS = ['error', 'object', 'type', 'code', 'message'] as const;
const REPORTED_MEMBERS = ['usage', 'model', 'id'] as const;

/** Parses some small members. Omits members that are invalid. */
function membersOf(body: ScannedObject, names: readonly string[]): JsonObject {
  const members: Record<string, unknown> = {};
  for (const name of names) {
    const text = memberText(body, name);
    if (text !== null) Object.assign(members, parsedObject(`{"${name}":${text}}`));
  }
  return members;
}

const NAME = Buffer.from('"embedding"');

/**
 * Returns the byte ranges of the values of all members named `embedding`. A value contains no inner
 * arrays and no escaped quotes, so it ends at the first closing bracket or quote.
 */
function embeddingsIn(bytes: Uint8Array<ArrayBuffer>, data: Span): readonly Span[] {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, data.end);
  const found: Span[] = [];
  let at = json.indexOf(NAME, data.start);
  while (at >= 0) {
    let start = pastSpace(json, at + NAME.byteLength);
    // `"embedding"` is also the value of the member `object`. In that case, no colon follows.
    if (json[start] === COLON) {
      start = pastSpace(json, start + 1);
      const end = json.indexOf(json[start] === QUOTE ? QUOTE : CLOSE_ARRAY, start + 1) + 1;
      found.push({ start, end });
      start = end;
    }
    at = start <= at ? -1 : json.indexOf(NAME, start);
  }
  return found;
}

/**
 * Characters that no list of numbers has. One of them is in each other value: in NaN, Infinity and
 * null, which servers write after an overflow, and in booleans, strings, lists and objects.
 */
const NOT_OF_NUMBERS = ['n', 'N', 'u', 'a', '"', '[', '{'] as const;

/** Whether an embedding that is a list has an element that is not a number. */
function hasNonNumber(bytes: Uint8Array<ArrayBuffer>, { start, end }: Span): boolean {
  const elements = Buffer.from(bytes.buffer, bytes.byteOffset + start + 1, end - start - 1);
  return NOT_OF_NUMBERS.some((each) => elements.includes(each));
}

function pastSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

/**
 * Returns the number of input tokens; null if it is not reported. Some servers report only the
 * total, which equals the input, because embeddings have no output tokens. Servers that do not
 * count report 0, which no input has.
 */
function tokensIn({ prompt_tokens: prompt, total_tokens: total }: JsonObject): number | null {
  const tokens = tokenCount(prompt || total);
  return tokens > 0 ? tokens : null;
}

function wrongCount(found: number, count: number): GatewayError {
  return new GatewayError(
    'upstream_failed',
    'The provider did not return an embedding for each input.',
    {
      cause: new Error(`${found} embeddings for ${count} inputs`),
    },
  );
}

export type AnswerTerms = {
  /** The model's name for the caller. */
  readonly model: string;
  /** The number of input tokens that are charged. */
  readonly tokens: number;
  readonly cost: CostFields;
};

/**
 * Writes the answer for the caller: the bytes of the upstream's answer, with the model's name, the
 * usage and the cost replaced.
 */
export function writeEmbeddings(
  { body, reportedCost }: DeliveredEmbeddings,
  data: Uint8Array | null,
  { model, tokens, cost }: AnswerTerms,
): Uint8Array<ArrayBuffer> {
  const { usage: reported } = membersOf(body, ['usage']);
  const usage = { ...asJsonObject(reported), prompt_tokens: tokens, total_tokens: tokens };
  const edits = new Map<string, string | Uint8Array>([
    ['model', JSON.stringify(model)],
    ['usage', usageWithCost(usage, cost, reportedCost)],
  ]);
  if (data !== null) edits.set('data', data);
  return replaceMembers(body, edits);
}

/**
 * Returns `data` with each embedding converted to the encoding that the caller requested; null if
 * no conversion is needed. Official clients request base64 by default, but many servers send
 * numbers.
 * @throws GatewayError `upstream_failed` for an embedding that cannot be parsed.
 */
export async function encodedData(
  { body, embeddings, encoding }: DeliveredEmbeddings,
  wanted: Encoding,
): Promise<Uint8Array | null> {
  const data = body.members.get('data');
  if (encoding === wanted || data === undefined) return null;
  const parts: Uint8Array[] = [];
  let from = data.start;
  let turn = from;
  for (const { start, end } of embeddings) {
    parts.push(body.bytes.subarray(from, start), encoded(body.bytes.subarray(start, end), wanted));
    from = end;
    if (end - turn < LONG_BYTES) continue;
    turn = end;
    await nextTurn();
  }
  parts.push(body.bytes.subarray(from, data.end));
  return Buffer.concat(parts);
}

function encoded(given: Uint8Array, wanted: Encoding): Uint8Array {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(given));
  } catch (cause) {
    throw unreadableAnswer(cause);
  }
  if (wanted === 'float') return Buffer.from(`[${floatsIn(String(value)).join()}]`);
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'number'))
    throw unreadableAnswer(new Error('an embedding is not an array of numbers'));
  return Buffer.from(`"${Buffer.from(new Float32Array(value).buffer).toBase64()}"`);
}

/** Decodes floats from base64. They are little-endian, like all machines that Bun supports. */
function floatsIn(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  if (bytes.byteLength === 0 || bytes.byteLength % Float32Array.BYTES_PER_ELEMENT !== 0)
    throw unreadableAnswer(new Error('an embedding is not base64 of floats'));
  const floats = new Float32Array(bytes.buffer);
  if (!floats.every(Number.isFinite))
    throw unreadableAnswer(new Error('an embedding has a number that JSON cannot express'));
  return floats;
}
