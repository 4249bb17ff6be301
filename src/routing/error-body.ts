/** Reads the error body of an upstream in any of the known formats. */

export type ReportedBody = {
  /** The unmasked message, which callers must not see. */
  readonly message: string;
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
};

/** How many characters of each text are read. Only a hostile upstream sends a longer message. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Reads `{error: {message, type, code, param}}` of all protocols, `{error: "text"}` (Ollama, xAI),
 * `{object: "error", message}` (older vLLM), `{detail}` as a text or as a list of locations
 * (FastAPI), and `{message}`. The body may also be a list with one such object.
 * @returns null for a body without a message, such as a proxy's HTML.
 */
export function readErrorBody(text: string): ReportedBody | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const whole = Array.isArray(body) ? body[0] : body;
  const error = property(whole, 'error');
  const found =
    fromFields(error) ??
    withText(error, whole) ??
    fromDetail(property(whole, 'detail')) ??
    fromFields(whole);
  // A stack trace describes the server, not the request, so it does not count as a message.
  return found === null ||
    /\bTraceback \(most recent|\n[ \t]{1,20}at .{1,400}:\d/.test(found.message)
    ? null
    : found;
}

const fromFields = (fields: unknown): ReportedBody | null =>
  withText(property(fields, 'message'), fields);

function withText(text: unknown, fields: unknown): ReportedBody | null {
  const message = textOf(text);
  return message === null ? null : { message, ...idsOf(fields) };
}

function fromDetail(detail: unknown): ReportedBody | null {
  const message = textOf(detail);
  if (message !== null) return { message, type: null, code: null, param: null };
  if (!Array.isArray(detail)) return fromFields(property(detail, 'error')) ?? fromFields(detail);
  const [first] = detail;
  const reason = textOf(property(first, 'msg'));
  if (reason === null) return null;
  const place = property(first, 'loc');
  const path = Array.isArray(place) ? place.filter(isStep).join('.').slice(0, MAX_TEXT_CHARS) : '';
  return {
    message: path === '' ? reason : `${path}: ${reason}`,
    type: textOf(property(first, 'type')),
    code: null,
    param: path === '' ? null : path,
  };
}

/**
 * Whether a part of a FastAPI location, such as `["body", "messages", 0]`, names a field or an
 * index. `body` does not.
 */
const isStep = (step: unknown): boolean =>
  (typeof step === 'string' && step !== 'body') || typeof step === 'number';

function idsOf(fields: unknown): Pick<ReportedBody, 'type' | 'code' | 'param'> {
  const code = property(fields, 'code') ?? property(property(fields, 'details'), 'error_code');
  return {
    type: textOf(property(fields, 'type')),
    code: typeof code === 'number' ? String(code) : textOf(code),
    param: textOf(property(fields, 'param')),
  };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_CHARS) : null;

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
