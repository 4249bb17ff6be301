/**
 * Masks what could reveal the operator in texts for callers. In texts for operators, `maskKeys`
 * masks only keys.
 */

// The patterns limit their repetitions. With unlimited ones, a hostile text could make a pattern
// backtrack for minutes and block all streams.

/** Matches credentials in the providers' formats, also partly masked (`sk-***abcd`). */
const KEYS =
  /\bBearer\s+[^\s"',]+|\bBasic (?=[a-z+/]{0,80}[A-Z\d])[\w+/]{8,}={0,2}|\b(?:sk|pk|rk|xai|nvapi|pplx|csk|tgp)-[A-Za-z0-9*._-]{6,}|\bya29\.[\w.-]{10,}|\b(?:sk_|pk_|rk_|gsk_|fw_|hf_|r8_|ghp_|key_|key-)(?=[A-Za-z._-]{0,80}[\d*])[A-Za-z0-9*._-]{6,}|\bAIza[\w-]{10,}|\bAKIA[A-Z0-9]{12,}|\beyJ[\w-]{8,400}\.[\w-]{2,}(?:\.[\w-]*)?/g;

/** Matches ids of organizations, accounts, requests and the like: words with a digit or capital. */
const IDS =
  /\b(?:org|proj|project|acct|account|user|ws|wrkspc|team|req|request|resp|trace)[-_](?=[a-z_-]{0,80}[\dA-Z*])[A-Za-z0-9*_-]{6,}|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\barn:[\w-]{1,20}:\S+|\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[\w-]{1,63}/g;
/** Matches ids that are recognizable only by the words before them, such as `request id`. */
const NAMED_IDS =
  /\b((?:request|trace|organi[sz]ation|project|account|deployment|workspace)[ _-]?id\s{0,3}(?:is\b|[:=])?\s{0,3})["'`]?[\w.-]{4,}["'`]?/gi;

/** Patterns for URLs, IP addresses, hosts with a port, and hosts of private networks. */
const ADDRESSES = [
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)]+/gi,
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
  /\[?(?<![\w:])(?:(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){0,6}:(?::?[0-9a-f]{1,4}){1,6})(?![\w:])\]?(?::\d+)?/gi,
  /\b(?:[\w-]{1,63}\.){1,8}[\w-]{1,63}:\d{2,5}\b|\blocalhost(?::\d+)?\b/gi,
  /\b(?:[\w-]{1,63}\.){1,8}(?:internal|local|lan|corp|intranet|svc|cluster)\b/gi,
  // Bare host names are matched by their top-level domain, so `messages.0.content` is not masked.
  /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|dev|cloud|cn|eu)\b(?![\w-]|\.\w)(?:\/[^\s"'<>)]*)?/gi,
];

/** Masks the operator's addresses, keys, accounts and ids in a text for callers. */
export function maskSecrets(text: string): string {
  let masked = text.replace(KEYS, '[hidden]').replace(IDS, '[hidden]');
  for (const address of ADDRESSES) masked = masked.replace(address, '[address]');
  return masked.replace(NAMED_IDS, '$1[hidden]');
}

export const maskKeys = (text: string): string => text.replace(KEYS, '[hidden]');

/** Returns the text on one line without control characters, safe for an operator's terminal. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');

/**
 * Masks all occurrences of the texts in `hidden`. Longer ones are masked first, because they may
 * contain shorter ones.
 */
export function maskTexts(text: string, hidden: readonly string[]): string {
  const longestFirst = hidden.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '[hidden]'), text);
}

/** The upstream's name for a model (`there`), and the name that callers use (`here`). */
export type ModelNames = { readonly there: string; readonly here: string };

/** Replaces the upstream's model name with the caller's, where it is a separate word. */
export function renameModel(text: string, { there, here }: ModelNames): string {
  if (there === here || there === '') return text;
  const name = there.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w./-])${name}(?![\\w/-])`, 'g'), () => here);
}
