/**
 * The probe of an upstream for its operator: how soon it answers, what it counts, and in plain words what
 * is wrong and what to do. Nothing here is for callers: hosts and the upstream's own words are shown,
 * keys are not.
 */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import { ForbiddenAddress } from '../upstreams/egress.ts';
import { readErrorBody } from './error-body.ts';
import { maskKeys, maskTexts, printable } from './masking.ts';
import type { Refusal } from './refusal-patterns.ts';
import { OPERATORS_WORDS, refusalOf } from './upstream-failure.ts';
import {
  type ProbeEnd,
  type ProbeResult,
  type ProbeTarget,
  probeUpstream,
} from './upstream-probe.ts';

/** A model that has to be loaded first takes this long. */
const TIMEOUT_MS = 60_000;
const MAX_RAW_CHARS = 2_000;

/** Where an upstream is, as it is configured. */
export type CheckPlace = {
  /** null for the built-in one. */
  readonly baseUrl: string | null;
};

export type CheckTarget = ProbeTarget & { readonly place: CheckPlace };

export type CheckResult = Omit<ProbeResult, 'end'> & {
  readonly format: TextFormat;
  /** What is wrong and what to do; null: it is well. */
  readonly problem: string | null;
  /** What the upstream itself said of it. */
  readonly raw: string | null;
};

/** Never throws for what an upstream does. */
export async function checkUpstream(target: CheckTarget, clock: Clock): Promise<CheckResult> {
  const { end, ...result } = await probeUpstream(target, { clock, timeoutMs: TIMEOUT_MS });
  return {
    ...result,
    format: target.format,
    problem: problemOf(end, target),
    raw: 'text' in end ? rawOf(end.text, target) : null,
  };
}

function problemOf(end: ProbeEnd, target: CheckTarget): string | null {
  switch (end.kind) {
    case 'complete':
      return null;
    case 'unanswered':
      return unansweredProblem(end.thrown, target.place);
    case 'refused': {
      const refusal = refusalOf(end.response.status, readErrorBody(end.text));
      return refusalProblem(refusal, end.text, target);
    }
    case 'reported': {
      const { type, code, message } = end.error;
      const refusal = refusalOf(null, { type, code, message, param: null });
      return refusalProblem(refusal, message, target);
    }
    case 'broken_off':
      return brokenOffProblem(end.thrown);
    case 'no_end_mark':
      return 'Its stream ended without an end mark: it broke off, or is cut by a proxy.';
    case 'unusable':
      return `Its stream cannot be passed on to callers. ${end.message}`;
    case 'not_streamed':
      return 'It answered in one piece where a stream was asked for. Check that it can stream, and that no proxy there gathers streams.';
    case 'not_an_answer': {
      const protocol = target.format === 'chat' ? 'chat completions' : 'Messages';
      return `What it answered is no stream of the ${protocol} protocol. Check base_url and protocol, and that no web page or proxy stands there.`;
    }
  }
}

/** Its own host is no secret to its operator; its key, and what else it is sent, is. */
function rawOf(text: string, { upstream, place }: CheckTarget): string {
  const secrets = upstream.hidden.filter((hidden) => place.baseUrl?.includes(hidden) !== true);
  return printable(maskKeys(maskTexts(text, secrets).slice(0, MAX_RAW_CHARS))).toWellFormed();
}

/** An upstream answered, and refused. */
export function refusalProblem(
  refusal: Refusal,
  text: string,
  at: { readonly model: string; readonly format: TextFormat; readonly place: CheckPlace },
): string {
  switch (refusal) {
    case 'key':
      return 'It refused our key. Check api_key of the upstream, and that it belongs to this address.';
    case 'balance':
      return 'Our account there has no balance or quota left. Top it up there, or raise its limit.';
    case 'rights':
      return 'Our account there may not do this. Check what the key is allowed, and whether the region is served.';
    case 'model':
      return `It has no model ${JSON.stringify(at.model)}. Check the name in the routes, or name another with --model.`;
    case 'address':
      return addressProblem(at);
    case 'overload':
      return 'It is overloaded, or our rate limit there is used up. It may be well in a minute.';
    case 'over_rate':
      return 'Our rate limit there is smaller than one request. Raise it there.';
    case 'timeout':
      return 'It, or a proxy before it, gave up waiting. The model may have been loading: try once more.';
    case 'failure':
      return /plain HTTP request was sent to (?:an? )?(?:HTTPS|TLS)/i.test(text)
        ? 'It speaks TLS there: write https:// in base_url.'
        : 'It failed. It may be well in a minute; if not, its own log says more.';
    case 'request':
    case 'too_large':
    case 'context_length':
    case 'content_policy':
      return `As it says itself, ${OPERATORS_WORDS[refusal]}.`;
  }
}

function addressProblem({
  model,
  format,
  place: { baseUrl },
}: {
  readonly model: string;
  readonly format: TextFormat;
  readonly place: CheckPlace;
}): string {
  if (baseUrl === null) return `It has no model ${JSON.stringify(model)}.`;
  const base = baseUrl.replace(/\/+$/, '');
  if (format === 'messages') {
    return `It has nothing at ${base.replace(/\/v1$/, '')}/v1/messages. Check base_url; if it speaks chat completions only, write protocol: openai.`;
  }
  const hint = /\/v\d[^/]*$/.test(base)
    ? 'Check base_url; if it speaks the Messages protocol only, write protocol: anthropic.'
    : 'base_url has no version at its end; for most servers it is followed by /v1.';
  return `It has nothing at ${base}/chat/completions, or no model ${JSON.stringify(model)}. ${hint}`;
}

/** Nothing came that could be called an answer. */
export function unansweredProblem(thrown: unknown, { baseUrl }: CheckPlace): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  if (thrown instanceof ForbiddenAddress && cause instanceof Error) return `${cause.message}.`;
  const host = baseUrl === null ? 'it' : new URL(baseUrl).host;
  const code = codeOf(thrown);
  if (code === null) {
    const late = thrown instanceof GatewayError && thrown.code === 'upstream_timeout';
    return late
      ? `${thrown.message} Check base_url, and whether ${host} is well.`
      : `${thrown.message}${cause instanceof Error ? ` (${cause.message})` : ''} Check base_url.`;
  }
  if (code === 'ECONNREFUSED') {
    return `Nobody listens at ${host}. Check base_url, and whether the server runs.`;
  }
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    return `There is no address for ${host}. Check base_url, and the DNS of this machine.`;
  }
  if (/CERT|^UNABLE_TO_/.test(code)) {
    return `The certificate of ${host} is not valid here (${code}).`;
  }
  if (/^EPROTO$|SSL|TLS/.test(code)) {
    return `There is no TLS at ${host}. Write http:// in base_url, or the port that has it.`;
  }
  if (code === 'ECONNRESET') {
    return `The connection to ${host} was closed before an answer came. If it speaks TLS, write https:// in base_url.`;
  }
  return `What answers at ${host} cannot be understood (${code}). Check scheme and port of base_url.`;
}

/** It began to answer. */
export function brokenOffProblem(thrown: unknown): string {
  const word = codeOf(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return `Its answer broke off (${word}).`;
}

/** The runtime's word for it, from as deep as it lies. */
function codeOf(thrown: unknown): string | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof GatewayError) continue;
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return null;
}
