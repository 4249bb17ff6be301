/** Signs what is posted to a webhook, of the operator or of an account. */
import { createHmac } from 'node:crypto';
import type { Secret } from '../../config/secret.ts';

export const SIGNATURE_HEADER = 'x-modelgate-signature';

export const signedHeaders = (
  secret: Secret,
  body: string,
  nowMs: number,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  [SIGNATURE_HEADER]: signatureOf(secret, body, nowMs),
});

/**
 * Returns the signature header `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256, under the secret, of
 * the seconds, a dot and the exact body. A receiver compares it in constant time, rejects an old
 * signature, and accepts an alert `id` once only, since an unanswered alert is sent again.
 */
function signatureOf(secret: Secret, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const hmac = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`, 'utf8');
  return `t=${seconds},v1=${hmac.digest('hex')}`;
}
