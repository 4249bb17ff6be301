/**
 * Encrypts bytes with AES-256-GCM. The ciphertext is bound to a text, such as the id of the row
 * that stores it. It can be decrypted only with the same text, so it cannot be moved to another
 * row.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The number of bytes that encryption adds. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

/** Returns nonce, ciphertext and tag. A nonce must never repeat under one key. */
export function sealBytes(
  key: Uint8Array,
  boundTo: string,
  nonce: Uint8Array,
  bytes: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts bytes.
 * @throws Error if `key` or `boundTo` differs from the one at encryption, or if the bytes were
 *   altered or cut off.
 */
export function openBytes(key: Uint8Array, boundTo: string, sealed: Uint8Array): Uint8Array {
  if (sealed.byteLength < SEAL_BYTES) throw new Error('a ciphertext is cut short');
  const end = sealed.byteLength - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
}
