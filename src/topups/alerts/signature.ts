/** Signs deliveries to the webhook of the operator or of an account. */
import { createHmac } from 'node:crypto';
import type { Secret } from '../../config/secret.ts';

export const SIGNATURE_HEADER = 'x-modelgate-signature';

/** @param secrets the current secret first; after a rotation, the previous one follows. */
export const signedHeaders = (
  secrets: readonly Secret[],
  body: string,
  nowMs: number,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  [SIGNATURE_HEADER]: signatureOf(secrets, body, nowMs),
});

/**
 * Returns the signature header `t=<unix seconds>,v1=<hex>` in Stripe's form, with one `v1` for each
 * secret: the HMAC-SHA256 of the seconds, a dot and the exact body. A receiver compares in constant
 * time and rejects old signatures. It accepts each alert `id` only once, because alerts without an
 * answer are sent again.
 */
function signatureOf(secrets: readonly Secret[], body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const macOf = (secret: Secret): string =>
    createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`, 'utf8').digest('hex');
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${macOf(secret)}`)].join(',');
}
