/** Counts the pages of a PDF without a parser, by searching for the page tree's entries. */
import { inflateSync } from 'node:zlib';

/** The bytes that may still be decoded for a request; more would delay other requests. */
export type WorkBudget = { left: number };

/** The least that an object stream takes from the budget, since even an empty one takes time. */
const STREAM_BYTES = 16 * 1024;
/** Inflating a byte takes this many times as long as decoding one. */
const INFLATING = 4;
/** The most `/Count` or `/Page` names that are read. No provider accepts that many pages. */
const MAX_NAMES = 5_000;
/** The most bytes between the type of an object stream and its content. */
const MAX_DICTIONARY_BYTES = 1_024;

/** Returns the number of pages; null when it is unknown, as in an encrypted or damaged PDF. */
export function pdfPages(pdf: Buffer, budget: WorkBudget): number | null {
  let pages = pagesStated(pdf);
  for (let at = pdf.indexOf('/ObjStm'); at >= 0; ) {
    const stream = objectStream(pdf, at, budget);
    if (stream === null) return null;
    pages = Math.max(pages, pagesStated(stream.objects));
    at = pdf.indexOf('/ObjStm', stream.end);
  }
  return pages > 0 && pages < MAX_NAMES ? pages : null;
}

/** Returns the larger of the highest `/Count` of a page tree and the number of `/Page` objects. */
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

/** Inflates an object stream; null when it is not deflated or exceeds the budget. */
function objectStream(
  pdf: Buffer,
  type: number,
  budget: WorkBudget,
): { readonly objects: Buffer; readonly end: number } | null {
  const keyword = pdf.subarray(type, type + MAX_DICTIONARY_BYTES).indexOf('stream');
  const end = pdf.indexOf('endstream', type);
  if (keyword < 0 || end < 0 || budget.left <= 0) return null;
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
