/**
 * Encrypts authenticator secrets and recovery codes with XChaCha20-Poly1305, using the console key.
 * The stored text has the format of better-auth: `$ba$1$`, then nonce, ciphertext and tag in
 * hexadecimal.
 */
import { createHash } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { encryptedUnderOtherKey } from './people-errors.ts';

const PREFIX = '$ba$1$';
const NONCE_BYTES = 24;

export class Encryption {
  readonly #key: Uint8Array;
  readonly #clock: Pick<Clock, 'randomBytes'>;

  constructor(secret: Secret, clock: Pick<Clock, 'randomBytes'>) {
    this.#key = new Uint8Array(createHash('sha256').update(secret.reveal(), 'utf8').digest());
    this.#clock = clock;
  }

  encrypt(text: string): string {
    const nonce = this.#clock.randomBytes(NONCE_BYTES);
    const sealed = xchacha20poly1305(this.#key, nonce).encrypt(Buffer.from(text, 'utf8'));
    return PREFIX + Buffer.concat([nonce, sealed]).toString('hex');
  }

  /**
   * Decrypts a stored text.
   * @throws GatewayError `internal_error` if the text was encrypted with another key or is damaged.
   */
  decrypt(encrypted: string): string {
    try {
      if (!encrypted.startsWith(PREFIX)) throw new Error('the prefix is unknown');
      const bytes = new Uint8Array(Buffer.from(encrypted.slice(PREFIX.length), 'hex'));
      const cipher = xchacha20poly1305(this.#key, bytes.subarray(0, NONCE_BYTES));
      return Buffer.from(cipher.decrypt(bytes.subarray(NONCE_BYTES))).toString('utf8');
    } catch (thrown) {
      throw encryptedUnderOtherKey(thrown);
    }
  }
}
