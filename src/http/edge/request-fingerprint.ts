/**
 * A digest that is equal for equal requests, so that an Idempotency-Key never answers another
 * request.
 *
 * The body counts byte by byte: clients repeat a request with the same bytes, and bringing 32 MiB
 * of JSON into a canonical form would block every other request. The price: the same members in
 * another order are another request. The digest is keyed with the Idempotency-Key, so that a reader
 * of the store cannot test guesses at a prompt.
 */
import { createHmac } from 'node:crypto';
import { nextTurn } from '../../clock.ts';

export type RequestContent = {
  readonly body: Uint8Array;
  /** Whether the answer is a stream, as it was negotiated. */
  readonly stream: boolean;
  /** Headers that change the answer. */
  readonly headers: Readonly<Record<string, string>>;
};

/** About a millisecond of hashing; then other requests get their turn. */
const CHUNK_BYTES = 1024 * 1024;

/** 32 bytes. */
export async function requestFingerprint(
  key: string,
  { body, stream, headers }: RequestContent,
): Promise<Uint8Array> {
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHmac('sha256', key).update(`${JSON.stringify([stream, sorted])}\n`);
  for (let from = 0; from < body.byteLength; from += CHUNK_BYTES) {
    if (from > 0) await nextTurn();
    digest.update(body.subarray(from, from + CHUNK_BYTES));
  }
  return digest.digest();
}
