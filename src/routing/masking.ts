/**
 * Takes out of an upstream's own words what tells of the operator. Callers get none of it; the operator,
 * whose log may be shared more widely than the configuration, is spared the keys only.
 */

// Every repetition that something must follow is bounded: upstreams write these texts, and one that made
// a pattern start over at each letter would hold up everybody's streams.

/** Credentials by the forms that makers give them; a maker's own masked form (`sk-***abcd`) too. */
const KEYS =
  /\bBearer\s+[^\s"',]+|\bBasic (?=[a-z+/]{0,80}[A-Z\d])[\w+/]{8,}={0,2}|\b(?:sk|pk|rk|xai|nvapi|pplx|csk|tgp)-[A-Za-z0-9*._-]{6,}|\bya29\.[\w.-]{10,}|\b(?:sk_|pk_|rk_|gsk_|fw_|hf_|r8_|ghp_|key_|key-)(?=[A-Za-z._-]{0,80}[\d*])[A-Za-z0-9*._-]{6,}|\bAIza[\w-]{10,}|\bAKIA[A-Z0-9]{12,}|\beyJ[\w-]{8,400}\.[\w-]{2,}(?:\.[\w-]*)?/g;

/** Organisations, projects, accounts, workspaces and requests: words with a digit or a capital in them are ids. */
const IDS =
  /\b(?:org|proj|project|acct|account|user|ws|wrkspc|team|req|request|resp|trace)[-_](?=[a-z_-]{0,80}[\dA-Z*])[A-Za-z0-9*_-]{6,}|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\barn:[\w-]{1,20}:\S+|\b[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[\w-]{1,63}/g;
/** Ids that only the words before them give away. */
const NAMED_IDS =
  /\b((?:request|trace|organi[sz]ation|project|account|deployment|workspace)[ _-]?id\s{0,3}(?:is\b|[:=])?\s{0,3})["'`]?[\w.-]{4,}["'`]?/gi;

/** Addresses: with a scheme, as numbers, with a port, and of a network of one's own. */
const ADDRESSES = [
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)]+/gi,
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g,
  /\[?(?<![\w:])(?:(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){0,6}:(?::?[0-9a-f]{1,4}){1,6})(?![\w:])\]?(?::\d+)?/gi,
  /\b(?:[\w-]{1,63}\.){1,8}[\w-]{1,63}:\d{2,5}\b|\blocalhost(?::\d+)?\b/gi,
  /\b(?:[\w-]{1,63}\.){1,8}(?:internal|local|lan|corp|intranet|svc|cluster)\b/gi,
  // Hosts by their bare name: endings that are no words, so that paths such as `messages.0.content` stay.
  /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|ai|dev|cloud|cn|eu)\b(?![\w-]|\.\w)(?:\/[^\s"'<>)]*)?/gi,
];

/** For callers: no address, key, account, or id of the operator's. */
export function maskSecrets(text: string): string {
  let masked = text.replace(KEYS, '[hidden]').replace(IDS, '[hidden]');
  for (const address of ADDRESSES) masked = masked.replace(address, '[address]');
  return masked.replace(NAMED_IDS, '$1[hidden]');
}

/** For the operator: no key. */
export const maskKeys = (text: string): string => text.replace(KEYS, '[hidden]');

/** On one line, without what a terminal would obey: an operator reads an upstream's words there. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');

/** The texts themselves, wherever they stand; a longer one first, as a shorter may be part of it. */
export function maskTexts(text: string, hidden: readonly string[]): string {
  const longestFirst = hidden.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '[hidden]'), text);
}

/** A model by its name there, and by the name its callers know. */
export type ModelNames = { readonly there: string; readonly here: string };

/** The caller's name for a model in place of the upstream's, where that stands as a word of its own. */
export function renameModel(text: string, { there, here }: ModelNames): string {
  if (there === here || there === '') return text;
  const name = there.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w./-])${name}(?![\\w/-])`, 'g'), () => here);
}
