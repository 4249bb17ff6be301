/** Which half minute a code of an authenticator is for (RFC 6238, with SHA-1 and six digits). */
import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
/** One more than is taken, since a half minute may end between that and this. */
const MOST_STEPS_AWAY = 2;

/**
 * @param secret as authenticators share it, before it is written in base 32.
 * @returns the half minute, counted from 1970; the latest, should the code be that of two; null: none.
 */
export function stepOf(code: string, secret: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / STEP_MS);
  for (let step = now + MOST_STEPS_AWAY; step >= now - MOST_STEPS_AWAY; step--) {
    if (codeAt(step, secret) === code) return step;
  }
  return null;
}

function codeAt(step: number, secret: string): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
