/** Encrypts kept answers. The key derives from the Idempotency-Key, which is stored only hashed. */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The bytes that encryption adds to an answer. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

export type SealedFor = {
  /** The Idempotency-Key as it was sent. */
  readonly key: string;
  readonly ownerId: string;
  /** The claim to which the ciphertext is bound. */
  readonly claimId: string;
  /** The installation's salt. */
  readonly salt: Uint8Array;
};

/** Returns nonce, AES-256-GCM ciphertext and tag. */
export function sealAnswer(whose: SealedFor, nonce: Uint8Array, answer: Uint8Array): Uint8Array {
  const cipher = createCipheriv(CIPHER, sealingKey(whose), nonce);
  cipher.setAAD(Buffer.from(whose.claimId));
  return Buffer.concat([nonce, cipher.update(answer), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts an answer. @throws Error when it was encrypted for another key, or altered. */
export function openAnswer(whose: SealedFor, sealed: Uint8Array): Uint8Array {
  if (sealed.byteLength < SEAL_BYTES) throw new Error('a sealed answer is cut short');
  const end = sealed.byteLength - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, sealingKey(whose), sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(whose.claimId));
  decipher.setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
}

function sealingKey({ key, salt, ownerId }: SealedFor): Uint8Array {
  const purpose = `modelgate: answer under an Idempotency-Key of ${ownerId}`;
  return new Uint8Array(hkdfSync('sha256', key, salt, purpose, KEY_BYTES));
}
