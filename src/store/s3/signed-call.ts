/**
 * Signs calls to S3 (AWS Signature Version 4). The client of the runtime signs all others, but
 * completes an upload in parts even when its content ends with an error.
 */
import { createHash, createHmac } from 'node:crypto';
import type { S3Settings } from '../../config/storage/s3-settings.ts';

export type S3Call = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  /** Sorted by name, as the signature needs them. */
  readonly query: readonly (readonly [string, string])[];
};

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** The body is not hashed: TLS protects it, and its size is checked when it has arrived. */
const UNHASHED = 'UNSIGNED-PAYLOAD';

/** Percent-encodes all but the characters that RFC 3986 leaves unreserved. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** The region that the host of AWS names, as the client of the runtime finds it. */
function regionOf({ region, endpoint }: S3Settings): string {
  if (region !== undefined) return region;
  const { hostname } = new URL(endpoint);
  if (hostname.endsWith('.r2.cloudflarestorage.com')) return 'auto';
  return /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com$/.exec(hostname)?.[1] ?? 'us-east-1';
}

/** Returns the URL and the headers of a call at this time (Unix ms). */
export function signedCall(
  settings: S3Settings,
  { method, key, query }: S3Call,
  nowMs: number,
): { readonly url: string; readonly headers: Record<string, string> } {
  const { bucket, endpoint, access_key_id: id, secret_access_key: secret } = settings;
  const base = new URL(endpoint);
  const path = `${base.pathname.replace(/\/+$/, '')}/${[bucket, ...key.split('/')].map(encoded).join('/')}`;
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, time.indexOf('T'));
  const region = regionOf(settings);
  const signed = { host: base.host, 'x-amz-content-sha256': UNHASHED, 'x-amz-date': time };
  const names = Object.keys(signed).join(';');
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const request = [method, path, search, lines.join(''), names, UNHASHED].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(request).digest('hex');
  const dayKey = hmac(`AWS4${secret.reveal()}`, day);
  const signingKey = hmac(hmac(hmac(dayKey, region), 's3'), 'aws4_request');
  const signature = hmac(signingKey, [ALGORITHM, time, scope, hash].join('\n')).toString('hex');
  const { host: _, ...headers } = signed;
  return {
    url: `${base.origin}${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...headers,
      authorization: `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    },
  };
}
