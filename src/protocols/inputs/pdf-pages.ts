/** Counts the pages of a PDF without a parser, by searching for the page tree's entries. */
import { inflateSync } from 'node:zlib';

/**
 * How many more bytes may be decoded for a request. Decoding more would delay other requests too
 * long.
 */
export type WorkBudget = { left: number };

/**
 * An object stream counts as at least this many inflated bytes, because even an empty stream takes
 * time.
 */
const STREAM_BYTES = 16 * 1024;
/** Inflating a byte takes this many times as long as decoding one. */
const INFLATING = 4;
/** Maximum `/Count` or `/Page` names that are read. No provider accepts that many pages. */
const MAX_NAMES = 5_000;
/** Maximum bytes between the type of an object stream and its content. */
const MAX_DICTIONARY_BYTES = 1_024;

/** Returns the number of pages; null when it is unknown, as in an encrypted or damaged PDF. */
export function pdfPages(pdf: Buffer, budget: WorkBudget): number | null {
  if (hasEscapedName(pdf)) return null;
  let pages = pagesStated(pdf);
  for (let at = pdf.indexOf('/ObjStm'); at >= 0; ) {
    const stream = objectStream(pdf, at, budget);
    if (stream === null || hasEscapedName(stream.objects)) return null;
    pages = Math.max(pages, pagesStated(stream.objects));
    at = pdf.indexOf('/ObjStm', stream.end);
  }
  return pages > 0 && pages < MAX_NAMES ? pages : null;
}

/**
 * Whether a name that is searched for has letters written as escapes, as in `/P#61ge`; also true if
 * there are too many `#` bytes to check.
 */
function hasEscapedName(bytes: Buffer): boolean {
  let hashes = 0;
  for (let at = bytes.indexOf(HASH); at >= 0; at = bytes.indexOf(HASH, at + 1)) {
    hashes += 1;
    if (hashes > MAX_HASHES) return true;
    let start = at;
    while (at - start < MAX_NAME_BYTES && start > 0 && bytes[start] !== SOLIDUS) start -= 1;
    if (bytes[start] !== SOLIDUS) continue;
    const name = bytes
      .toString('latin1', start, start + 2 * MAX_NAME_BYTES)
      .replace(/#([\da-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    if (/^\/(?:Page|Count|ObjStm)/.test(name)) return true;
    hashes += NAME_HASHES;
  }
  return false;
}
const HASH = 0x23;
const SOLIDUS = 0x2f;
/** Maximum bytes of a name before its last escape. */
const MAX_NAME_BYTES = 16;
/** Maximum `#` bytes to check: twice as many as occur by chance in 12 MB of compressed content. */
const MAX_HASHES = 128 * 1024;
/** Reading a name takes as long as finding this many `#` bytes. */
const NAME_HASHES = 10;

/** Returns the highest `/Count` of a page tree, or the number of `/Page` objects if larger. */
function pagesStated(bytes: Buffer): number {
  let most = 0;
  let counts = 0;
  for (let at = bytes.indexOf('/Count'); at >= 0; at = bytes.indexOf('/Count', at + 6)) {
    most = Math.max(most, Number.parseInt(bytes.toString('latin1', at + 6, at + 32), 10) || 0);
    counts += 1;
    if (counts >= MAX_NAMES) return MAX_NAMES;
  }
  let pages = 0;
  for (let at = bytes.indexOf('/Page'); at >= 0; at = bytes.indexOf('/Page', at + 5)) {
    // If a letter follows, this is a longer name, such as `/Pages` or `/PageLabels`, and not a
    // page.
    const next = (bytes[at + 5] ?? 0) | 0x20;
    if (next < 0x61 || next > 0x7a) pages += 1;
    if (pages >= MAX_NAMES) return MAX_NAMES;
  }
  return Math.max(most, pages);
}

/**
 * Matches the parts of a dictionary that make an object stream unreadable without a parser: a
 * predictor, or a string or comment, which may look like the start of the content.
 */
const UNREADABLE = /[(%#]|\/DecodeParms|\/DP\b/;

/** Inflates an object stream; null when it is not deflated or exceeds the budget. */
function objectStream(
  pdf: Buffer,
  type: number,
  budget: WorkBudget,
): { readonly objects: Buffer; readonly end: number } | null {
  const keyword = pdf.subarray(type, type + MAX_DICTIONARY_BYTES).indexOf('stream');
  const end = pdf.indexOf('endstream', type);
  if (keyword < 0 || end < 0 || budget.left <= 0) return null;
  const before = pdf.toString('latin1', Math.max(0, type - MAX_DICTIONARY_BYTES), type);
  const from = before.lastIndexOf('obj');
  const dictionary = before.slice(from) + pdf.toString('latin1', type, type + keyword);
  if (from < 0 || UNREADABLE.test(dictionary)) return null;
  const lineEnd = type + keyword + 'stream'.length;
  const start = lineEnd + (pdf[lineEnd] === 0x0d ? 2 : 1);
  try {
    const objects = inflateSync(pdf.subarray(start, end), {
      maxOutputLength: Math.ceil(budget.left / INFLATING),
    });
    budget.left -= INFLATING * Math.max(STREAM_BYTES, objects.byteLength);
    return { objects, end };
  } catch {
    // A failed call may have inflated many bytes before it failed. Their number is unknown, so half
    // of the budget is deducted.
    budget.left /= 2;
    return null;
  }
}
