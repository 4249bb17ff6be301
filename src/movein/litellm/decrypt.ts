/**
 * Decrypts the parameters of models and the credentials that LiteLLM stores. The key is the SHA-256
 * of `LITELLM_SALT_KEY`, or of the master key. Older values are NaCl secret boxes; newer values are
 * AES-256-GCM with a prefix.
 */

import { createDecipheriv, hash } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { Secret } from '../../config/secret.ts';
import { asJsonObject, type JsonObject } from '../../json/object.ts';

const GCM_PREFIX = 'v2:gcm:';
const GCM_NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BOX_NONCE_BYTES = 24;

/** Decrypts a text; returns null if it was not encrypted with this key. */
export type Decrypt = (value: string) => string | null;

export function decryptWith(saltKey: Secret): Decrypt {
  const key = hash('sha256', saltKey.reveal(), 'buffer');
  return (value) => {
    const isGcm = value.startsWith(GCM_PREFIX);
    const sealed = Buffer.from(isGcm ? value.slice(GCM_PREFIX.length) : value, 'base64url');
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(
        isGcm ? openGcm(key, sealed) : openBox(key, sealed),
      );
    } catch {
      // The text is not encrypted, or was encrypted with another key. The caller decides what that
      // means.
      return null;
    }
  };
}

function openGcm(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  const nonce = sealed.subarray(0, GCM_NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened = decipher.update(sealed.subarray(GCM_NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]);
}

const openBox = (key: Uint8Array, sealed: Uint8Array): Uint8Array =>
  xsalsa20poly1305(key, sealed.subarray(0, BOX_NONCE_BYTES)).decrypt(
    sealed.subarray(BOX_NONCE_BYTES),
  );

/**
 * Returns the object with all its strings decrypted; null if one of them cannot be decrypted.
 * LiteLLM encrypts the strings of an object, but not its numbers and lists.
 */
export function decryptedTexts(object: JsonObject, decrypt: Decrypt): JsonObject | null {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const opened = typeof value === 'string' ? decrypt(value) : value;
    if (opened === null && value !== null) return null;
    entries.push([name, opened]);
  }
  return asJsonObject(Object.fromEntries(entries));
}
