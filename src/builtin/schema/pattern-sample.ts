/**
 * Writes a text that matches a regular expression from its syntax tree. The expression is never
 * run: it comes from a caller, and `^(a+)+$` causes catastrophic backtracking.
 */
import tokenizer, { type Token, type Tokens, types } from 'ret';

const MAX_PATTERN_CHARS = 1_000;
const MAX_SAMPLE_CHARS = 1_000;
/** Preferred characters of a class. */
const READABLE = [
  ...'aA10-_ ',
  ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)),
];

/**
 * Lookarounds are skipped and back-references are empty, so the text may not match such patterns.
 * @returns null when the pattern is invalid or no text of that length was found.
 */
export function patternSample(
  pattern: string,
  minLength: number,
  maxLength: number,
): string | null {
  if (pattern.length > MAX_PATTERN_CHARS) return null;
  let tree: Tokens;
  try {
    tree = tokenizer(withoutUnicode(pattern));
  } catch (failure) {
    if (failure instanceof SyntaxError) return null;
    throw failure;
  }
  // Unbounded repeats run as few times as allowed first, then as many as the length needs.
  for (const repeats of [0, 1, Math.min(minLength, MAX_SAMPLE_CHARS)]) {
    const sample = sampleOf(tree, repeats);
    if (sample !== null && sample.length >= minLength && sample.length <= maxLength) return sample;
  }
  return null;
}

/** The parser only knows upper-case code points and no Unicode properties. */
const withoutUnicode = (pattern: string): string =>
  pattern
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => `\\u${code.toUpperCase()}`)
    .replace(/\\p\{(\w)[^}]*\}/g, (_, kind: string) => (kind === 'N' ? '\\d' : '\\w'));

/** @returns null when the sample would be too long. */
function sampleOf(token: Tokens, repeats: number): string | null {
  switch (token.type) {
    case types.ROOT:
    case types.GROUP: {
      const isLookaround =
        token.type === types.GROUP &&
        (token.followedBy || token.notFollowedBy || token.lookBehind) === true;
      return isLookaround ? '' : sequence(token.options?.[0] ?? token.stack ?? [], repeats);
    }
    case types.REPETITION: {
      const once = sampleOf(token.value, repeats);
      const count = Math.min(token.max, Math.max(token.min, repeats));
      return once === null || once.length * count > MAX_SAMPLE_CHARS ? null : once.repeat(count);
    }
    case types.SET:
      return READABLE.find((each) => contains(token, each.charCodeAt(0))) ?? firstOf(token);
    case types.CHAR:
      return String.fromCharCode(token.value);
    default:
      return '';
  }
}

function sequence(tokens: readonly Token[], repeats: number): string | null {
  let text = '';
  for (const token of tokens) {
    const next = sampleOf(token, repeats);
    if (next === null || text.length + next.length > MAX_SAMPLE_CHARS) return null;
    text += next;
  }
  return text;
}

type CharacterSet = Extract<Token, { type: types.SET }>;

const contains = (set: CharacterSet, code: number): boolean =>
  set.not !==
  set.set.some((member) => {
    if (member.type === types.CHAR) return member.value === code;
    if (member.type === types.RANGE) return member.from <= code && code <= member.to;
    return contains(member, code);
  });

/** A member of a set without printable ASCII. */
function firstOf({ set }: CharacterSet): string | null {
  const [first] = set;
  if (first?.type === types.CHAR) return String.fromCharCode(first.value);
  return first?.type === types.RANGE ? String.fromCharCode(first.from) : null;
}
