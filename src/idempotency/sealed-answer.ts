/**
 * Encrypts stored answers. The encryption key is derived from the Idempotency-Key, of which the
 * store has only a hash.
 */
import { hkdfSync } from 'node:crypto';
import { KEY_BYTES, openBytes, sealBytes } from '../store/sealed-bytes.ts';

export type SealedFor = {
  /** The Idempotency-Key as it was sent. */
  readonly key: string;
  readonly ownerId: string;
  /** The claim to which the ciphertext is bound. */
  readonly claimId: string;
  readonly salt: Uint8Array;
};

/** Returns the nonce, the AES-256-GCM ciphertext and the tag, in this order. */
export const sealAnswer = (whose: SealedFor, nonce: Uint8Array, answer: Uint8Array): Uint8Array =>
  sealBytes(sealingKey(whose), whose.claimId, nonce, answer);

/** Decrypts an answer. @throws Error when it was encrypted for another key, or was altered. */
export const openAnswer = (whose: SealedFor, sealed: Uint8Array): Uint8Array =>
  openBytes(sealingKey(whose), whose.claimId, sealed);

function sealingKey({ key, salt, ownerId }: SealedFor): Uint8Array {
  const purpose = `modelgate: answer under an Idempotency-Key of ${ownerId}`;
  return new Uint8Array(hkdfSync('sha256', key, salt, purpose, KEY_BYTES));
}
