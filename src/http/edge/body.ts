/** Reads request bodies within their limits: counts bytes and scans JSON while they arrive. */
import { nextTurn } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { JsonScan, type ScannedObject, scanWhole } from '../../json/scan.ts';
import type { ScanLimits } from '../../json/scan-limits.ts';
import { SMALL_BYTES } from '../../json/small-scan.ts';
import type { BodyShare } from './request-bytes.ts';

export const MAX_JSON_DEPTH = 64;
/** Maximum top-level fields, far more than any protocol has. Each unknown field costs a lookup. */
export const MAX_BODY_FIELDS = 256;
/** Maximum bytes of an object key. It leaves room for URLs, which tool inputs may use as keys. */
export const MAX_KEY_BYTES = 1024;
/**
 * Maximum JSON values of a conversation. A conversation of a million tokens has about as many, at
 * 24 values per 400 tokens.
 */
export const MAX_CONVERSATION_VALUES = 60_000;
const MAX_DOCUMENT_VALUES = 600_000;
/** Maximum JSON values of a body that may contain lists of tokens, such as for embeddings. */
export const MAX_TOKENS = 1_000_000;
/** Maximum JSON values of every other body. */
export const MAX_VALUES = 10_000;
/**
 * Maximum bytes outside of long strings. A text of a million tokens has about as many bytes, and
 * parsing them takes 15 ms.
 */
export const MAX_STRUCTURE_BYTES = 4 * 1024 * 1024;
/** Maximum number of escapes: enough for a million tokens of Chinese text. */
export const MAX_ESCAPES = 2_000_000;
/** Maximum escapes in keys and short strings, which are all parsed, at 50 ns per escape. */
export const MAX_SHORT_ESCAPES = 250_000;
/** A body above this size is read in short steps, between which other requests run. */
const LONG_READ_BYTES = 128 * 1024;
/**
 * The number of bytes that parsing allocates per JSON value: for a cell, a slot in its container
 * and a short string.
 */
export const BYTES_PER_VALUE = 256;
/** Maximum body size of routes that set no limit of their own. */
export const MAX_BODY_BYTES = 1024 * 1024;
/**
 * Maximum size of a body that is read in one call. Reading it in chunks takes four times as long.
 */
const READ_AT_ONCE_BYTES = 8 * 1024 * 1024;
/** A scan lets other requests run after this many bytes, which take milliseconds to scan. */
const LONG_SCAN_BYTES = 128 * 1024;
const FIRST_BUFFER_BYTES = 64 * 1024;

/** The memory that is reserved for the body of one request. */
type Share = Pick<BodyShare, 'reserve' | 'inTime' | 'receivedBytes'>;
type OnBytes = (buffer: Uint8Array<ArrayBuffer>, end: number) => void;
const ignore: OnBytes = () => {};

/**
 * Reads a body of at most `maxBytes`, and passes its bytes to `onBytes` as they arrive.
 * @throws GatewayError `request_too_large`, `caller_left` if the connection closes early or the
 * body is late, `rate_limit_exceeded` if the memory for all bodies is used up or too many bodies of
 * the caller's address are slow.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  share: Share,
  onBytes: OnBytes = ignore,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = declaredLength(request);
  if (declared !== null && declared > maxBytes) throw tooLarge(maxBytes);
  if (declared !== null) share.reserve(declared);
  // `request.body` is avoided: merely accessing the stream makes reading several times slower.
  if (declared !== null && declared <= READ_AT_ONCE_BYTES) {
    const bytes = await readAtOnce(request, share, declared, unchanged);
    if (onBytes !== ignore) await inTurns(bytes, 0, bytes.byteLength, onBytes);
    return bytes;
  }
  if (request.body === null) return new Uint8Array(0);
  const first = new Uint8Array(declared ?? Math.min(FIRST_BUFFER_BYTES, maxBytes));
  share.reserve(first.byteLength);
  const collected = collect(request.body, first, maxBytes, share, (buffer, end) => {
    share.receivedBytes = end;
    onBytes(buffer, end);
  });
  return await share.inTime(collected, (thrown) => thrown, unchanged);
}

/** Reads a body of the declared length. Resolves with the result of `convert` for its bytes. */
function readAtOnce<Result>(
  request: Request,
  share: Share,
  declared: number,
  convert: (bytes: Uint8Array<ArrayBuffer>) => Result,
): Promise<Result> {
  share.receivedBytes = declared;
  return share.inTime(request.bytes(), callerLeft, convert);
}

