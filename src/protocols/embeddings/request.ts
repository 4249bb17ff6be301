/** The embeddings request: its schema, its inputs and their size. Has no side effects. */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { CLOSE_ARRAY, COMMA, isSpace, OPEN_ARRAY, QUOTE, type Span } from '../../json/cursor.ts';
import { replaceMembers } from '../../json/edit.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import { claimMembers, PROVIDER_MEMBERS } from '../claimed-members.ts';
import { mostTokens } from '../inputs/text-tokens.ts';
import type { Claim } from '../request-fields.ts';
import { invalid, missing, must, object, parseWith, providerOption, text } from '../validation.ts';

const INPUT = 'a string, or an array of strings, tokens or lists of tokens';
const ENCODINGS = ['float', 'base64'] as const;
/**
 * Maximum characters of `input_type`. A model may read it once for each input, so a longer one
 * could cost more than the hold covers.
 */
const MAX_INPUT_TYPE_CHARACTERS = 64;
const INPUT_TYPE = `a word of at most ${MAX_INPUT_TYPE_CHARACTERS} characters, or null`;
const whole = must('a whole number of at least 1, or null');

const schema = built(() =>
  object({
    model: text('the id of an embedding model, such as "embed-1"')
      .min(1, { error: 'must not be empty' })
      .describe('Id of an embedding model from the catalogue.'),
    encoding_format: z
      .enum(ENCODINGS, must(`one of ${ENCODINGS.join(', ')}`))
      .nullish()
      .describe('`float` (default), or `base64`: little-endian 32-bit floats.'),
    dimensions: z
      .int(whole)
      .min(1, whole)
      .nullish()
      .describe("The number of dimensions of each embedding; the model's default if omitted."),
    input_type: text(INPUT_TYPE)
      .max(MAX_INPUT_TYPE_CHARACTERS, must(INPUT_TYPE))
      .nullish()
      .describe(
        'The purpose of the texts, such as `query` or `document`, for models that need it.',
      ),
    user: text('a string or null').nullish().describe('Id of your end user, for abuse detection.'),
    provider: providerOption(),
  }),
);

/**
 * The complete schema of an embeddings request. It is used only in `/openapi.json`: to read a
 * request, `readEmbeddingsRequest` checks `input` without a schema.
 */
export const embeddingsDocument = built(() =>
  z.looseObject({
    ...schema().shape,
    input: z
      .union([
        z.string(),
        z.array(z.string()),
        z.array(z.int().min(0)),
        z.array(z.array(z.int().min(0))),
      ])
      .describe('One or several texts, each as a string or as a list of token ids.'),
  }),
);

