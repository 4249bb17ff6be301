/**
 * What a request means, as a digest: equal for equal requests, so that an Idempotency-Key is never
 * answered with the answer to another question.
 *
 * The body counts as the bytes it came in. Clients that repeat a request send the same bytes, and to bring
 * 32 MiB of JSON into a canonical form would hold up everyone else; the price is that a body whose members
 * are in another order is another body. The digest is made under the Idempotency-Key, so that whoever
 * reads the store cannot try out guesses at a prompt.
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

/** About a millisecond of digesting; then others get their turn. */
const PIECE_BYTES = 1024 * 1024;

/** 32 bytes. */
export async function requestMeaning(key: string, content: RequestContent): Promise<Uint8Array> {
  const { body, stream, headers } = content;
  const named = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHmac('sha256', key).update(`${JSON.stringify([stream, named])}\n`);
  for (let from = 0; from < body.byteLength; from += PIECE_BYTES) {
    if (from > 0) await nextTurn();
    digest.update(body.subarray(from, from + PIECE_BYTES));
  }
  return digest.digest();
}
