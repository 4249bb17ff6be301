/**
 * Computes a digest of a request, so that an Idempotency-Key never replays the answer to another
 * request. The digest covers the exact bytes, because converting 32 MiB of JSON to a canonical form
 * would block other requests; reordered members make a different request. The digest is keyed with
 * the Idempotency-Key, so that a reader of the store cannot test guesses at a prompt.
 */
import { createHmac } from 'node:crypto';
import { nextTurn } from '../../clock.ts';

export type RequestContent = {
  readonly body: Uint8Array;
  /** Whether the response is a stream, as decided even if the request omits `stream`. */
  readonly stream: boolean;
  /** The headers that affect the response. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The bytes to hash before other requests get their turn: about a millisecond of work. */
const CHUNK_BYTES = 1024 * 1024;

/** Returns a digest of 32 bytes. */
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
