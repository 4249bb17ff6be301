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
 * Maximum number of names `/Page`, of names `/Count` and `/Kids`, and of entries in `/Kids`, that
 * are read. No provider accepts that many pages.
 */
const MAX_NAMES = 5_000;
/** Maximum bytes of an array in `/Kids`: 20 for each entry. */
const MAX_KIDS_BYTES = 20 * MAX_NAMES;
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
  const tree: PageTree = { count: 0, pages: 0, names: 0, arrays: 0, kids: new Set() };
  if (!addTree(tree, pdf)) return null;
  for (let at = pdf.indexOf('/ObjStm'); at >= 0; ) {
    const stream = objectStream(pdf, at, budget);
    if (stream === null || hasEscapedName(stream.objects)) return null;
    if (!addTree(tree, stream.objects)) return null;
    at = pdf.indexOf('/ObjStm', stream.end);
  }
  // In a tree, each array except the first belongs to a node that is an entry of another array.
  // The other entries may all be pages, because readers accept pages without a type.
  const leaves = tree.arrays === 0 ? 0 : tree.kids.size - tree.arrays + 1;
  const pages = Math.max(tree.count, tree.pages, leaves);
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
    if (/^\/(?:Page|Count|Kids|ObjStm)/.test(name)) return true;
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

/** What a file and its object streams state about pages. */
type PageTree = {
  /** The highest `/Count`. */
  count: number;
  /** The number of `/Page` objects. */
  pages: number;
  /** The number of `/Count` and `/Kids`. */
  names: number;
  /** The number of arrays in `/Kids` that are not empty. */
  arrays: number;
  /** The numbers of the objects that these arrays name. */
  readonly kids: Set<number>;
};

/** Adds what these bytes state; returns false if readers may find more pages than they state. */
function addTree(tree: PageTree, bytes: Buffer): boolean {
  return addCounts(tree, bytes) && addPages(tree, bytes) && addKids(tree, bytes);
}

/** Matches the number of `/Count`, which is negative in a closed bookmark. */
const COUNT = /^[\0\t\n\f\r ]+([+-]?\d{1,9})(?!\d)(?![\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R)/;
const MAX_COUNT_BYTES = 64;

/** Returns false if a `/Count` is not a number, for example a reference to one. */
function addCounts(tree: PageTree, bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/Count'); at >= 0; at = bytes.indexOf('/Count', at + 6)) {
    const stated = COUNT.exec(bytes.toString('latin1', at + 6, at + MAX_COUNT_BYTES));
    if (stated === null) return false;
    tree.count = Math.max(tree.count, Number(stated[1]));
    tree.names += 1;
    if (tree.names >= MAX_NAMES) return false;
  }
  return true;
}

function addPages(tree: PageTree, bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/Page'); at >= 0; at = bytes.indexOf('/Page', at + 5)) {
    // If a letter follows, this is the start of a longer name, such as `/Pages` or `/PageLabels`.
    const next = (bytes[at + 5] ?? 0) | 0x20;
    if (next < 0x61 || next > 0x7a) tree.pages += 1;
    if (tree.pages >= MAX_NAMES) return false;
  }
  return true;
}

/** Matches an array of references, such as ` [3 0 R 4 0 R`, without its end. */
const KIDS =
  /^[\0\t\n\f\r ]*\[((?:[\0\t\n\f\r ]*\d{1,8}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R)*)[\0\t\n\f\r ]*$/;

/**
 * Returns false if `/Kids` is not an array of references, or if an object is named twice: a reader
 * may read its pages twice.
 */
function addKids(tree: PageTree, bytes: Buffer): boolean {
  for (let at = bytes.indexOf('/Kids'); at >= 0; at = bytes.indexOf('/Kids', at + 5)) {
    const end = bytes.subarray(at, at + MAX_KIDS_BYTES).indexOf(']');
    const array = end < 0 ? null : KIDS.exec(bytes.toString('latin1', at + 5, at + end));
    if (array === null) return false;
    const numbers = (array[1] ?? '').match(/\d+(?=[^\dR]+\d+[^\dR]+R)/g) ?? [];
    if (numbers.length > 0) tree.arrays += 1;
    tree.names += 1;
    if (tree.names >= MAX_NAMES) return false;
    for (const number of numbers) {
      if (tree.kids.has(Number(number))) return false;
      tree.kids.add(Number(number));
      if (tree.kids.size >= MAX_NAMES) return false;
    }
  }
  return true;
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
