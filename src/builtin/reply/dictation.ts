/**
 * Recognizes requests that dictate the answer: `say exactly "pong"`, `repeat after me: ...`, `count
 * to 10`.
 */

// The patterns limit their repetitions, because unlimited ones take minutes for 4 kB of quotes or
// blanks.
const QUOTES = /^["“「'‘`]{1,8}([\s\S]*?)["”」'’`]{1,8}[.。!！]?$/;
const ASKS_ENGLISH = new RegExp(
  String.raw`(?:^|[.!?:,\n]\s{0,8})(?:please\s+|can you\s+|could you\s+|now\s+|just\s+|only\s+)*` +
    String.raw`(say|repeat|reply|respond|answer|output|print|echo|write|return)\s+`,
  'i',
);
/** Matches words between the verb and the dictated text, such as `with exactly`. */
const QUALIFIER = new RegExp(
  '^(?:(?:back|only|just|exactly|precisely|simply|verbatim|after me|to me|with|in|this|that|the|' +
    'following|exact|single|one|words?|phrase|sentence|text|string|letters?|token|message)' +
    String.raw`\b\s*)+[:：]?`,
  'i',
);
const NOTHING_ELSE =
  /[\s,.;]{0,8}(?:and|with)?\s{0,8}(?:nothing (?:else|more)|no other (?:words?|text))[.!]?$/i;
const ASKS_CHINESE =
  /(?:请|麻烦)?(?:只|仅|原样|一字不差地|逐字)?(?:重复|复述|回复|回答|输出|说)(?:一遍|以下内容|下面的话|这句话|一句)*\s*[:：]?\s*/;
/**
 * Matches a short text directly after "say". Does not match a description of the text, such as
 * "something".
 */
const SAYABLE = new RegExp(
  String.raw`^(?!(?:some|any|every)(?:thing|one)?\b|what|why|how|when|who|where|if|whether|more|less)` +
    String.raw`[^\n?]{1,60}$`,
  'i',
);

/** The maximum length of a request that is searched for a dictated text or a count. */
const MAX_DICTATED_CHARS = 4_000;

/** Returns the text that the request dictates; null when it dictates none. */
export function dictatedWords(asked: string): string | null {
  if (asked.length > MAX_DICTATED_CHARS) return null;
  return englishWords(asked) ?? chineseWords(asked);
}

function englishWords(asked: string): string | null {
  const match = ASKS_ENGLISH.exec(asked);
  if (match === null) return null;
  const verb = match[1]?.toLowerCase();
  const rest = asked
    .slice(match.index + match[0].length)
    .replace(NOTHING_ELSE, '')
    .trim();
  // "Answer in one word" and "write about the sea" describe the answer; they do not dictate it.
  if (/^(?:in|a|an|about)\b/i.test(rest)) return null;
  const qualifier = QUALIFIER.exec(rest)?.[0] ?? '';
  const words = rest
    .slice(qualifier.length)
    .replace(/^[:：]/, '')
    .trim();
  const quoted = QUOTES.exec(words)?.[1];
  if (quoted !== undefined) return quoted;
  const spellsOut =
    /\b(?:exactly|precisely|verbatim|only|just|simply|after me|words?|phrase)\b|[:：]$/i;
  if (words !== '' && spellsOut.test(qualifier) && !/^(?:in|a|about)\b/i.test(words)) return words;
  return verb === 'say' && SAYABLE.test(rest) ? rest : null;
}

function chineseWords(asked: string): string | null {
  const match = ASKS_CHINESE.exec(asked);
  if (match === null) return null;
  const words = asked.slice(match.index + match[0].length).trim();
  const quoted = /^[“"「『]([\s\S]*?)[”"」』]/.exec(words)?.[1];
  if (quoted !== undefined) return quoted;
  return /[:：]\s*$/.test(match[0]) && words !== '' ? words : null;
}

/** The highest count that is written out. A request for more numbers gets a generic answer. */
const MAX_COUNT = 1000;
const COUNT = new RegExp(
  String.raw`\bcount(?:\s+(?:up|slowly|out loud))*(?:\s+from\s+(\d{1,7}))?\s+to\s+(\d{1,7})\b|` +
    String.raw`从\s*(\d{1,7})\s*数到\s*(\d{1,7})`,
  'i',
);

/**
 * Returns the numbers that the request asks to count. For example, `count from 3 to 5` gives `3, 4,
 * 5`. Returns null when the request asks for no count.
 */
export function countedOut(asked: string): string | null {
  const match = asked.length > MAX_DICTATED_CHARS ? null : COUNT.exec(asked);
  if (match === null) return null;
  const from = Number(match[1] ?? match[3] ?? 1);
  const to = Number(match[2] ?? match[4]);
  const length = Math.abs(to - from) + 1;
  if (length > MAX_COUNT) return null;
  const step = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => from + index * step).join(', ');
}