const unchanged = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => bytes;

/** Passes new bytes to `onBytes` in pieces, and lets other requests run after each piece. */
async function inTurns(
  buffer: Uint8Array<ArrayBuffer>,
  from: number,
  to: number,
  onBytes: OnBytes,
): Promise<void> {
  for (let end = from + LONG_SCAN_BYTES; end < to; end += LONG_SCAN_BYTES) {
    onBytes(buffer, end);
    await nextTurn();
  }
  onBytes(buffer, to);
}

/**
 * Converts a read error to `caller_left`, because a failed read means that the caller disconnected.
 */
async function orCallerLeft<Read>(reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (cause) {
    throw callerLeft(cause);
  }
}

const callerLeft = (cause: unknown): GatewayError =>
  new GatewayError('caller_left', 'The connection closed before the request body was complete.', {
    cause,
  });

/**
 * Reads a body and scans it as a JSON object. Rejects with GatewayError `unsupported_media_type`,
 * `invalid_json`, or one from `readBody`.
 */
export const readScanned = (
  request: Request,
  maxBytes: number,
  share: Share,
  limits = limitsOf(maxBytes),
): Promise<ScannedObject> => scanned(request, maxBytes, share, refuseEmpty, limits);

/** Always throws, because an empty body is not JSON. @throws GatewayError `invalid_json`. */
const refuseEmpty = (): ScannedObject => scanWhole(new Uint8Array(0), BODY_LIMITS);

/**
 * Reads and scans a body. It is not an async function, because another promise would slow every
 * request.
 * @param ifEmpty returns the result for an empty body.
 */
