/** Writes errors in Google's format. */
import type { ErrorCode, GatewayError } from '../../errors.ts';
import { OPTIONS } from './request.ts';

/** Maps HTTP statuses to the names in google.rpc.Code. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [402, 'FAILED_PRECONDITION'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
const DOMAIN = 'modelgate';

/** Maps the fields of a translated request to the caller's fields. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTIONS).map(([name, chat]) => [chat, `generationConfig.${name}`] as const),
  ['reasoning_effort', 'generationConfig.thinkingConfig'],
  ['response_format', 'generationConfig.responseSchema'],
  ['messages', 'contents'],
  ['tool_choice', 'toolConfig'],
  ['input', 'content'],
  ['dimensions', 'outputDimensionality'],
]);
/** Matches the path of an input of several in a request for embeddings. */
const INPUT = /^input\[(\d+)\]$/;

/** Matches the path of a tool of chat, and of the function in it. */
const TOOL = /^tools\[(\d+)\](?:\.function)?/;

/**
 * Returns the error of a translated request, with the caller's field instead of chat's.
 * @param functionPaths the caller's paths of the functions, in the order of chat's tools.
 */
export function inGeminiTerms(
  error: GatewayError,
  functionPaths: readonly string[] = [],
): GatewayError {
  const { message, param } = error;
  const field = callersField(param ?? '', functionPaths);
  if (param === null || field === undefined) return error;
  const text = message.startsWith(`${param}:`) ? field + message.slice(param.length) : message;
  return error.withParam(field, text);
}

function callersField(param: string, functionPaths: readonly string[]): string | undefined {
  const input = INPUT.exec(param)?.[1];
  if (input !== undefined) return `requests[${input}].content`;
  const tool = TOOL.exec(param);
  const path = functionPaths[Number(tool?.[1])];
  if (tool !== null && path !== undefined) return path + param.slice(tool[0].length);
  return FIELDS.get(/^\w+/.exec(param)?.[0] ?? '');
}

export function geminiErrorBody(error: GatewayError): string {
  const { status, message, code, param, extra } = error;
  // The wait makes clients try again, so an error that stays has none.
  const retryAfterSeconds = error.retryable ? error.retryAfterSeconds : null;
  return geminiErrorText(status, message, code, { param, extra, retryAfterSeconds });
}

/**
 * Returns the error's message. Clients of Google know a prompt that is too long only by these
 * words, and then compact the conversation.
 */
function wordsOf(reason: ErrorCode, message: string): string {
  const known = 'exceeds the maximum number of tokens allowed';
  if (reason !== 'context_length_exceeded' || message.includes(known)) return message;
  return `The input token count ${known}. ${message}`;
}

type Hints = Partial<Pick<GatewayError, 'param' | 'extra' | 'retryAfterSeconds'>>;

export function geminiErrorText(
  status: number,
  message: string,
  reason: ErrorCode,
  { param = null, extra = {}, retryAfterSeconds = null }: Hints = {},
): string {
  // All values of the metadata are strings.
  const fields = Object.entries(param === null ? extra : { param, ...extra });
  const metadata = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    ...{ reason, domain: DOMAIN, ...(fields.length === 0 ? {} : { metadata }) },
  };
  // Google's clients read how long to wait from the body, and not from the header `retry-after`.
  const retry = {
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: `${retryAfterSeconds}s`,
  };
  return JSON.stringify({
    error: {
      code: status,
      message: wordsOf(reason, message),
      status: NAMES.get(status) ?? 'INVALID_ARGUMENT',
      details: retryAfterSeconds === null ? [info] : [info, retry],
    },
  });
}
