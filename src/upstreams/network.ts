/**
 * Sends one HTTP call to an upstream. Of the caller's request, only the body and the protocol's
 * headers are forwarded. A failed call is not retried here: once bytes may have been sent, the
 * upstream may have acted on them.
 */
import { type Clock, systemClock, type Timer } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import type { Egress } from './egress.ts';
import type { FormBody } from './form-body.ts';
import { isDrawing, NotSent, type UpstreamRequest } from './upstream.ts';

/** A POST request. If `upload` is set, its form is sent instead of the JSON body. */
export type PostRequest = UpstreamRequest & { readonly upload?: FormBody['stream'] };

export type NetworkOptions = {
  readonly name: string;
  readonly egress: Egress;
  /** The timeout for connecting, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** The timeout for the status line, in milliseconds, including the time to connect. */
  readonly firstByteTimeoutMs: number;
  readonly clock?: Clock;
};

/**
 * Shorter host names and API keys are not masked, because they may be plain words in any message.
 */
const MIN_HIDDEN_CHARACTERS = 4;
/**
 * Shorter parts of header values and of the path are not masked, because words such as `true` occur
 * in any message.
 */
const MIN_HIDDEN_PART_CHARACTERS = 8;

/** Maximum characters of a redirect target in an error message: enough for any endpoint URL. */
const MAX_REDIRECT_CHARS = 300;

/**
 * Returns the texts to mask in an upstream's messages: its host, the API key and other credentials.
 */
export function hiddenTexts(
  baseUrl: string,
  apiKey: Secret | null,
  headers: Readonly<Record<string, string>> = {},
): readonly string[] {
  const { host, hostname, pathname } = new URL(baseUrl);
  const whole = [host, hostname, ...(apiKey === null ? [] : [apiKey.reveal()])];
  const parts = [
    // An error message may contain a credential without its scheme, such as `Basic`.
    ...Object.values(headers).flatMap((value) => [value, ...value.split(/[\s,;=]+/)]),
    // A path may contain an account or project id. Such ids contain a digit.
    ...pathname.split('/').filter((part) => /\d/.test(part)),
  ];
  return [
    ...whole.filter((text) => text.length >= MIN_HIDDEN_CHARACTERS),
    ...new Set(parts.filter((text) => text.length >= MIN_HIDDEN_PART_CHARACTERS)),
  ];
}

/**
 * Converts header names to lower case, so that a header of the gateway replaces the operator's
 * header of the same name.
 */
export const lowerCased = (
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Posts the body or the form of a request. Resolves with the response as soon as its headers have
 * arrived.
 * @throws NotSent when the address is forbidden, unknown or unreachable, or TLS failed; or when the
 *   request was aborted before it was sent.
 * @throws GatewayError `upstream_timeout`; or `upstream_failed` when the connection broke, the
 *   answer was not HTTP, or the upstream redirected.
 * @throws the signal's reason when the request was aborted after it was sent.
 */
export function post(
  url: string,
  headers: HeadersInit,
  request: PostRequest,
  options: NetworkOptions,
): Promise<Response> {
  // An async function keeps its arguments until it ends. So the one that waits for the answer does
  // not get the request, whose body would stay in memory.
  const { format, connectMs, firstByteMs, signal, abort } = request;
  const attempt = { format, connectMs, firstByteMs, signal, abort };
  return send(url, callOf(headers, request), attempt, options);
}

type Attempt = Pick<PostRequest, 'format' | 'connectMs' | 'firstByteMs' | 'signal' | 'abort'>;
type Call = RequestInit & { readonly timeout: false; readonly decompress: false };

async function send(
  url: string,
  call: Call,
  attempt: Attempt,
  options: NetworkOptions,
): Promise<Response> {
  const { signal, format, abort } = attempt;
  const { egress } = options;
  const connectMs = attempt.connectMs ?? options.connectTimeoutMs;
  signal.throwIfAborted();
  const permission = egress.permission();
  if (permission !== null) await permission;
  if (isDrawing(format)) await requirePresence(egress, connectMs);
  if (signal.aborted) throw endedBefore(signal);
  const deadlines = new Deadlines(attempt, connectMs, options);
  try {
    const response = await fetch(url, call);
    egress.seen();
    if (response.status >= 300 && response.status < 400) {
      const refused = redirected(response, options.name);
      abort(refused);
      throw refused;
    }
    return decompressed(response);
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown instanceof GatewayError ? thrown : failureOf(thrown, options.name);
  } finally {
    deadlines.stop();
  }
}

function callOf(headers: HeadersInit, { upload, body, stream, signal }: PostRequest): Call {
  const streamedBytes = stream ? STREAMED_BYTES : STREAMED_BYTES_OF_WHOLE;
  const isStreamed = upload === undefined && body.byteLength >= streamedBytes;
  return {
    method: 'POST',
    headers: isStreamed ? withLength(headers, body.byteLength) : headers,
    body: isStreamed ? streamOf(body) : (upload?.() ?? body),
    signal,
    // Redirects are not followed, because they could send the operator's key to another host.
    redirect: 'manual',
    // Disables Bun's timeout of five minutes, which would interrupt a long stream. The gateway
    // has its own deadlines.
    timeout: false,
    decompress: false,
  };
}

/**
 * Bodies of at least this size are sent as a stream if the answer is a stream. The runtime keeps
 * any other body in memory until the answer ends. Smaller bodies are not worth the 20 µs that a
 * stream takes.
 */
const STREAMED_BYTES = 32 * 1024;
/**
 * The same for other answers. They are waited for while the caller's bytes are kept for another
 * attempt, so less is gained.
 */
const STREAMED_BYTES_OF_WHOLE = 128 * 1024;

/** Returns a stream of these bytes, which are released once they are passed to the connection. */
function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let unsent: Uint8Array | null = bytes;
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull: (controller) => {
      if (unsent !== null) controller.write(unsent);
      unsent = null;
      controller.end();
    },
  };
  // The standard types lack the runtime's `direct`, which costs less than a standard stream.
  const untyped: object = source;
  return new ReadableStream(untyped);
}

