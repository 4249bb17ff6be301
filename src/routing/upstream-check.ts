/** Tests an upstream for its operator. The result shows the host, so it is not for callers. */
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

/** The timeout of a check, long enough for a server that must load the model first. */
const TIMEOUT_MS = 60_000;
const MAX_RAW_CHARS = 2_000;

export type CheckTarget = ProbeTarget & {
  /** The configured address; null for the built-in upstream. */
  readonly baseUrl: string | null;
};
/** The kind of answer that a check requests. Only text is requested as a stream. */
export type CheckFormat = TextFormat | 'images' | 'embeddings';
type Asked = Pick<CheckTarget, 'model' | 'baseUrl'> & { readonly format: CheckFormat };

/** What is wrong with an upstream, for clients that have words of their own. */
export const CHECK_PROBLEMS = [
  'private_address',
  'unresolved',
  'unreachable',
  'no_tls',
  'certificate',
  'timeout',
  'request',
  'too_large',
  'context_length',
  'content_policy',
  'encrypted_content',
  'key',
  'balance',
  'rights',
  'model',
  'address',
  'overload',
  'over_rate',
  'failure',
  'broken_off',
  'no_end_mark',
  'unusable',
  'not_streamed',
  'not_an_answer',
] as const;
export type CheckProblem = (typeof CHECK_PROBLEMS)[number];

export type CheckResult = Omit<ProbeResult, 'end'> & {
  readonly format: CheckFormat;
  /** The number of dimensions of an embedding; null for any other answer. */
  readonly dimensions: number | null;
  /** The problem and how to fix it; null when the upstream works. */
  readonly problem: string | null;
  readonly code: CheckProblem | null;
  readonly raw: string | null;
};

/** Tests the upstream. Does not throw, whatever the upstream does. */
export async function checkUpstream(target: CheckTarget, clock: Clock): Promise<CheckResult> {
  const { end, ...result } = await probeUpstream(target, clock, TIMEOUT_MS);
  return {
    ...result,
    format: target.format,
    dimensions: null,
    problem: problemOf(end, target),
    code: problemCodeOf(end),
    raw: 'text' in end ? rawOf(end.text, target) : null,
  };
}

function problemOf(end: ProbeEnd, target: CheckTarget): string | null {
  switch (end.kind) {
    case 'complete':
      return null;
    case 'unanswered':
      return unansweredProblem(end.thrown, target);
    case 'refused':
      return refusalProblem(refusalIn(end), end.text, target);
    case 'reported':
      return refusalProblem(refusalIn(end), end.error.message, target);
    case 'broken_off':
      return brokenOffProblem(end.thrown);
    case 'no_end_mark':
      return 'The stream ended without an end mark: the connection broke, or a proxy cuts streams.';
    case 'unusable':
      return `The stream cannot be passed on to callers. ${end.message}`;
    case 'not_streamed':
      return 'The server sent a non-streaming answer to a streaming request. Check that the server supports streaming, and that no proxy buffers its streams.';
    case 'not_an_answer': {
      return `The answer is not a stream of the ${PROTOCOLS[target.format]} protocol. Check base_url and protocol, and that the address is not a web page or proxy.`;
    }
  }
}

function problemCodeOf(end: ProbeEnd): CheckProblem | null {
  switch (end.kind) {
    case 'complete':
      return null;
    case 'unanswered':
      return unansweredCode(end.thrown);
    case 'refused':
    case 'reported':
      return refusalIn(end);
    default:
      return end.kind;
  }
}

function refusalIn(end: Extract<ProbeEnd, { kind: 'refused' | 'reported' }>): Refusal {
  if (end.kind === 'refused') return refusalOf(end.response.status, readErrorBody(end.text));
  const { type, code, message } = end.error;
  return refusalOf(null, { type, code, message, param: null });
}

const PROTOCOLS: Readonly<Record<TextFormat, string>> = {
  chat: 'chat completions',
  messages: 'Messages',
  responses: 'Responses',
};

/** Masks credentials in a message. The host is shown, since the operator knows it. */
export function rawOf(
  text: string,
  { upstream, baseUrl }: Pick<CheckTarget, 'upstream' | 'baseUrl'>,
): string {
  const secrets = upstream.hidden.filter((hidden) => baseUrl?.includes(hidden) !== true);
  return printable(maskKeys(maskTexts(text, secrets).slice(0, MAX_RAW_CHARS))).toWellFormed();
}