function scanned<Empty>(
  request: Request,
  maxBytes: number,
  share: Share,
  ifEmpty: () => Empty,
  limits: ScanLimits,
): Promise<ScannedObject | Empty> {
  try {
    requireJson(request);
    const declared = declaredLength(request);
    if (declared === null || declared > Math.min(SMALL_BYTES, maxBytes))
      return scannedInTurns(request, maxBytes, share, limits).then((object) => object ?? ifEmpty());
    share.reserve(declared);
    return readAtOnce(request, share, declared, (bytes) =>
      bytes.byteLength === 0 ? ifEmpty() : reserved(scanWhole(bytes, limits), share),
    );
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/** Scans a body while it arrives, so that a large one does not block other requests. */
async function scannedInTurns(
  request: Request,
  maxBytes: number,
  share: Share,
  limits: ScanLimits,
): Promise<ScannedObject | null> {
  const scan = new JsonScan(limits);
  const bytes = await readBody(request, maxBytes, share, (buffer, end) =>
    scan.advance(buffer, end),
  );
  if (bytes.byteLength === 0) return null;
  if (bytes.byteLength > LONG_SCAN_BYTES) await nextTurn();
  return reserved(scan.finish(bytes, bytes.byteLength), share);
}

/** Reserves the memory that parsing an object takes. @throws as `BodyShare.reserve`. */
function reserved(object: ScannedObject, share: Pick<Share, 'reserve'>): ScannedObject {
  // A body that exceeds the values of a conversation is an administrator's configuration, or has
  // lists of tokens, which are not parsed.
  const parsedValues = Math.min(object.values, MAX_CONVERSATION_VALUES);
  share.reserve(object.bytes.byteLength + parsedValues * BYTES_PER_VALUE);
  return object;
}

/**
 * Scans a body that the gateway made to replace the received one. Only the widest limits apply,
 * because the received body was already within the limits of its route. The share of memory grows
 * if the new body needs more.
 * @throws as `readScanned`.
 */
export const scanMade = (
  bytes: Uint8Array<ArrayBuffer>,
  share: Pick<Share, 'reserve'>,
): Promise<ScannedObject> => scanBytes(bytes, share, TOKEN_LIST_LIMITS);

/** Scans bytes that are in memory. Lets other requests run between the steps. */
async function scanBytes(
  bytes: Uint8Array<ArrayBuffer>,
  share: Pick<Share, 'reserve'>,
  limits: ScanLimits,
): Promise<ScannedObject> {
  share.reserve(bytes.byteLength);
  const scan = new JsonScan(limits);
  await inTurns(bytes, 0, bytes.byteLength, (buffer, end) => scan.advance(buffer, end));
  return reserved(scan.finish(bytes, bytes.byteLength), share);
}

/** Whether a body is so long that other requests must run between the steps of reading it. */
export const isLong = ({ bytes }: ScannedObject): boolean => bytes.byteLength > LONG_READ_BYTES;

/** Returns the default limits of a route: those of a conversation if it allows large bodies. */
const limitsOf = (maxBytes: number): ScanLimits =>
  maxBytes > MAX_BODY_BYTES ? CONVERSATION_LIMITS : BODY_LIMITS;

const BODY_LIMITS: ScanLimits = {
  maxDepth: MAX_JSON_DEPTH,
  maxValues: MAX_VALUES,
  maxMembers: MAX_BODY_FIELDS,
  maxKeyBytes: MAX_KEY_BYTES,
  uniqueKeys: true,
  maxStructureBytes: MAX_STRUCTURE_BYTES,
  maxEscapes: MAX_ESCAPES,
  maxShortEscapes: MAX_SHORT_ESCAPES,
};
const CONVERSATION_LIMITS: ScanLimits = { ...BODY_LIMITS, maxValues: MAX_CONVERSATION_VALUES };
/** The limits of whole configurations (thousands of models), which only administrators send. */
export const DOCUMENT_LIMITS: ScanLimits = {
  ...BODY_LIMITS,
  maxValues: MAX_DOCUMENT_VALUES,
  maxStructureBytes: 2 * MAX_STRUCTURE_BYTES,
};
/** The limits of bodies with lists of tokens, which are not parsed. */
export const TOKEN_LIST_LIMITS: ScanLimits = { ...BODY_LIMITS, maxValues: MAX_TOKENS };

function requireJson(request: Request): void {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new GatewayError(
      'unsupported_media_type',
      `Content-Encoding is ${encoding.slice(0, 80)}; send the body uncompressed.`,
    );
  }
  const type = request.headers.get('content-type');
  if (
    type === null ||
    type === 'application/json' ||
    /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
  )
    return;
  throw new GatewayError(
    'unsupported_media_type',
    `Content-Type is ${type.slice(0, 80)}; send the body as application/json.`,
  );
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  first: Uint8Array<ArrayBuffer>,
  maxBytes: number,
  share: Share,
  onBytes: OnBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = first;
  let end = 0;
  let turnEnd = LONG_SCAN_BYTES;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await orCallerLeft(reader.read());
    if (done) return buffer.subarray(0, end);
    const needed = end + value.byteLength;
    try {
      if (needed > maxBytes) throw tooLarge(maxBytes);
      if (needed > buffer.byteLength) {
        const length = Math.min(maxBytes, Math.max(buffer.byteLength * 2, needed));
        share.reserve(length);
        const larger = new Uint8Array(length);
        larger.set(buffer.subarray(0, end));
        buffer = larger;
      }
      buffer.set(value, end);
      await inTurns(buffer, end, needed, onBytes);
      end = needed;
      // While chunks that have already arrived are read, no other request runs. So the loop yields
      // explicitly.
      if (end >= turnEnd) {
        await nextTurn();
        turnEnd = end + LONG_SCAN_BYTES;
      }
    } catch (refusal) {
      await reader.cancel();
      throw refusal;
    }
  }
}

function declaredLength(request: Request): number | null {
  const header = request.headers.get('content-length');
  return header === null || !/^\d{1,15}$/.test(header) ? null : Number(header);
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    'request_too_large',
    `The request body exceeds the limit of ${maxBytes} bytes for this endpoint. Send less.`,
  );
}

/**
 * Parses a body. An empty body counts as `{}`, so that the schema reports which field is missing.
 * @throws GatewayError from `readScanned`.
 */
export async function readJson(
  request: Request,
  maxBytes: number,
  share: Share,
  limits = limitsOf(maxBytes),
): Promise<Record<string, unknown>> {
  const object = await scanned(request, maxBytes, share, () => null, limits);
  return object === null ? {} : parseScanned(object);
}

/** Parses a body that was already read. Returns and throws the same as `readJson`. */
export async function jsonIn(
  bytes: Uint8Array<ArrayBuffer>,
  request: Request,
  maxBytes: number,
  share: Pick<Share, 'reserve'>,
  limits = limitsOf(maxBytes),
): Promise<Record<string, unknown>> {
  requireJson(request);
  return bytes.byteLength === 0 ? {} : parseScanned(await scanBytes(bytes, share, limits));
}

/** @throws GatewayError `invalid_json`. */
export function parseScanned({ bytes }: ScannedObject): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new GatewayError('invalid_json', `The body is not valid JSON: ${String(cause)}`, {
      cause,
    });
  }
}