export type EmbeddingsRequest = {
  readonly model: string;
  readonly encoding: (typeof ENCODINGS)[number];
  readonly dimensions: number | null;
  readonly inputs: EmbeddingInputs;
  /** The channel that the caller requested. The model may not have this channel. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  readonly claims: readonly Claim[];
};

/**
 * The number and size of the inputs. Without the model's tokenizer, the tokens of texts can only be
 * estimated.
 */
export type EmbeddingInputs = {
  readonly count: number;
  /** Whether the inputs are token ids. If so, `likely` is the exact number of tokens. */
  readonly areTokens: boolean;
  /** The path of the longest input, and its size in tokens, or in bytes if it is text. */
  readonly longest: { readonly param: string; readonly size: number };
  /** The total size of all inputs in tokens, or in bytes if they are texts. */
  readonly size: number;
  /** The maximum number of tokens that all inputs together can have with any tokenizer. */
  readonly most: number;
  /** The estimated number of tokens of all inputs together. */
  readonly likely: number;
};

/** Reads a request. @throws `missing_required_parameter`, `invalid_value`, `invalid_json`. */
export function readEmbeddingsRequest(body: ScannedObject): EmbeddingsRequest {
  const span = body.members.get('input');
  const areTokens = span !== undefined && isOfTokens(body.bytes, span);
  const view = areTokens ? withoutInput(body) : body.parse();
  const { model, encoding_format, dimensions, provider } = parseWith(schema(), view, '');
  const input = view['input'] ?? null;
  if (span === undefined || (input === null && !areTokens))
    throw missing('input', `it must be ${INPUT}`);
  const inputs = areTokens
    ? ofTokens(tokenCounts(body.bytes, span))
    : ofTexts(textsIn(input), body.bytes.subarray(span.start, span.end));
  const claims: Claim[] = [];
  claimMembers({ provider }, { provider: PROVIDER_MEMBERS }, claims);
  return {
    model,
    encoding: encoding_format ?? 'float',
    dimensions: dimensions ?? null,
    inputs,
    channel: provider?.channel ?? null,
    allowFallbacks: provider?.allow_fallbacks ?? true,
    claims,
  };
}

/** Maximum nesting depth of a request. The scan of the body has already refused deeper ones. */
const MAX_DEPTH = 64;

/** Parses all members except `input`, which may have hundreds of thousands of values. */
function withoutInput(body: ScannedObject): Record<string, unknown> {
  return scanObject(replaceMembers(body, new Map([['input', null]])), MAX_DEPTH).parse();
}

function textsIn(input: unknown): readonly string[] {
  if (typeof input === 'string') {
    if (input === '') throw invalid('input', 'must not be empty');
    return [input];
  }
  if (!Array.isArray(input)) throw invalid('input', `must be ${INPUT}`);
  if (input.length === 0) throw invalid('input', 'must not be empty');
  for (const [index, each] of input.entries()) {
    if (typeof each !== 'string')
      throw invalid(`input[${index}]`, 'must be a string like the others');
    if (each === '') throw invalid(`input[${index}]`, 'must not be empty; remove it');
  }
  return input;
}

/** The number of bytes of text that count as one token when tokens are estimated. */
const LIKELY_BYTES_PER_TOKEN = 4;
/** Maximum number of tokens that a model adds to each input, such as start and end tokens. */
const MOST_ADDED_TOKENS = 4;

function ofTexts(texts: readonly string[], json: Uint8Array): EmbeddingInputs {
  const sizes = texts.map((each) => Buffer.byteLength(each));
  const size = sizes.reduce((sum, each) => sum + each, 0);
  return {
    count: texts.length,
    areTokens: false,
    longest: longestOf(sizes, json[0] === QUOTE),
    size,
    most: mostTokens(json, [], Number.MAX_SAFE_INTEGER) + texts.length * MOST_ADDED_TOKENS,
    likely: sizes.reduce((sum, each) => sum + Math.ceil(each / LIKELY_BYTES_PER_TOKEN), 0),
  };
}

function ofTokens(given: number | readonly number[]): EmbeddingInputs {
  const counts = typeof given === 'number' ? [given] : given;
  const size = counts.reduce((sum, each) => sum + each, 0);
  return {
    count: counts.length,
    areTokens: true,
    longest: longestOf(counts, typeof given === 'number'),
    size,
    most: size + counts.length * MOST_ADDED_TOKENS,
    likely: size,
  };
}

function longestOf(sizes: readonly number[], isAlone: boolean): EmbeddingInputs['longest'] {
  let index = 0;
  for (const [at, size] of sizes.entries()) if (size > (sizes[index] ?? 0)) index = at;
  return { param: isAlone ? 'input' : `input[${index}]`, size: sizes[index] ?? 0 };
}

const ZERO = 0x30;
const NINE = 0x39;
/** Maximum digits of a token id. No model has longer ids. */
const MAX_DIGITS = 9;

/** Whether the inputs are token ids: whether the list begins with a number or with a list. */
function isOfTokens(bytes: Uint8Array, { start, end }: Span): boolean {
  if (bytes[start] !== OPEN_ARRAY) return false;
  const at = pastSpace(bytes, start + 1, end);
  const first = bytes[at] ?? 0;
  return first === OPEN_ARRAY || first === 0x2d || isDigit(first);
}

/**
 * Returns the number of tokens in each list. If `input` is a single list of tokens, returns one
 * number. The lists are not parsed, because they may have hundreds of thousands of ids, and the
 * upstream gets the same bytes.
 * @throws GatewayError `invalid_value` with the path of the first value that is not a token id.
 */
function tokenCounts(bytes: Uint8Array, { start, end }: Span): number | readonly number[] {
  const first = pastSpace(bytes, start + 1, end);
  if (bytes[first] !== OPEN_ARRAY) return tokensIn(bytes, start, end, 'input').count;
  const counts: number[] = [];
  let at = first;
  for (;;) {
    const path = `input[${counts.length}]`;
    if (bytes[at] !== OPEN_ARRAY) throw invalid(path, 'must be a list of tokens like the others');
    const list = tokensIn(bytes, at, end, path);
    counts.push(list.count);
    at = pastSpace(bytes, list.end, end);
    if (bytes[at] === CLOSE_ARRAY) return counts;
    if (bytes[at] !== COMMA) throw invalid('input', 'must be a list of lists of tokens');
    at = pastSpace(bytes, at + 1, end);
  }
}

/** Counts the tokens of the list that begins at `start`. */
function tokensIn(
  bytes: Uint8Array,
  start: number,
  end: number,
  path: string,
): { readonly count: number; readonly end: number } {
  let at = pastSpace(bytes, start + 1, end);
  if (bytes[at] === CLOSE_ARRAY) throw invalid(path, 'must not be empty');
  for (let count = 0; ; ) {
    const from = at;
    while (at < end && isDigit(bytes[at] ?? 0)) at += 1;
    const digits = at - from;
    const isNumber = digits > 0 && digits <= MAX_DIGITS && (digits === 1 || bytes[from] !== ZERO);
    at = pastSpace(bytes, at, end);
    const next = bytes[at];
    if (!isNumber || (next !== COMMA && next !== CLOSE_ARRAY))
      throw invalid(`${path}[${count}]`, 'must be a token, a whole number of at least 0');
    count += 1;
    at += 1;
    if (next === CLOSE_ARRAY) return { count, end: at };
    at = pastSpace(bytes, at, end);
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

function pastSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(bytes[at])) at += 1;
  return at;
}
