/** An answer as it is kept for its repetition: status, the headers that say what it was, and its bytes. */

import { headerNames } from './response-headers.ts';

/** They tell what was asked, served and charged; what is about the exchange itself is not repeated. */
const KEPT_HEADERS = [
  'content-type',
  'cache-control',
  ...headerNames(({ isStored }) => isStored === true),
];

type Head = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const LENGTH_BYTES = 4;

/** Length of the head (32 bits, big endian), the head as JSON, the body. */
export function encodeAnswer({ status, headers }: Response, body: Uint8Array): Uint8Array {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  }
  const head = Buffer.from(JSON.stringify({ status, headers: kept } satisfies Head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.byteLength);
  return Buffer.concat([length, head, body]);
}

/** @param kept what `encodeAnswer` gave. */
export function decodeAnswer(kept: Uint8Array): Response {
  const view = new DataView(kept.buffer, kept.byteOffset, kept.byteLength);
  const bodyAt = LENGTH_BYTES + view.getUint32(0);
  const head: Head = JSON.parse(new TextDecoder().decode(kept.subarray(LENGTH_BYTES, bodyAt)));
  return new Response(kept.slice(bodyAt), head);
}

/** Whether addresses in the answer have ended since: it is of no more use then. */
export function isOutdated({ headers }: Response, nowMs: number): boolean {
  const until = headers.get('x-image-expires');
  return until !== null && Date.parse(until) <= nowMs;
}
