/** Signs what is posted to a webhook, of the operator or of an account. */
import { createHmac } from 'node:crypto';
import type { Secret } from '../../config/secret.ts';

export const SIGNATURE_HEADER = 'x-modelgate-signature';

/** @param secrets the present one first; during a rotation also the one before. */
export const signedHeaders = (
  secrets: readonly Secret[],
  body: string,
  nowMs: number,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  [SIGNATURE_HEADER]: signatureOf(secrets, body, nowMs),
});

/**
 * Returns the signature header `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256, under the secret, of
 * the seconds, a dot and the exact body; one `v1` for each secret, as Stripe signs. A receiver
 * compares each in constant time, rejects an old signature, and accepts an alert `id` once only,
 * since an unanswered alert is sent again.
 */
function signatureOf(secrets: readonly Secret[], body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const macOf = (secret: Secret): string =>
    createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`, 'utf8').digest('hex');
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${macOf(secret)}`)].join(',');
}
