/**
 * Counts the tokens of inputs that are lists of token ids. The lists are not parsed, because they
 * may have hundreds of thousands of ids, and the upstream gets the same bytes.
 */
import { CLOSE_ARRAY, COMMA, isSpace, OPEN_ARRAY, type Span } from '../../json/cursor.ts';
import { invalid } from '../validation.ts';

const ZERO = 0x30;
const NINE = 0x39;
/** Maximum digits of a token id. No model has longer ids. */
const MAX_DIGITS = 9;

/** Whether the inputs are token ids: whether the list begins with a number or with a list. */
export function isOfTokens(bytes: Uint8Array, { start, end }: Span): boolean {
  if (bytes[start] !== OPEN_ARRAY) return false;
  const at = pastSpace(bytes, start + 1, end);
  const first = bytes[at] ?? 0;
  return first === OPEN_ARRAY || first === 0x2d || isDigit(first);
}

/**
 * Returns the number of tokens in each list. If `input` is a single list of tokens, returns one
 * number.
 * @throws GatewayError `invalid_value` with the path of the first value that is not a token id.
 */
export function tokenCounts(bytes: Uint8Array, { start, end }: Span): number | readonly number[] {
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
