/** Encodes responses for storage and replay: the status, some headers, and the body. */
import { headerNames } from './response-headers.ts';

const STORED_HEADERS = [
  'content-type',
  'cache-control',
  ...headerNames(({ isStored }) => isStored === true),
];

type Head = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const LENGTH_BYTES = 4;

/** Encodes the length of the head (32 bits, big endian), the head as JSON, and the body. */
export function encodeResponse({ status, headers }: Response, body: Uint8Array): Uint8Array {
  const stored: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = headers.get(name);
    if (value !== null) stored[name] = value;
  }
  const head = Buffer.from(JSON.stringify({ status, headers: stored } satisfies Head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.byteLength);
  return Buffer.concat([length, head, body]);
}

/** Decodes a response that `encodeResponse` has encoded. */
export function decodeResponse(stored: Uint8Array): Response {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const bodyAt = LENGTH_BYTES + view.getUint32(0);
  const head: Head = JSON.parse(new TextDecoder().decode(stored.subarray(LENGTH_BYTES, bodyAt)));
  return new Response(stored.slice(bodyAt), head);
}

/** Whether the image URLs in the response have expired. */
export function isExpired({ headers }: Response, nowMs: number): boolean {
  const until = headers.get('x-image-expires');
  return until !== null && Date.parse(until) <= nowMs;
}
