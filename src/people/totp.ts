/**
 * Time-based one-time passwords (RFC 6238), with SHA-1, six digits and time steps of 30 seconds.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const ISSUER = 'Modelgate';
const STEP_MS = 30_000;
/** The maximum difference between the clocks of phone and server, in time steps. */
const MAX_STEPS_AWAY = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  const parameters = `secret=${base32(secret)}&issuer=${ISSUER}&digits=6&period=30`;
  return `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?${parameters}`;
}

/**
 * Returns the latest time step near the current one that has this code; null for a wrong code.
 * @param secret the secret in plain text, not in base32.
 */
export function stepOf(code: string, secret: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / STEP_MS);
  let found: number | null = null;
  for (let step = Math.max(0, now - MAX_STEPS_AWAY); step <= now + MAX_STEPS_AWAY; step++) {
    if (isEqual(codeAt(step, secret), code)) found = step;
  }
  return found;
}

function codeAt(step: number, secret: string): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Compares in constant time, so that the delay does not reveal how many digits match. */
export function isEqual(expected: string, presented: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(presented)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}
