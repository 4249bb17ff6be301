/** Extracts names, numbers, places and other entities from a text, as values for tool arguments. */

export type Entities = {
  readonly text: string;
  readonly lowerText: string;
  /** The words of Latin letters, digits and underscores, in lower case. */
  readonly words: ReadonlySet<string>;
  readonly quoted: readonly string[];
  readonly numbers: readonly number[];
  readonly emails: readonly string[];
  readonly urls: readonly string[];
  readonly dates: readonly string[];
  readonly times: readonly string[];
  readonly zones: readonly string[];
  /**
   * The places in the text. In Latin script: capitalized words after words such as `in`. In
   * Chinese: the characters before words such as `天气`.
   */
  readonly places: readonly string[];
  /** Capitalized words within a sentence that are not places. */
  readonly names: readonly string[];
};

/** How many characters at the start of a text are searched for entities. */
const MAX_SEARCHED_CHARS = 2_000;

const QUOTED =
  /"([^"\n]{1,400})"|“([^”\n]{1,400})”|「([^」\n]{1,400})」|`([^`\n]{1,400})`|(?<!\p{L})'([^'\n]{1,200})'(?!\p{L})/gu;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}/g;
const URL_TEXT = /https?:\/\/[^\s"'<>)\]，。]{1,1000}/g;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?\b/g;
const ZONE = /\b(?:UTC|GMT|[A-Z][a-z]{2,12}\/[A-Z][A-Za-z_]{2,30})\b/g;
const NUMBER = /(?<![\w.])-?\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?(?!\w)/g;
const NAME = String.raw`\p{Lu}[\p{L}'’-]{1,30}(?:\s\p{Lu}[\p{L}'’-]{1,30}){0,3}`;
const PLACED_NAME = new RegExp(String.raw`\b(?:in|at|from|to|near|around)\s+(${NAME})`, 'gu');
const INNER_NAME = new RegExp(String.raw`(?<=[\p{Ll}\d,;:]\s)(${NAME})`, 'gu');
const CHINESE_PLACE =
  /(?:查询|查一下|查查|看看|告诉我|请问|帮我|在|到|去|从|问)?([\u4e00-\u9fff]{2,4}?)(?:市)?(?:今天|明天|现在|当前|的){0,4}(?:天气|气温|时间|新闻|人口|景点)/gu;

/** Capitalized words that are never names, even inside a sentence. */
const NOT_NAMES = new Set(['I', 'The', 'A', 'An', 'JSON', 'Please', 'Celsius', 'Fahrenheit']);

export function readEntities(whole: string): Entities {
  const text = whole.slice(0, MAX_SEARCHED_CHARS);
  const lowerText = text.toLowerCase();
  const withoutUrls = text.replace(URL_TEXT, ' ').replace(DATE, ' ').replace(TIME, ' ');
  const isName = (name: string): boolean => !NOT_NAMES.has(name);
  const places = [...captures(text, CHINESE_PLACE), ...captures(text, PLACED_NAME)].filter(isName);
  const names = captures(text, INNER_NAME).filter((name) => isName(name) && !places.includes(name));
  return {
    text,
    lowerText,
    words: new Set(lowerText.match(/[\p{Script=Latin}\p{N}_]+/gu)),
    quoted: captures(text, QUOTED),
    numbers: captures(withoutUrls, NUMBER).map((digits) => Number(digits.replaceAll(',', ''))),
    emails: captures(text, EMAIL),
    urls: captures(text, URL_TEXT),
    dates: captures(text, DATE),
    times: captures(text, TIME),
    zones: captures(text, ZONE),
    places: [...new Set(places)],
    names: [...new Set(names)],
  };
}

/** Returns the first captured group of each match; the whole match if it captured no group. */
function captures(text: string, expression: RegExp): readonly string[] {
  return Array.from(text.matchAll(expression), (match) => {
    return match.slice(1).find((group) => group !== undefined) ?? match[0];
  });
}

/**
 * Splits an identifier into lower-case words: `getCurrent_weather` into `get`, `current` and
 * `weather`.
 */
export function wordsOf(identifier: string): readonly string[] {
  return identifier
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Whether the text contains the word or phrase. Like `mentions`, but faster for many words. */
export function hasWord({ words, lowerText }: Entities, word: string): boolean {
  const lower = word.toLowerCase();
  const isPlain = /^[\p{Script=Latin}\p{N}_]+$/u.test(lower);
  return isPlain ? words.has(lower) : lowerText.includes(lower) && mentions(lowerText, lower);
}

/** Whether a lower-case text contains the word or phrase, in any case, at word boundaries. */
export function mentions(lower: string, word: string): boolean {
  const plain = word.toLowerCase();
  for (let at = lower.indexOf(plain); at >= 0; at = lower.indexOf(plain, at + 1)) {
    const isStart = !/[\p{Script=Latin}\p{N}_]$/u.test(lower.slice(Math.max(0, at - 1), at));
    const isEnd = !/^[\p{Script=Latin}\p{N}_]/u.test(
      lower.slice(at + plain.length, at + plain.length + 1),
    );
    if (isStart && isEnd) return true;
  }
  return false;
}

const escapeForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Returns a field's value in the text, as in `city: Paris`, `unit=celsius` or `id is "a7"`. */
export function keyedValue({ text, lowerText }: Entities, field: string): string | null {
  const words = wordsOf(field);
  if (words.length === 0 || !words.every((word) => lowerText.includes(word))) return null;
  const name = words.map(escapeForRegExp).join('[ _-]?');
  const value = String.raw`(?:"([^"\n]{1,400})"|“([^”\n]{1,400})”|'([^'\n]{1,400})'|([^\s,;，。；]{1,200}))`;
  const expression = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${name}["'\x60]?\s*(?:[:=：]|\bis\b|\bof\b|为|是)\s*${value}`,
    'iu',
  );
  const match = expression.exec(text);
  const found = match?.slice(1).find((group) => group !== undefined);
  return found?.replace(/[.!?)\]}]+$/, '') || null;
}
