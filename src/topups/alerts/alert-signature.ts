/**
 * How an alert proves that it is ours: `x-modelgate-signature: t=<unix seconds>,v1=<hex>`, where v1 is the
 * HMAC-SHA256, under the shared secret, of the seconds, a dot and the exact bytes of the body.
 *
 * A receiver computes the same over the bytes it got, compares in constant time, refuses what is older
 * than it tolerates, and takes an alert's `id` once: one whose answer was lost is sent again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../config/secret.ts';

export const SIGNATURE_HEADER = 'x-modelgate-signature';
/** An answer that is lost is repeated under a new signature, so an honest one is never old. */
export const TOLERANCE_MS = 5 * 60_000;

export function signAlert(secret: Secret, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},v1=${hmac(secret, seconds, body).toString('hex')}`;
}

/** What a receiver does: whether the header is a signature of this body, made lately. */
export function verifyAlert(
  secret: Secret,
  body: string,
  header: string | null,
  nowMs: number,
): boolean {
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (time === undefined || hex === undefined || secret.reveal() === '') return false;
  const seconds = Number(time);
  if (Math.abs(nowMs - seconds * 1000) > TOLERANCE_MS) return false;
  return timingSafeEqual(hmac(secret, seconds, body), Buffer.from(hex, 'hex'));
}

const hmac = (secret: Secret, seconds: number, body: string): Buffer =>
  createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`, 'utf8').digest();
