/**
 * Signs calls to S3 (AWS Signature Version 4) for uploads in parts. Bun's S3 client makes all other
 * calls. It is not used for these uploads, because it completes an upload even if the content ends
 * with an error.
 */
import type { S3Settings } from '../../config/storage/s3-settings.ts';

export type S3Call = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query: readonly (readonly [string, string])[];
};

/** Percent-encodes all but the characters that RFC 3986 leaves unreserved. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Returns the configured region, else the region in an AWS host name, as Bun's client does. */
function regionOf({ region, endpoint }: S3Settings): string {
  if (region !== undefined) return region;
  const { hostname } = new URL(endpoint);
  if (hostname.endsWith('.r2.cloudflarestorage.com')) return 'auto';
  return /(?:^|\.)s3[.-]([a-z0-9-]+)\.amazonaws\.com$/.exec(hostname)?.[1] ?? 'us-east-1';
}

/** Returns the URL and the headers of a call that is sent at `nowMs`. */
export async function signedCall(
  settings: S3Settings,
  { method, key, query }: S3Call,
  nowMs: number,
): Promise<{ readonly url: string; readonly headers: Record<string, string> }> {
  // The package is loaded when first used, because few gateways need it.
  const { AwsV4Signer } = await import('aws4fetch');
  const { bucket, endpoint, access_key_id: accessKeyId, secret_access_key: secret } = settings;
  const base = new URL(endpoint);
  const path = `${base.pathname.replace(/\/+$/, '')}/${[bucket, ...key.split('/')].map(encoded).join('/')}`;
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const url = `${base.origin}${path}${search === '' ? '' : `?${search}`}`;
  // Bodies are not hashed: TLS protects them, and the size is checked after the upload.
  const signer = new AwsV4Signer({
    ...{ method, url, accessKeyId, secretAccessKey: secret.reveal() },
    ...{ service: 's3', region: regionOf(settings) },
    datetime: new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, ''),
  });
  const { headers } = await signer.sign();
  headers.delete('host');
  return { url, headers: Object.fromEntries(headers) };
}
