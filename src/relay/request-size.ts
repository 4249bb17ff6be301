/** How much of a request is text, and how many images and files stand beside it. */
import type { ScannedObject } from '../json/scan.ts';
import { isPayload } from '../protocols/input-estimate.ts';

export type RequestSize = { readonly textBytes: number; readonly mediaParts: number };

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
