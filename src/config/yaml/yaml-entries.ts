/**
 * Finds the entries of large maps in the text of a YAML file, so that each entry can be parsed
 * separately, with pauses between them, because the parser itself cannot be paused. Entries can be
 * found only in maps in block style, in which each entry has lines of its own.
 */
import type { Steps } from '../document/steps.ts';

/** The entries of a map in block style. */
export type EntryMap = { readonly end: number; readonly entries: readonly Entry[] };

/** An entry of a map. It includes all lines up to the next entry. */
export type Entry = {
  readonly start: number;
  readonly end: number;
  /**
   * If the value is a map whose entries are parsed separately: the offset and the entries of that
   * map. Null if the value is parsed as a whole.
   */
  readonly inner: { readonly start: number; readonly map: EntryMap } | null;
};

/** Maximum characters of an entry that is parsed without a pause, which takes 1 to 2 ms. */
export const MAX_ENTRY_CHARACTERS = 8 * 1024;
/** The number of lines that are scanned between two `yield`s. */
const LINES_A_STEP = 500;

/** Matches the start marker `---` of the only document, after comments and empty lines. */
const DOCUMENT_START = /(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*---[ \t]*(?:#[^\r\n]*)?\r?\n/y;
/** Matches a marker that ends a document or begins another one. */
const DOCUMENT_MARK = /---|\.\.\.|%/y;
/**
 * Matches a line that begins an entry with a plain or quoted key. Any other line belongs to the
 * previous entry.
 */
const ENTRY = /[^\s\-?#{}[\],:&*!|>%@`][^\n]*?:(?:[ \t\r\n]|$)/y;
/** Matches a line with only a key, whose value begins on the next line. */
const KEY_LINE = /(?:[\w./-]+|"[^"\\\n]*"|'[^'\n]*'):(?:[ \t]+#[^\n]*|[ \t]*)\r?\n/y;

const SPACE = 32;
/** The character codes of space and tab. */
const BLANKS = [SPACE, 9];
/**
 * The character codes of line breaks and of `#`, which begins a comment. If a line's first
 * character is one of them, the line begins no entry.
 */
const ENDS = [10, 13, 35];

const matchAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

/**
 * Returns the entries of the top-level map in a text. For each entry of more than `maxCharacters`,
 * also returns the entries of its map. Returns null if the text must be parsed as a whole.
 */
export function* entrySteps(text: string, maxCharacters: number): Steps<EntryMap | null> {
  // Lines are split only at line feeds. Therefore, a text with a carriage return that no line feed
  // follows is parsed as a whole.
  if (text.length <= maxCharacters || /\r(?!\n)/.test(text)) return null;
  const start = Math.max(0, matchAt(DOCUMENT_START, text, 0));
  return yield* mapSteps(text, { start, end: text.length, parent: -1 }, maxCharacters);
}

/** The range of a map's lines, and the indentation of the key that has the map as its value. */
type Lines = { readonly start: number; readonly end: number; readonly parent: number };

function* mapSteps(
  text: string,
  { start, end, parent }: Lines,
  maxCharacters: number,
): Steps<EntryMap | null> {
  const starts: number[] = [];
  let indent: number | null = null;
  let lines = 0;
  for (let line = start; line < end; line = lineEnd(text, line)) {
    if (++lines % LINES_A_STEP === 0) yield;
    let first = line;
    while (text.charCodeAt(first) === SPACE) first += 1;
    const its = first - line;
    while (BLANKS.includes(text.charCodeAt(first))) first += 1;
    if (first >= end || ENDS.includes(text.charCodeAt(first))) continue;
    const isIndented = first === line + its;
    const isEntry =
      isIndented && (indent === null || its === indent) && matchAt(ENTRY, text, first) !== -1;
    if (indent === null) {
      if (its <= parent || !isEntry) return null;
      indent = its;
    }
    // A line that is indented with a tab begins no entry. It can only continue a value.
    if (!isIndented) continue;
    if (its < indent || (its === 0 && matchAt(DOCUMENT_MARK, text, first) !== -1)) return null;
    if (isEntry) starts.push(line);
  }
  if (indent === null) return null;
  const entries: Entry[] = [];
  for (const [index, from] of starts.entries()) {
    const to = starts[index + 1] ?? end;
    const inner = to - from > maxCharacters ? matchAt(KEY_LINE, text, from + indent) : -1;
    const its = { start: inner, end: to, parent: indent };
    const map = inner === -1 ? null : yield* mapSteps(text, its, maxCharacters);
    entries.push({ start: from, end: to, inner: map === null ? null : { start: inner, map } });
  }
  return { end, entries };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
