/** Signs deliveries to the webhook of the operator or of an account. */
import { createHmac } from 'node:crypto';
import type { Secret } from '../../config/secret.ts';

export const SIGNATURE_HEADER = 'x-modelgate-signature';

/**
 * Returns the headers of a signed delivery.
 * @param secrets the current secret, followed by the previous one during a rotation.
 */
export const signedHeaders = (
  secrets: readonly Secret[],
  body: string,
  nowMs: number,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  [SIGNATURE_HEADER]: signatureOf(secrets, body, nowMs),
});

/**
 * Returns the signature header `t=<unix seconds>,v1=<hex>` in Stripe's format, with one `v1` for
 * each secret. The `v1` is the HMAC-SHA256 of the seconds, a dot and the exact body. A receiver
 * should compare signatures in constant time and reject old ones. It should accept each alert `id`
 * only once, because an alert that got no answer is sent again.
 */
function signatureOf(secrets: readonly Secret[], body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const macOf = (secret: Secret): string =>
    createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`, 'utf8').digest('hex');
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${macOf(secret)}`)].join(',');
}
