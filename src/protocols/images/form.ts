/**
 * Reads a multipart form in place: files are views of the body, so that memory has no second copy
 * of an edit of 20 MB.
 */
import { GatewayError } from '../../errors.ts';
import { invalid } from './request.ts';

/** Maximum parts of a form: enough for 16 images, a mask, and more fields than the protocol has. */
export const MAX_FORM_PARTS = 64;
/** Maximum bytes of a part's header, enough for long file names. */
export const MAX_PART_HEADER_BYTES = 4 * 1024;
/** Maximum bytes of a field that is not a file, enough for the longest prompt in UTF-8. */
export const MAX_FORM_FIELD_BYTES = 128 * 1024;

export type FormFile = {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

export type Form = {
  /** The fields in order. Each name occurs only once. */
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly FormFile[];
};

/**
 * Returns the boundary in the `Content-Type` of a multipart form; null for any other content type.
 * @throws GatewayError `invalid_value` for a form without a valid boundary.
 */
export function boundaryOf(contentType: string): string | null {
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)) return null;
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw broken('the Content-Type has no valid boundary');
  return boundary;
}

/** Reads a form. @throws GatewayError `invalid_value` if it is malformed or too large. */
export function readForm(body: Uint8Array<ArrayBuffer>, boundary: string): Form {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const fields = new Map<string, string>();
  const files: FormFile[] = [];
  // The body may begin with the first delimiter, without the line break that usually precedes a
  // delimiter.
  const opening = delimiter.subarray(2);
  const starts = bytes.subarray(0, opening.byteLength).equals(opening);
  let at = starts ? opening.byteLength : endOf(bytes, delimiter, 0);
  for (let parts = 0; !isClosing(bytes, at); parts++) {
    if (parts === MAX_FORM_PARTS) throw tooMany();
    const head = afterLine(bytes, at);
    const headEnd = bytes.indexOf(BLANK_LINE, head - 2);
    if (headEnd < 0 || headEnd - head > MAX_PART_HEADER_BYTES)
      throw broken('a part has no header, or one that is too long');
    const start = headEnd + BLANK_LINE.byteLength;
    // Searches from the last line break of the header. If the part is empty, the delimiter begins
    // with this line break.
    const end = bytes.indexOf(delimiter, start - 2);
    if (end < 0) throw broken('it ends within a part');
    const part = body.subarray(start, Math.max(start, end));
    takePart(bytes.toString('utf8', head, headEnd), part, fields, files);
    at = end + delimiter.byteLength;
  }
  return { fields, files };
}

const BLANK_LINE = Buffer.from('\r\n\r\n', 'latin1');
const decoder = new TextDecoder('utf-8', { fatal: true });

function takePart(
  head: string,
  bytes: Uint8Array<ArrayBuffer>,
  fields: Map<string, string>,
  files: FormFile[],
): void {
  const line = head.split('\r\n').find((each) => /^content-disposition:/i.test(each)) ?? '';
  const name = /;\s*name="([^"]{1,128})"/i.exec(line)?.[1];
  if (name === undefined) throw broken('a part has no name');
  if (/;\s*filename\*?=/i.test(line)) files.push({ name, bytes });
  else if (fields.has(name)) throw twice(name);
  else fields.set(name, fieldText(name, bytes));
}

function fieldText(name: string, bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_FORM_FIELD_BYTES)
    throw invalid(name, `must have at most ${MAX_FORM_FIELD_BYTES} bytes; send images as files`);
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid(name, 'must be UTF-8 text; send images as files, with a file name');
  }
}

/** Returns the position after the next delimiter. @throws GatewayError when the body has none. */
function endOf(bytes: Buffer, delimiter: Buffer, from: number): number {
  const at = bytes.indexOf(delimiter, from);
  if (at < 0) throw broken('it has no part with the boundary of the Content-Type');
  return at + delimiter.byteLength;
}

/** Whether the delimiter that ends at `at` closes the form. */
const isClosing = (bytes: Buffer, at: number): boolean =>
  bytes[at] === DASH && bytes[at + 1] === DASH;
const DASH = 0x2d;

/** Returns the position of the line after a delimiter. The delimiter may be followed by spaces. */
function afterLine(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] === 0x20 || bytes[end] === 0x09) end += 1;
  if (bytes[end] !== 0x0d || bytes[end + 1] !== 0x0a) throw broken('it is cut off');
  return end + 2;
}

const broken = (what: string): GatewayError =>
  new GatewayError('invalid_value', `The multipart form cannot be read: ${what}.`, {
    param: 'body',
  });

const tooMany = (): GatewayError =>
  new GatewayError('invalid_value', `The form must have at most ${MAX_FORM_PARTS} parts.`, {
    param: 'body',
  });

const twice = (param: string): GatewayError => invalid(param, 'must be sent once');
