/** Sends a minimal test request to an upstream to see whether callers would get an answer. */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { type JsonObject, parsedObject } from '../json/object.ts';
import type { Usage } from '../money/usage.ts';
import { openChatStream } from '../protocols/chat/stream-pass.ts';
import type { ReportedError, StreamPass, TextFormat } from '../protocols/dialect.ts';
import { openMessagesStream } from '../protocols/messages/stream-pass.ts';
import type { Quirks } from '../protocols/quirks.ts';
import { openResponsesStream } from '../protocols/responses/stream-pass.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { readErrorBody } from './error-body.ts';
import { readErrorText } from './upstream-failure.ts';

/** The output limit of the probe. Some servers refuse a lower one. */
const MAX_OUTPUT_TOKENS = 16;
/** Maximum bytes of an answer. Sixteen tokens take a few kilobytes, plus reasoning. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const QUESTION = [{ role: 'user', content: 'Say ok.' }] as const;

export type ProbeTarget = {
  readonly upstream: Upstream;
  /** The upstream's name for the model. */
  readonly model: string;
  /** The quirks of the upstream and of the route. */
  readonly quirks: Quirks;
  readonly format: TextFormat;
};

/** How the answer ended. `text` is the part that arrived. */
export type ProbeEnd =
  | { readonly kind: 'complete' }
  /** No status line came. */
  | { readonly kind: 'unanswered'; readonly thrown: unknown }
  | { readonly kind: 'refused'; readonly response: Response; readonly text: string }
  /** The upstream reported an error under a success status. */
  | { readonly kind: 'reported'; readonly error: ReportedError; readonly text: string }
  | { readonly kind: 'broken_off'; readonly thrown: unknown; readonly text: string }
  | { readonly kind: 'no_end_mark'; readonly text: string }
  /** The stream violates the protocol. */
  | { readonly kind: 'unusable'; readonly message: string; readonly text: string }
  /** The answer is valid but not streamed. */
  | { readonly kind: 'not_streamed'; readonly text: string }
  | { readonly kind: 'not_an_answer'; readonly text: string };

export type ProbeResult = {
  /** The HTTP status; null when none came. */
  readonly status: number | null;
  /** Milliseconds from the request to the status line; null when none came. */
  readonly statusMs: number | null;
  /** Milliseconds from the request to the first byte of the body; null when none came. */
  readonly firstByteMs: number | null;
  readonly usage: Usage | null;
  readonly end: ProbeEnd;
};

/** Sends the request and reads the answer within `timeoutMs`. Does not throw. */
export async function probeUpstream(
  target: ProbeTarget,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  const startMs = clock.monotonicMs();
  const since = (): number => Math.round(clock.monotonicMs() - startMs);
  const abort = new AbortController();
  const stop = (): void => abort.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = clock.after(timeoutMs, () =>
    abort.abort(new GatewayError('upstream_timeout', 'The upstream did not finish in time.')),
  );
  const result = { status: null, statusMs: null, firstByteMs: null, usage: null };
  try {
    const response = await target.upstream.send({
      format: target.format,
      body: bodyOf(target),
      stream: true,
      headers: {},
      scope: 'probe',
      traceparent: null,
      connectMs: null,
      firstByteMs: timeoutMs,
      signal: abort.signal,
      abort: (reason) => abort.abort(reason),
    });
    const answered = { ...result, status: response.status, statusMs: since() };
    if (response.ok) return { ...answered, ...(await readAnswer(response, target, since)) };
    const text = await readErrorText(response, clock);
    return { ...answered, end: { kind: 'refused', response, text } };
  } catch (thrown) {
    const { aborted, reason } = abort.signal;
    return { ...result, end: { kind: 'unanswered', thrown: aborted ? reason : thrown } };
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', stop);
    abort.abort();
  }
}

function bodyOf({ format, model, quirks }: ProbeTarget): Uint8Array<ArrayBuffer> {
  const asked = { model, ...askedIn(format, quirks), stream: true };
  const sent = Object.entries(asked).filter(([field]) => !quirks.drop.includes(field));
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
}

function askedIn(format: TextFormat, { maxTokensField, streamOptions }: Quirks): JsonObject {
  switch (format) {
    case 'chat':
      return {
        messages: QUESTION,
        [maxTokensField ?? 'max_tokens']: MAX_OUTPUT_TOKENS,
        ...(streamOptions ? { stream_options: { include_usage: true } } : {}),
      };
    case 'messages':
      return { messages: QUESTION, max_tokens: MAX_OUTPUT_TOKENS };
    case 'responses':
      return { input: QUESTION, max_output_tokens: MAX_OUTPUT_TOKENS, store: false };
  }
}

async function readAnswer(
  response: Response,
  target: ProbeTarget,
  since: () => number,
): Promise<Pick<ProbeResult, 'firstByteMs' | 'usage' | 'end'>> {
  const pass = passOf(target);
  const decoder = new TextDecoder();
  let text = '';
  let firstByteMs: number | null = null;
  let size = 0;
  const read = (end: ProbeEnd) => ({ firstByteMs, usage: pass.facts.usage, end });
  try {
    for await (const chunk of response.body ?? []) {
      firstByteMs ??= since();
      size += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      pass.push(chunk);
      if (pass.ended || pass.facts.error !== null || size > MAX_ANSWER_BYTES) break;
    }
  } catch (thrown) {
    return read({ kind: 'broken_off', thrown, text });
  }
  return read(endOf(pass, text, target.format));
}

function passOf({ format, model, quirks }: ProbeTarget): StreamPass {
  const options = { model, maxEventBytes: MAX_ANSWER_BYTES, quirks };
  switch (format) {
    case 'chat':
      return openChatStream({
        ...{ ...options, requestId: 'probe', createdSeconds: 0, includeUsage: false },
      });
    case 'messages':
      return openMessagesStream(options);
    case 'responses':
      return openResponsesStream({ ...options, response: null, echo: new Map() });
  }
}

/** The member of a non-streaming answer that holds its content. */
const CONTENT = { chat: 'choices', messages: 'content', responses: 'output' } as const;
/** Finds an error in an answer. Successful answers may contain `"error": null`. */
const HAS_ERROR = /"error"(?!\s*:\s*null)/;

function endOf(pass: StreamPass, text: string, format: TextFormat): ProbeEnd {
  const { error } = pass.facts;
  if (error !== null && HAS_ERROR.test(text)) return { kind: 'reported', error, text };
  if (pass.ended) return { kind: 'complete' };
  const reported = readErrorBody(text);
  if (reported !== null) return { kind: 'reported', error: reported, text };
  // The upstream did not report this error. The gateway's parser found it in the stream.
  if (pass.started && error !== null) return { kind: 'unusable', message: error.message, text };
  if (pass.started) return { kind: 'no_end_mark', text };
  const whole = parsedObject(text);
  const isWhole = Array.isArray(whole?.[CONTENT[format]]);
  return { kind: isWhole ? 'not_streamed' : 'not_an_answer', text };
}