/** The length of a stream is unknown to the runtime, which would send it in chunks without it. */
function withLength(headers: HeadersInit, byteLength: number): Headers {
  const all = new Headers(headers);
  all.set('content-length', String(byteLength));
  return all;
}

/** The formats in which servers compress answers, although the gateway requests none. */
const FORMATS: ReadonlyMap<string, 'gzip' | 'deflate' | 'brotli' | 'zstd'> = new Map([
  ['gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'brotli'],
  ['zstd', 'zstd'],
]);

/**
 * Decompresses an answer while it is read. The runtime must not do it (`decompress: false`): it
 * would decompress all that has arrived at once, and 3 kB can contain gigabytes.
 */
export function decompressed(response: Response): Response {
  const { status, headers } = response;
  const format = FORMATS.get((headers.get('content-encoding') ?? '').toLowerCase());
  if (format === undefined || response.body === null) return response;
  // The types lack the formats `brotli` and `zstd`, which the runtime has.
  const steps = new DecompressionStream(format as CompressionFormat);
  return new Response(response.body.pipeThrough(steps), { status, headers });
}

/** Builds the headers of calls to one upstream. The headers of most calls are cached. */
export class CallHeaders {
  readonly #own: Readonly<Record<string, string>>;
  readonly #last: Readonly<Record<string, string>>;
  readonly #usual: { readonly json: Headers; readonly stream: Headers };

  /**
   * @param own the upstream's headers. If a request has a header of the same name, the request's
   *   header is sent.
   * @param last headers such as the API key. They are sent even if a request has headers of the
   *   same name.
   */
  constructor(own: Readonly<Record<string, string>>, last: Readonly<Record<string, string>>) {
    this.#own = own;
    this.#last = last;
    this.#usual = {
      json: new Headers(this.#with({}, false)),
      stream: new Headers(this.#with({}, true)),
    };
  }

  /**
   * Returns the headers of a call.
   * @param headers the headers of this request. They replace the upstream's headers of the same
   *   name.
   */
  for({ stream, traceparent }: UpstreamRequest, headers: UpstreamRequest['headers']): HeadersInit {
    if (traceparent === null && this.#areOwn(headers))
      return stream ? this.#usual.stream : this.#usual.json;
    const made = this.#with(headers, stream);
    return traceparent === null ? made : { ...made, traceparent };
  }

  /** Whether all headers of the request are in the upstream's own headers, with the same values. */
  #areOwn(headers: UpstreamRequest['headers']): boolean {
    for (const name in headers) if (headers[name] !== this.#own[name]) return false;
    return true;
  }

  #with(headers: UpstreamRequest['headers'], isStream: boolean): Record<string, string> {
    return {
      'user-agent': 'modelgate',
      ...this.#own,
      ...headers,
      ...this.#last,
      'content-type': 'application/json',
      // Requests an uncompressed stream, because the gateway reads it to meter the tokens.
      'accept-encoding': 'identity',
      accept: isStream ? 'text/event-stream' : 'application/json',
    };
  }
}

function redirected(response: Response, name: string): GatewayError {
  return new GatewayError(
    'upstream_failed',
    'The provider answered with a redirect, which is refused.',
    { cause: new Error(`upstream "${name}" answered ${redirectOf(response)}`) },
  );
}

/** Describes a redirect. Its target often shows what is wrong with the configured URL. */
function redirectOf({ status, headers, url }: Response): string {
  const location = headers.get('location') ?? '';
  if (!URL.canParse(location, url)) return String(status);
  // The query is left out, since it may contain a token.
  const { origin, pathname } = new URL(location, url);
  return `${status}, which leads to ${origin}${pathname}`.slice(0, MAX_REDIRECT_CHARS);
}

/**
 * Checks that the upstream's host accepts connections. It is called before an image is requested.
 * Once the request may have been sent, no other upstream may be called, because both would bill the
 * image.
 */
async function requirePresence(egress: Egress, withinMs: number): Promise<void> {
  if (await egress.isThere(Number.POSITIVE_INFINITY, withinMs)) return;
  throw new NotSent('The provider could not be reached.', {
    cause: new Error(`no connection within ${withinMs} ms`),
  });
}

const endedBefore = ({ reason }: AbortSignal): NotSent =>
  new NotSent('The request was canceled before it was sent.', { cause: reason });

/** The two deadlines of a call, for connecting and for the status line. They share one timer. */
class Deadlines {
  readonly #request: Attempt;
  readonly #options: NetworkOptions;
  readonly #clock: Clock;
  readonly #connectMs: number;
  readonly #firstByteMs: number;
  readonly #sinceMs: number;
  #timer: Timer | null;

  constructor(request: Attempt, connectMs: number, options: NetworkOptions) {
    this.#request = request;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#connectMs = connectMs;
    this.#firstByteMs = request.firstByteMs ?? options.firstByteTimeoutMs;
    this.#sinceMs = this.#clock.monotonicMs();
    // An image request needs no test connection, because `requirePresence` has checked the host
    // before.
    const isTested = isDrawing(request.format) || this.#knockMs >= this.#firstByteMs;
    this.#timer = isTested
      ? this.#clock.after(this.#firstByteMs, () => this.#noAnswer())
      : this.#clock.after(this.#knockMs, () => this.#knock());
  }

  /** Cancels the deadlines. Called when the status line has arrived or the call has failed. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /**
   * A call without an answer opens a test connection after this time, which is half of the connect
   * timeout. The test is needed because the runtime does not report when a connection succeeds.
   */
  get #knockMs(): number {
    return this.#connectMs / 2;
  }

  #knock(): void {
    const leftMs = this.#firstByteMs - this.#knockMs;
    this.#timer = this.#clock.after(leftMs, () => this.#noAnswer());
    const withinMs = this.#connectMs - this.#knockMs;
    void this.#options.egress.isThere(this.#sinceMs, withinMs).then((isThere) => {
      // The error is not `NotSent`, because the request may have been sent on an older connection.
      const what = `no connection within ${this.#connectMs} ms`;
      if (!isThere) this.#abort('The provider could not be reached in time.', what);
    });
  }

  #noAnswer(): void {
    this.#abort('The provider did not answer in time.', `no answer within ${this.#firstByteMs} ms`);
  }

  #abort(message: string, what: string): void {
    if (this.#timer === null) return;
    const cause = new Error(`upstream "${this.#options.name}": ${what}`);
    this.#request.abort(new GatewayError('upstream_timeout', message, { cause }));
  }
}

/** Error codes that prove that nothing was sent, because there was no connection or TLS failed. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPROTO|\w*CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+)$/;

function failureOf(thrown: unknown, name: string): GatewayError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const cause = new Error(`upstream "${name}": ${code || String(thrown)}`, { cause: thrown });
  if (NEVER_SENT.test(code)) return new NotSent('The provider could not be reached.', { cause });
  return new GatewayError(
    'upstream_failed',
    'The connection to the provider broke before an answer.',
    {
      cause,
    },
  );
}
