/**
 * Computes a digest of a request, so that an Idempotency-Key never replays the answer to another
 * request. The digest covers the exact bytes, because converting 32 MiB of JSON to a canonical form
 * would block other requests; reordered members make a different request. The digest is keyed with
 * the Idempotency-Key, so that a reader of the store cannot test guesses at a prompt.
 */
import { createHmac, type Hmac } from 'node:crypto';
import { nextTurn } from '../../clock.ts';

export type RequestContent = {
  /** The exact bytes, or the parts of a form, whose boundary differs each time it is sent. */
  readonly body: Uint8Array | readonly Uint8Array[];
  /** Whether the response is a stream, which the gateway decides if the request omits `stream`. */
  readonly stream: boolean;
  /** The headers that affect the response. */
  readonly headers: Readonly<Record<string, string>>;
};

/** The bytes to hash before other requests get a turn. Hashing them takes about a millisecond. */
const CHUNK_BYTES = 1024 * 1024;

async function updateInTurns(digest: Hmac, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
    if (from > 0) await nextTurn();
    digest.update(bytes.subarray(from, from + CHUNK_BYTES));
  }
}

/** Returns a digest of 32 bytes. */
export async function requestFingerprint(
  key: string,
  { body, stream, headers }: RequestContent,
): Promise<Uint8Array> {
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHmac('sha256', key).update(`${JSON.stringify([stream, sorted])}\n`);
  if (body instanceof Uint8Array) await updateInTurns(digest, body);
  else {
    for (const part of body) {
      digest.update(`${part.byteLength}\n`);
      await updateInTurns(digest, part);
    }
  }
  return digest.digest();
}