export function refusalProblem(refusal: Refusal, text: string, at: Asked): string {
  switch (refusal) {
    case 'key':
      return 'The server refused the key. Check api_key or sign_in of the upstream, and that the key belongs to this address.';
    case 'balance':
      return 'Our account at the provider has no balance or quota left. Top up that account, or raise its limit.';
    case 'rights':
      return 'Our account at the provider lacks the permission. Check the permissions of the key, and whether the region is supported.';
    case 'model':
      return `The server has no model ${JSON.stringify(at.model)}. Check the name in the routes, or name another with --model.`;
    case 'address':
      return addressProblem(at);
    case 'overload':
      return 'The server is overloaded, or our rate limit there is used up. Retry in a minute.';
    case 'over_rate':
      return 'A single request exceeds our rate limit at the provider. Raise the limit there.';
    case 'timeout':
      return 'The server, or a proxy in front of it, timed out. The model may have been loading: try again.';
    case 'failure':
      return /plain HTTP request was sent to (?:an? )?(?:HTTPS|TLS)/i.test(text)
        ? 'The server requires TLS: write https:// in base_url.'
        : 'The server failed. Retry in a minute; if it fails again, see its log.';
    case 'request':
    case 'too_large':
    case 'context_length':
    case 'content_policy':
    case 'encrypted_content':
      return `The server says that ${OPERATORS_WORDS[refusal]}.`;
  }
}

/** The path of each format, below the base URL. */
const PATHS = {
  chat: 'chat/completions',
  responses: 'responses',
  images: 'images/generations',
  embeddings: 'embeddings',
} as const;

function addressProblem({ model, format, baseUrl }: Asked): string {
  if (baseUrl === null) return `The upstream has no model ${JSON.stringify(model)}.`;
  const base = baseUrl.replace(/\/+$/, '');
  if (format === 'messages') {
    return `There is nothing at ${base.replace(/\/v1$/, '')}/v1/messages. Check base_url; if the server speaks only chat completions, write \`protocol: openai\`.`;
  }
  const other =
    format === 'responses'
      ? 'if the server speaks only chat completions, write `protocol: openai`, and `quirks: { responses: false }`.'
      : 'if the server speaks only the Messages protocol, write `protocol: anthropic`.';
  const hint = /\/v\d[^/]*$/.test(base)
    ? `Check base_url; ${other}`
    : 'base_url does not end with a version; most servers need /v1 at its end.';
  const path = PATHS[format];
  return `There is nothing at ${base}/${path}, or no model ${JSON.stringify(model)}. ${hint}`;
}

export function unansweredProblem(
  thrown: unknown,
  { baseUrl }: Pick<CheckTarget, 'baseUrl'>,
): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  if (thrown instanceof ForbiddenAddress && cause instanceof Error) return `${cause.message}.`;
  const host = baseUrl === null ? 'it' : new URL(baseUrl).host;
  const code = codeOf(thrown);
  if (code === null) {
    const late = thrown instanceof GatewayError && thrown.code === 'upstream_timeout';
    return late
      ? `${thrown.message} Check base_url, and whether ${host} works.`
      : `${thrown.message}${cause instanceof Error ? ` (${cause.message})` : ''} Check base_url.`;
  }
  if (code === 'ECONNREFUSED') {
    return `Connection refused by ${host}. Check base_url, and that the server is running.`;
  }
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    return `The host name ${host} cannot be resolved. Check base_url, and the DNS of this machine.`;
  }
  if (/CERT|^UNABLE_TO_/.test(code)) {
    return `The certificate of ${host} is not valid here (${code}).`;
  }
  if (/^EPROTO$|SSL|TLS/.test(code)) {
    return `There is no TLS at ${host}. Write http:// in base_url, or use the TLS port.`;
  }
  if (code === 'ECONNRESET') {
    return `The connection to ${host} closed before an answer arrived. If the server uses TLS, write https:// in base_url.`;
  }
  return `The answer of ${host} is not HTTP (${code}). Check scheme and port of base_url.`;
}

/** Returns why no answer came. */
export function unansweredCode(
  thrown: unknown,
): 'private_address' | 'unresolved' | 'unreachable' | 'no_tls' | 'certificate' | 'timeout' {
  if (thrown instanceof ForbiddenAddress) return 'private_address';
  if (thrown instanceof GatewayError && thrown.code === 'upstream_timeout') return 'timeout';
  const code = codeOf(thrown) ?? '';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'unresolved';
  if (/CERT|^UNABLE_TO_/.test(code)) return 'certificate';
  if (/^EPROTO$|SSL|TLS/.test(code)) return 'no_tls';
  return 'unreachable';
}

function brokenOffProblem(thrown: unknown): string {
  const word = codeOf(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return `The connection broke during the answer (${word}).`;
}

/** Returns the runtime's code, such as `ECONNREFUSED`, of an error or of one of its causes. */
export function codeOf(thrown: unknown): string | null {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if (at instanceof GatewayError) continue;
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return null;
}
