/**
 * Imitates the part of S3 that the stores use: PUT, HEAD, GET with a range, and DELETE of an
 * object, uploads in parts, and lists by prefix. Refuses all credentials except `access`.
 */
import { Secret } from '../../config/secret.ts';
import type { S3Settings } from '../../config/storage/s3-settings.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type Objects = Map<string, { readonly bytes: Bytes; readonly type: string }>;

export type LocalBucket = AsyncDisposable & {
  readonly settings: S3Settings;
  readonly objects: Objects;
  /** The uploads that have begun and were neither completed nor aborted. */
  readonly uploads: ReadonlyMap<string, ReadonlyMap<number, Bytes>>;
  /** Makes each call fail with `status` if its `METHOD path?query` contains `text`. */
  readonly failOn: (text: string, status: number) => void;
};

const NAME = 'pictures';

const xml = (text: string, status = 200): Response =>
  new Response(`<?xml version="1.0"?>${text}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  });
const failure = (code: string, status: number): Response =>
  xml(`<Error><Code>${code}</Code><Message>none</Message></Error>`, status);

export function startBucket(): LocalBucket {
  const objects: Objects = new Map();
  const uploads = new Map<string, Map<number, Bytes>>();
  const failing = new Map<string, number>();
  const bucket = { objects, uploads };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = new Uint8Array(await request.arrayBuffer());
      if (request.headers.get('authorization')?.includes('Credential=access/') !== true)
        return failure('InvalidAccessKeyId', 403);
      const call = `${request.method} ${pathname}${search}`;
      const found = [...failing].find(([text]) => call.includes(text));
      return found === undefined
        ? answerOf(bucket, request, body)
        : failure('InternalError', found[1]);
    },
  });
  return {
    objects,
    uploads,
    failOn: (text, status) => failing.set(text, status),
    settings: {
      bucket: NAME,
      endpoint: `http://127.0.0.1:${server.port}`,
      access_key_id: 'access',
      secret_access_key: new Secret('secret'),
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

type Stored = { readonly objects: Objects; readonly uploads: Map<string, Map<number, Bytes>> };

function answerOf({ objects, uploads }: Stored, request: Request, body: Bytes): Response {
  const url = new URL(request.url);
  const key = decodeURIComponent(url.pathname.slice(`/${NAME}/`.length));
  if (key === '') return listing(objects, url);
  const type = request.headers.get('content-type') ?? '';
  const upload = url.searchParams.get('uploadId');
  if (url.searchParams.has('uploads')) {
    const id = `upload-${uploads.size + 1}`;
    uploads.set(id, new Map());
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  if (upload !== null) return partOf({ objects, uploads }, { request, upload, key, body });
  if (request.method === 'PUT') {
    objects.set(key, { bytes: body, type });
    return new Response(null, { headers: { etag: '"1"' } });
  }
  if (request.method === 'DELETE') {
    objects.delete(key);
    return new Response(null, { status: 204 });
  }
  const found = objects.get(key);
  return found === undefined ? failure('NoSuchKey', 404) : objectAnswer(request, found);
}

type Part = {
  readonly request: Request;
  readonly upload: string;
  readonly key: string;
  readonly body: Bytes;
};

function partOf({ objects, uploads }: Stored, { request, upload, key, body }: Part): Response {
  const parts = uploads.get(upload);
  if (parts === undefined) return failure('NoSuchUpload', 404);
  if (request.method === 'PUT') {
    parts.set(Number(new URL(request.url).searchParams.get('partNumber')), body);
    return new Response(null, { headers: { etag: '"1"' } });
  }
  uploads.delete(upload);
  if (request.method === 'DELETE') return new Response(null, { status: 204 });
  const inOrder = [...parts].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes);
  objects.set(key, { bytes: new Uint8Array(Buffer.concat(inOrder)), type: '' });
  return xml('<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>');
}

function objectAnswer(
  request: Request,
  { bytes, type }: { readonly bytes: Bytes; readonly type: string },
): Response {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? [];
  const part = from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1);
  return new Response(request.method === 'HEAD' ? null : part, {
    status: from === undefined ? 200 : 206,
    headers: { 'content-length': `${part.length}`, 'content-type': type, etag: '"1"' },
  });
}

function listing(objects: Objects, url: URL): Response {
  const prefix = url.searchParams.get('prefix') ?? '';
  const after =
    url.searchParams.get('continuation-token') ?? url.searchParams.get('start-after') ?? '';
  const most = Number(url.searchParams.get('max-keys') ?? 1000);
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const shown = keys.slice(0, most);
  const contents = shown.map(
    (key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.bytes.length}</Size></Contents>`,
  );
  const isCut = keys.length > most;
  const next = isCut ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
  return xml(
    `<ListBucketResult><Name>${NAME}</Name><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}
