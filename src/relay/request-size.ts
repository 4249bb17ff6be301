/** How much of a request is text, and how many images and files stand beside it. */
import type { ScannedObject, Span } from '../protocols/json.ts';

export type RequestSize = { readonly textBytes: number; readonly mediaParts: number };

/** A long string is looked at this far to tell a payload from prose. */
const SAMPLE_BYTES = 200;

/** Base64 payloads (bare, or in a data URL) are media: makers price them by picture and page. */
export function requestSize(body: ScannedObject): RequestSize {
  let mediaBytes = 0;
  let mediaParts = 0;
  for (const span of body.longStrings) {
    if (!isPayload(body.bytes, span)) continue;
    mediaBytes += span.end - span.start;
    mediaParts += 1;
  }
  return { textBytes: body.bytes.byteLength - mediaBytes, mediaParts };
}

function isPayload(bytes: Uint8Array, { start, end }: Span): boolean {
  const sample = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + start,
    Math.min(SAMPLE_BYTES, end - start),
  );
  const text = sample.toString('latin1');
  return (
    /^data:[\w.+-]+\/[\w.+-]+;base64,/.test(text) || /^(?:[A-Za-z0-9+/_-]|\\\/){200}$/.test(text)
  );
}
