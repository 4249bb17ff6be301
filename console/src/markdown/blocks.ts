/**
 * Splits Markdown into blocks that render independently. While an answer streams, only its last
 * block changes, so rendering time does not grow with the answer.
 */

/**
 * Blocks of a text, each with the blank lines that follow. Joined, the blocks equal the whole text.
 */
export type Blocks = {
  readonly blocks: readonly string[];
  /** The link definitions of the whole text, which any block may use, by their labels. */
  readonly definitions: ReadonlyMap<string, string>;
};

/** Matches a code fence after any quote and list markers. */
const FENCE = /^[ \t]*((?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*)(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const DEFINITION = /^ {0,3}\[(?!\^)([^\]]+)\]:[ \t]*\S/;
const LABEL = /\[([^[\]]+)\]/g;
/**
 * Matches a footnote. Footnotes are numbered across the whole text, so a text with footnotes is a
 * single block.
 */
const FOOTNOTE = /^ {0,3}\[\^[^\]]+\]:/m;

const MAX_NESTING = 50;
const MAX_EMPHASIS = 200;
/**
 * Matches a line with too many quotation or list markers, with a list item indented too far, or
 * with too many emphasis markers beside a word.
 */
const DEEP_LINE = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])[ \\t])){${MAX_NESTING}}` +
    `|^(?: {2}|\\t){${MAX_NESTING}}[ \\t]*(?:[-*+]|\\d{1,9}[.)])[ \\t]` +
    `|[*_]{${MAX_EMPHASIS}}[^*_\\s]|[^*_\\s][*_]{${MAX_EMPHASIS}}`,
  'm',
);

const MAX_MARKS = 1_000;
/**
 * Matches markers of emphasis, code and links, but no underscores inside of a word, and the line
 * below a heading.
 */
const MARK = /[*~`]+|(?<!\w)_|_(?!\w)|\]|^ {0,3}(?:=+|-+)[ \t]*$/g;
/** Matches a line that begins a text of its own: a blank line, a list item or a row of a table. */
const OWN_TEXT = /^[ \t>]*(?:$|(?:[-*+]|\d{1,9}[.)])[ \t]|\|)/;

/**
 * Whether rendering a block could take minutes or exceed the stack, because its quotations, lists,
 * brackets or emphasis are too deep, or because a paragraph has too many markers. A model that
 * repeats itself writes such text.
 */
export const isTooCostly = (block: string): boolean => isTooNested(block) || hasTooManyMarks(block);

/** Counts the markers of each paragraph, without code blocks. */
function hasTooManyMarks(block: string): boolean {
  let fence: Fence | null = null;
  let marks = 0;
  for (const { line } of linesOf(block)) {
    fence = fenceAfter(line, fence);
    if (fence !== null || OWN_TEXT.test(line)) marks = 0;
    if (fence === null) marks += line.match(MARK)?.length ?? 0;
    if (marks > MAX_MARKS) return true;
  }
  return false;
}

function isTooNested(block: string): boolean {
  let depth = 0;
  for (const character of block) {
    if (character === '[') depth += 1;
    else if (character === ']' && depth > MAX_NESTING) return true;
    else if (character === ']' && depth > 0) depth -= 1;
  }
  return DEEP_LINE.test(block);
}

type Fence = { readonly mark: string; readonly isQuoted: boolean };

export function splitBlocks(text: string): Blocks {
  if (FOOTNOTE.test(text)) return { blocks: [text], definitions: new Map() };
  const blocks: string[] = [];
  const definitions = new Map<string, string>();
  let start = 0;
  let fence: Fence | null = null;
  let isAfterBlank = false;
  let isList = false;
  for (const { line, at } of linesOf(text)) {
    const isBlank = line.trim() === '';
    if (fence === null) {
      if (isAfterBlank && beginsBlock(line, isList)) {
        blocks.push(text.slice(start, at));
        start = at;
      }
      if (at === start) isList = LIST_ITEM.test(line);
      const label = DEFINITION.exec(line)?.[1];
      // Of several definitions of a label, the first counts.
      if (label !== undefined && !definitions.has(keyOf(label)))
        definitions.set(keyOf(label), line);
    }
    fence = fenceAfter(line, fence);
    isAfterBlank = isBlank;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return { blocks, definitions };
}

const keyOf = (label: string): string => label.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/**
 * Returns the definitions that a block uses. With all definitions of a long text in each of its
 * blocks, rendering would take minutes.
 */
export function definitionsIn(block: string, definitions: Blocks['definitions']): string {
  if (definitions.size === 0) return '';
  const used = new Set<string>();
  for (const [, label = ''] of block.matchAll(LABEL)) {
    const definition = definitions.get(keyOf(label));
    if (definition !== undefined) used.add(definition);
  }
  return [...used].join('\n');
}

/**
 * Whether a line begins a new block. A blank or indented line does not, and neither does an item of
 * an open list.
 */
const beginsBlock = (line: string, isList: boolean): boolean =>
  line.trim() !== '' && !/^[ \t]/.test(line) && !(isList && LIST_ITEM.test(line));

function fenceAfter(line: string, open: Fence | null): Fence | null {
  const [, prefix = '', mark = '', rest = ''] = FENCE.exec(line) ?? [];
  if (open !== null) {
    // A code block inside a quotation ends with the quotation, at the first line without `>`.
    if (open.isQuoted && !line.trimStart().startsWith('>')) return fenceAfter(line, null);
    const closes = mark.startsWith(open.mark) && rest.trim() === '';
    return closes ? null : open;
  }
  // If the line has further backticks after the first ones, it is inline code and not a fence.
  if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) return null;
  return { mark, isQuoted: prefix.includes('>') };
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly at: number }> {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    yield { line: text.slice(at, end < 0 ? next : end), at };
    at = next;
  }
}
