/** Counts the pages of a PDF without a parser, by searching for the entries of its page tree. */
import { inflateSync } from 'node:zlib';

/**
 * The number of bytes that may still be decoded for a request. Without this limit, decoding could
 * delay other requests.
 */
export type WorkBudget = { left: number };

/**
 * The minimum number of inflated bytes that are deducted from the budget for an object stream,
 * because even an empty stream takes time.
 */
const STREAM_BYTES = 16 * 1024;
/** How many times longer it takes to inflate a byte than to decode one from base64. */
const INFLATING = 4;
/**
 * Maximum number of names `/Count` and `/Page` that are read. No provider accepts that many pages.
 */
const MAX_NAMES = 5_000;
/**
 * An object stream is found by its type, `/ObjStm`. Its dictionary must begin and end within this
 * many bytes of the type.
 */
const MAX_DICTIONARY_BYTES = 1_024;

/**
 * Returns the number of pages; null if it cannot be found, for example in an encrypted or damaged
 * PDF.
 */
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
 * Whether one of the names that are searched for is written with escapes, such as `/P#61ge`. Also
 * returns true if there are too many `#` bytes to check.
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
/**
 * Maximum number of `#` bytes that are checked: more than twice the number that occurs by chance in
 * 12 MB of compressed content.
 */
const MAX_HASHES = 128 * 1024;
/** Reading one name counts as this many `#` bytes toward `MAX_HASHES`, because it takes as long. */
const NAME_HASHES = 10;

/** Returns the highest `/Count`, or the number of `/Page` objects if that is higher. */
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
    // If a letter follows, this is the start of a longer name, such as `/Pages` or `/PageLabels`.
    const next = (bytes[at + 5] ?? 0) | 0x20;
    if (next < 0x61 || next > 0x7a) pages += 1;
    if (pages >= MAX_NAMES) return MAX_NAMES;
  }
  return Math.max(most, pages);
}

/**
 * Matches parts of a dictionary that only a complete PDF parser can handle. These are decoding
 * parameters, an escaped name (`#`), a string and a comment. The text of a string or comment may
 * look like the start of the stream.
 */
const UNREADABLE = /[(%#]|\/DecodeParms|\/DP\b/;

/** Inflates an object stream; null if it cannot be inflated or exceeds the budget. */
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
    // It is unknown how many bytes were inflated before the failure, so half of the remaining
    // budget is deducted.
    budget.left /= 2;
    return null;
  }
}
