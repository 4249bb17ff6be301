/**
 * One tiny call that shows an operator whether an upstream works as it is configured: how soon it
 * answers, what it counts, and in plain words what is wrong. Nothing here is for callers: hosts and the
 * upstream's own words are shown, keys are not.
 */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { asJsonObject, type JsonObject } from '../json/object.ts';
import type { Usage } from '../money/usage.ts';
import { reportedError as chatError } from '../protocols/chat/errors.ts';
import { usageFromChat } from '../protocols/chat/usage.ts';
import type { ReportedError, TextFormat } from '../protocols/dialect.ts';
import { reportedError as messagesError } from '../protocols/messages/errors.ts';
import { mergeUsage, usageFromMessages } from '../protocols/messages/usage.ts';
import type { Quirks } from '../protocols/quirks.ts';
import { SseReader } from '../protocols/sse.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { readErrorBody } from './error-body.ts';
import { maskKeys, maskTexts, printable } from './masking.ts';
import { readErrorText, refusalOf } from './upstream-failure.ts';
import {
  brokenOffProblem,
  type CheckPlace,
  refusalProblem,
  unansweredProblem,
} from './upstream-problem.ts';

/** The least that every server takes: some refuse a limit below it. */
const MAX_OUTPUT_TOKENS = 16;
/** A model that has to be loaded first takes this long. */
const TIMEOUT_MS = 60_000;
/** Sixteen tokens are a few kilobytes, and reasoning comes on top. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_RAW_CHARS = 2_000;

const QUESTION = [{ role: 'user', content: 'Say ok.' }] as const;

export type CheckTarget = {
  readonly upstream: Upstream;
  /** The model's name there. */
  readonly model: string;
  /** In force for this model. */
  readonly quirks: Quirks;
  readonly format: TextFormat;
  readonly place: CheckPlace;
};

export type CheckResult = {
  readonly format: TextFormat;
  /** null: none came. */
  readonly status: number | null;
  /** Milliseconds from the request to the status line, and to the first byte of the body. */
  readonly statusMs: number | null;
  readonly firstByteMs: number | null;
  readonly usage: Usage | null;
  /** What is wrong and what to do; null: it is well. */
  readonly problem: string | null;
  /** What the upstream itself said of it. */
  readonly raw: string | null;
};

/** Never throws for what an upstream does. */
export async function checkUpstream(target: CheckTarget, clock: Clock): Promise<CheckResult> {
  const { upstream, model, format, place } = target;
  const startMs = clock.monotonicMs();
  const since = (): number => Math.round(clock.monotonicMs() - startMs);
  const result = {
    format,
    status: null,
    statusMs: null,
    firstByteMs: null,
    usage: null,
    raw: null,
  };
  const giveUp = new AbortController();
  const timer = clock.after(TIMEOUT_MS, () =>
    giveUp.abort(new GatewayError('upstream_timeout', 'The upstream did not finish in time.')),
  );
  try {
    const response = await upstream.send({
      format,
      body: bodyOf(target),
      stream: true,
      headers: {},
      scope: 'upstream-test',
      traceparent: null,
      connectMs: null,
      firstByteMs: TIMEOUT_MS,
      signal: giveUp.signal,
    });
    const answered = { ...result, status: response.status, statusMs: since() };
    if (!response.ok) {
      const text = await readErrorText(response, clock);
      const refusal = refusalOf(response.status, readErrorBody(text));
      const problem = refusalProblem(refusal, text, { model, format, place });
      return { ...answered, problem, raw: rawOf(text, target) };
    }
    const read = await readAnswer(response, target, since);
    return { ...answered, ...read, raw: read.raw === null ? null : rawOf(read.raw, target) };
  } catch (thrown) {
    return { ...result, statusMs: null, problem: unansweredProblem(thrown, place) };
  } finally {
    timer.cancel();
    giveUp.abort();
  }
}

/** The least request that shows how the server answers: a stream, as most callers want one. */
function bodyOf({ format, model, quirks }: CheckTarget): Uint8Array<ArrayBuffer> {
  const limit = format === 'messages' ? 'max_tokens' : (quirks.maxTokensField ?? 'max_tokens');
  const body = {
    model,
    messages: QUESTION,
    [limit]: MAX_OUTPUT_TOKENS,
    stream: true,
    ...(format === 'chat' && quirks.streamOptions
      ? { stream_options: { include_usage: true } }
      : {}),
  };
  const sent = Object.entries(body).filter(([field]) => !quirks.drop.includes(field));
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
}

