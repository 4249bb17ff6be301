/**
 * Writes a multipart form. Its files are views of the caller's body, so their bytes are not copied.
 */
import type { Clock } from '../clock.ts';
import type { JsonObject } from '../json/object.ts';
import type { UpstreamFile } from './upstream.ts';

/** Maximum bytes of one chunk of the stream. */
const PIECE_BYTES = 256 * 1024;
const BOUNDARY_BYTES = 16;
const encoder = new TextEncoder();

export type FormBody = {
  readonly contentType: string;
  readonly byteLength: number;
  /** Returns the form as a stream. A chunk is produced only when the connection can send it. */
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>;
};

/** Builds a form from these fields and files. Values that are not strings are written as JSON. */
export function formBody(
  fields: JsonObject,
  files: readonly UpstreamFile[],
  clock: Pick<Clock, 'randomBytes'>,
): FormBody {
  const random = Buffer.from(clock.randomBytes(BOUNDARY_BYTES)).toString('hex');
  const boundary = `modelgate-${random}`;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const part = (disposition: string, content: Uint8Array<ArrayBuffer>): void => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`;
    pieces.push(encoder.encode(head), content, encoder.encode('\r\n'));
  };
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    part(`name="${escaped(name)}"`, encoder.encode(text));
  }
  for (const { name, fileName, mediaType, bytes } of files)
    part(`name="${name}"; filename="${fileName}"\r\ncontent-type: ${mediaType}`, bytes);
  pieces.push(encoder.encode(`--${boundary}--\r\n`));
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    byteLength: pieces.reduce((sum, { byteLength }) => sum + byteLength, 0),
    // An empty chunk would stall the stream, so empty pieces are left out.
    stream: () => streamOf(pieces.filter(({ byteLength }) => byteLength > 0)),
  };
}

/** Escapes the name of a form field as browsers do. */
const escaped = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function streamOf(
  pieces: readonly Uint8Array<ArrayBuffer>[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let index = 0;
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      const piece = pieces[index];
      if (piece === undefined) return controller.close();
      const end = Math.min(at + PIECE_BYTES, piece.byteLength);
      controller.enqueue(piece.subarray(at, end));
      at = end < piece.byteLength ? end : 0;
      if (at === 0) index += 1;
    },
  });
}
