/**
 * Compresses answers for browsers and tools, by `Accept-Encoding`. Only answers to GET are
 * compressed: other answers are short, except those of inference, which are passed on as they are.
 * Secrets (a new key, a one-time link) are only in answers to POST, so the length of a compressed
 * answer cannot reveal one.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import type { Route } from './route.ts';

export type Encoding = 'br' | 'gzip';

/** The minimum size in bytes of a compressed body. A shorter body fits into one packet anyway. */
const MIN_BYTES = 1024;
/** The best quality that takes less than a millisecond for 100 kB. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;
/**
 * How many answers are compressed at a time. Others wait, because the text of an answer is in
 * memory twice while it is compressed, and the list of models may have 10 MB.
 */
const LANES = 4;
const TEXT = /^(?:application\/jsonl?|text\/(?!event-stream))/;
/** The types of answers that are made in memory, so that their length can be counted for HEAD. */
const PAGE = /^(?:application\/(?:json\b|xml)|text\/(?!event-stream|csv))/;
const FILE = /^(?:text\/csv|application\/jsonl)/;

/** Compresses on a thread of the runtime, so that other requests are not delayed. */
export const compress: Readonly<
  Record<Encoding, (bytes: Uint8Array, quality?: number) => Promise<Uint8Array<ArrayBuffer>>>
> = {
  br: (bytes, quality = BROTLI_QUALITY) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes, level = GZIP_LEVEL) => promisify(gzip)(bytes, { level }),
};

/** Returns a function that says whether `Accept-Encoding` accepts an encoding. */
export function acceptedBy(header: string | null): (encoding: Encoding) => boolean {
  const takes = new Map(
    parseAccept((header ?? '').toLowerCase()).map(({ type, q }) => [type, q > 0]),
  );
  return (encoding) => takes.get(encoding) ?? takes.get('*') ?? false;
}

/** Whether the answers of a route are compressed: those to GET, except on inference routes. */
export const isCompressed = ({ method, endpoint }: Route): boolean =>
  method === 'GET' && endpoint === undefined;

/**
 * Compresses a long text response if the request accepts it: with Brotli, or else with gzip; a file
 * only with gzip. Returns every other response unchanged. The answer to HEAD has the same headers
 * as the answer to GET, also the length of the body that is not sent.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (request.method !== 'HEAD') return await encoded(request, response, type);
  if (!PAGE.test(type) || response.body === null) return response;
  const answer = await encoded(request, response, type);
  const { status, headers } = answer;
  headers.set('content-length', String((await answer.bytes()).byteLength));
  return new Response(null, { status, headers });
}

async function encoded(request: Request, response: Response, type: string): Promise<Response> {
  const { headers, status, body } = response;
  const isNegotiated = headers.get('vary')?.includes('accept-encoding') ?? false;
  if (isNegotiated || (!TEXT.test(type) && status !== 304)) return response;
  headers.append('vary', 'accept-encoding');
  if (status !== 200 || body === null) return response;
  const accepts = acceptedBy(request.headers.get('accept-encoding'));
  // A file may be long, so it is compressed as a stream and never held in memory as a whole.
  if (FILE.test(type)) {
    if (!accepts('gzip')) return response;
    return encodedAs('gzip', body.pipeThrough(new CompressionStream('gzip')), headers);
  }
  const encoding = accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : null;
  if (encoding === null) return response;
  return await inLane(async () => {
    const bytes = await response.bytes();
    return bytes.byteLength < MIN_BYTES
      ? new Response(bytes, { headers })
      : encodedAs(encoding, await compress[encoding](bytes), headers);
  });
}

/** The last compression of each lane. */
const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
let nextLane = 0;

/** Does the work after the earlier work of its lane. */
function inLane<Result>(work: () => Promise<Result>): Promise<Result> {
  const lane = nextLane;
  nextLane = (nextLane + 1) % LANES;
  const result = (lanes[lane] ?? Promise.resolve()).then(work);
  lanes[lane] = result.catch(() => {});
  return result;
}

function encodedAs(encoding: Encoding, body: BodyInit, headers: Headers): Response {
  headers.set('content-encoding', encoding);
  headers.delete('content-length');
  // A strong entity tag would promise the same bytes in every encoding, so the tag becomes weak.
  const tag = headers.get('etag');
  if (tag !== null && !tag.startsWith('W/')) headers.set('etag', `W/${tag}`);
  return new Response(body, { headers });
}