type Read = Pick<CheckResult, 'firstByteMs' | 'usage' | 'problem' | 'raw'>;

async function readAnswer(
  response: Response,
  target: CheckTarget,
  since: () => number,
): Promise<Read> {
  const events = new SseReader({ maxEventBytes: MAX_ANSWER_BYTES });
  const facts = new Facts(target);
  const decoder = new TextDecoder();
  let text = '';
  let firstByteMs: number | null = null;
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      firstByteMs ??= since();
      size += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      for (const { name, data } of events.push(chunk)) facts.take(name, data);
      if (facts.isOver || size > MAX_ANSWER_BYTES) break;
    }
  } catch (thrown) {
    return { firstByteMs, usage: facts.usage, problem: brokenOffProblem(thrown), raw: text };
  }
  return { firstByteMs, usage: facts.usage, ...verdictOf(facts, text, target) };
}

function verdictOf(facts: Facts, text: string, target: CheckTarget): Pick<Read, 'problem' | 'raw'> {
  if (facts.error !== null) {
    const { type, code, message } = facts.error;
    const refusal = refusalOf(null, { type, code, message, param: null });
    return { problem: refusalProblem(refusal, message, target), raw: text };
  }
  if (facts.isOver && facts.isAnswer) return { problem: null, raw: null };
  const reported = readErrorBody(text);
  if (reported !== null) {
    return { problem: refusalProblem(refusalOf(null, reported), text, target), raw: text };
  }
  const problem = facts.isAnswer
    ? 'Its stream ended without an end mark: it broke off, or is cut by a proxy.'
    : noStreamProblem(text, target.format);
  return { problem, raw: text };
}

function noStreamProblem(text: string, format: TextFormat): string {
  const whole = parsed(text);
  if (Array.isArray(whole?.[format === 'chat' ? 'choices' : 'content'])) {
    return 'It answered in one piece where a stream was asked for. Check that it can stream, and that no proxy there gathers streams.';
  }
  const protocol = format === 'chat' ? 'chat completions' : 'Messages';
  return `What it answered is no stream of the ${protocol} protocol. Check base_url and protocol, and that no web page or proxy stands there.`;
}

/** What the events of a stream come to. */
class Facts {
  /** Whether any of it was an event of the protocol. */
  isAnswer = false;
  isOver = false;
  error: ReportedError | null = null;
  #usage: JsonObject | null = null;
  readonly #target: CheckTarget;

  constructor(target: CheckTarget) {
    this.#target = target;
  }

  get usage(): Usage | null {
    return this.#target.format === 'chat'
      ? usageFromChat(this.#usage, this.#target.quirks)
      : usageFromMessages(this.#usage);
  }

  take(name: string | null, data: Uint8Array): void {
    const text = new TextDecoder().decode(data);
    if (this.#target.format === 'chat') this.#takeChat(name, text);
    else this.#takeMessages(text);
  }

  #takeChat(name: string | null, text: string): void {
    if (text.trim() === '[DONE]') {
      this.isOver = true;
      return;
    }
    const json = parsed(text);
    if (json === null) return;
    this.error ??= chatError(json, name);
    this.isAnswer ||= Array.isArray(json['choices']);
    this.#usage = asJsonObject(json['usage']) ?? this.#usage;
  }

  #takeMessages(text: string): void {
    const json = parsed(text);
    switch (json?.['type']) {
      case 'message_start':
        this.isAnswer = true;
        this.#usage = asJsonObject(asJsonObject(json['message'])?.['usage']);
        break;
      case 'message_delta':
        this.#usage = mergeUsage(this.#usage ?? {}, json['usage']);
        break;
      case 'message_stop':
        this.isOver = true;
        break;
      case 'error':
        this.error ??= messagesError(json);
        break;
      default:
        break;
    }
  }
}

function parsed(text: string): JsonObject | null {
  try {
    return asJsonObject(JSON.parse(text));
  } catch {
    // No event of either protocol; that none came is what is told.
    return null;
  }
}

/** Its own host is no secret to its operator; its key, and what else it is sent, is. */
function rawOf(text: string, { upstream, place }: CheckTarget): string {
  const secrets = upstream.hidden.filter((hidden) => place.baseUrl?.includes(hidden) !== true);
  return printable(maskKeys(maskTexts(text, secrets).slice(0, MAX_RAW_CHARS))).toWellFormed();
}
