/**
 * Uploads an object in parts. Only one part is in memory, and a failed upload leaves nothing in the
 * bucket.
 */
import type { Clock } from '../../clock.ts';
import type { S3Settings } from '../../config/storage/s3-settings.ts';
import { type S3Call, signedCall } from './signed-call.ts';

/** Maximum attempts of a call if the server or the network fails. */
const ATTEMPTS = 4;
const PAUSE_MS = 500;
/** The time limit of one call, such as the upload of one part. */
const CALL_MS = 10 * 60_000;
const MAX_ANSWER_CHARS = 64 * 1024;
const LEAST_SERVER_ERROR = 500;

/** An S3 or network error. `code` is its code, such as `AccessDenied`. */
export class S3Failure extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type UploadOptions = {
  readonly settings: S3Settings;
  readonly key: string;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
};

type Body = Uint8Array<ArrayBuffer> | string | null;

/**
 * Stores the parts as one object or not at all. Returns the object's size in bytes.
 * @throws S3Failure
 */
export async function upload(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
  options: UploadOptions,
): Promise<number> {
  const { settings, key } = options;
  const begun = await call(options, { method: 'POST', key, query: [['uploads', '']] }, null);
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(begun.text)?.[1];
  if (id === undefined) throw new S3Failure('NoUploadId', `${settings.endpoint} began no upload`);
  try {
    const tags: string[] = [];
    let bytes = 0;
    for await (const part of parts) {
      const query = [['partNumber', String(tags.length + 1)] as const, ['uploadId', id] as const];
      const { etag } = await call(options, { method: 'PUT', key, query }, part);
      tags.push(etag);
      bytes += part.byteLength;
    }
    const listed = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
    const done = await call(options, { method: 'POST', key, query: [['uploadId', id]] }, body);
    // S3 may answer with status 200 and then report an error in the body.
    if (done.text.includes('<Error>')) throw failureIn(done.text, 'the upload was not completed');
    return bytes;
  } catch (thrown) {
    // Without the abort, the uploaded parts would stay in the bucket, invisible but paid for. If
    // the abort fails too, only the first failure is reported.
    const abort = { method: 'DELETE', key, query: [['uploadId', id]] } as const;
    await call(options, abort, null).catch(() => undefined);
    throw thrown;
  }
}

type Answer = { readonly text: string; readonly etag: string };

async function call(options: UploadOptions, asked: S3Call, body: Body): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await sent(options, asked, body);
    if (!(answer instanceof S3Failure)) return answer;
    if (attempt === ATTEMPTS || !(answer instanceof Repeatable)) throw answer;
    await options.clock.sleep(PAUSE_MS * attempt);
  }
}

/** A failure of the server or the network. Only after such a failure is the call repeated. */
class Repeatable extends S3Failure {}

async function sent(
  { settings, clock }: UploadOptions,
  asked: S3Call,
  body: Body,
): Promise<Answer | S3Failure> {
  const { url, headers } = await signedCall(settings, asked, clock.nowMs());
  try {
    const response = await fetch(url, {
      ...{ method: asked.method, headers, body, redirect: 'error' },
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = (await response.text()).slice(0, MAX_ANSWER_CHARS);
    if (response.ok) return { text, etag: response.headers.get('etag') ?? '' };
    const failure = failureIn(text, `status ${response.status}`);
    return response.status < LEAST_SERVER_ERROR
      ? failure
      : new Repeatable(failure.code, failure.message);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
    return new Repeatable(code, `${settings.endpoint} could not be reached`, { cause });
  }
}

const failureIn = (text: string, otherwise: string): S3Failure =>
  new S3Failure(/<Code>([^<]+)<\/Code>/.exec(text)?.[1] ?? otherwise, otherwise);
