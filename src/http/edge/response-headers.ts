/**
 * The response headers for callers. CORS and OpenAPI list all of them. Responses that are stored
 * for a replay contain some of them.
 */
import { CONSOLE_PATH } from './route.ts';

/** The kind of response that can carry a header. */
export type HeaderGroup = 'every' | 'inference' | 'error' | 'replay' | 'report';

type HeaderRow = {
  readonly on: HeaderGroup;
  readonly description: string;
  /** Whether a replayed response has this header too, with the value of the first response. */
  readonly isStored?: true;
};

const RATE_KINDS = ['requests', 'tokens'] as const;
const RATE_FIELDS = {
  limit: 'The limit of the API key per minute',
  remaining: 'How much of the limit is left',
  reset:
    'When the whole limit is available again (`x-ratelimit-*`: a duration such as `6m0s`; `anthropic-ratelimit-*`: a time)',
} as const;

const rateHeaders = (
  nameOf: (kind: string, field: string) => string,
): Readonly<Record<string, HeaderRow>> =>
  Object.fromEntries(
    RATE_KINDS.flatMap((kind) =>
      Object.entries(RATE_FIELDS).map(([field, what]): [string, HeaderRow] => [
        nameOf(kind, field),
        {
          on: 'inference',
          description: `${what}, for ${kind}. Sent only if the key has this limit.`,
        },
      ]),
    ),
  );

export const RESPONSE_HEADERS: Readonly<Record<string, HeaderRow>> = {
  'x-request-id': { on: 'every', description: 'The id of this request.' },
  'request-id': {
    on: 'every',
    description: 'The id of this request, in the header that Anthropic clients read.',
  },
  'retry-after': { on: 'error', description: 'Seconds to wait before a retry.' },
  'x-should-retry': {
    on: 'error',
    description: '`true` if the same request may succeed later, unchanged.',
  },
  'x-channel-requested': {
    on: 'inference',
    description: 'The channel that the request named.',
    isStored: true,
  },
  'x-channel': {
    on: 'inference',
    description: 'The channel that served the request.',
    isStored: true,
  },
  'x-price-card': {
    on: 'inference',
    description: 'The id of the price card with the prices that are charged for the request.',
    isStored: true,
  },
  'x-cost': {
    on: 'inference',
    description: 'The charge and its currency, for non-streaming answers.',
    isStored: true,
  },
  'x-attempts': {
    on: 'inference',
    description: 'The channels that were tried, each with its result.',
  },
  'x-max-output-tokens': {
    on: 'inference',
    description:
      'The maximum number of output tokens, if the gateway lowered it to what the balance covers.',
    isStored: true,
  },
  'x-ignored-fields': {
    on: 'inference',
    description: 'Fields of the request that were not sent to the provider.',
    isStored: true,
  },
  'x-estimated': { on: 'inference', description: '`true` if the token count is an estimate.' },
  'x-image-expires': {
    on: 'inference',
    description: 'When the image URLs of the answer expire.',
    isStored: true,
  },
  'idempotency-replayed': {
    on: 'replay',
    description: '`true` if this is the stored answer of an earlier request.',
  },
  'x-original-request-id': {
    on: 'replay',
    description: 'The id of the request whose stored answer this is.',
  },
  'x-data-as-of': {
    on: 'report',
    description:
      'The time up to which the report is complete. Sent only when reports are read from a database ' +
      'replica, which may be up to 10 seconds behind.',
  },
  ...rateHeaders((kind, field) => `x-ratelimit-${field}-${kind}`),
  ...rateHeaders((kind, field) => `anthropic-ratelimit-${kind}-${field}`),
};

export const headerNames = (isWanted: (row: HeaderRow) => boolean = () => true): string[] =>
  Object.entries(RESPONSE_HEADERS).flatMap(([name, row]) => (isWanted(row) ? [name] : []));

/** Whether a list of tags or `*`, as in `If-None-Match`, matches this tag weakly (RFC 9110). */
export const isKnown = (tags: string | null, etag: string): boolean =>
  (tags ?? '').split(',').some((each) => ['*', weak(etag)].includes(weak(each.trim())));

/**
 * The request header with which a change is refused if the settings have changed since the caller
 * read them.
 */
export const IF_MATCH = {
  'If-Match': {
    type: 'string',
    description:
      'The `etag` of the settings on which the change is based. If the settings have changed since then, the answer is 412 `revision_changed`. Without this header, the change applies to the current settings.',
  },
} as const;

/**
 * Returns a function that says whether `If-Match` has an entity tag; null without the header. Tags
 * match weakly, because compression makes the tags of answers weak.
 */
export function ifMatchOf({ headers }: Request): ((etag: string) => boolean) | null {
  const tags = headers.get('if-match');
  return tags === null ? null : (etag) => isKnown(tags, etag);
}

const weak = (etag: string): string => etag.replace(/^W\//, '');

const ALLOWED = 'authorization, content-type, x-api-key, api-key, x-goog-api-key';
/** The methods of the routes for API keys; the last two change keys at `/v1/keys`. */
const METHODS = 'GET, POST, OPTIONS, PATCH, DELETE';
const PREFLIGHT_SECONDS = '86400';

/**
 * Whether the path belongs to the console's or the administrators' routes, which accept a session.
 */
export const isSessionPath = (path: string): boolean =>
  path.startsWith('/admin/') || path.startsWith(CONSOLE_PATH);

/**
 * The headers that let any page read a response. Pages of any website may call the routes that are
 * neither of the console nor for administrators, because these routes accept no credential except
 * an API key in a header.
 */
export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': headerNames().join(', '),
} as const;

/** Answers a CORS preflight. Allows headers by name, because `*` does not cover `Authorization`. */
export function preflight(request: Request, path: string): Response {
  const isForAnyPage = !isSessionPath(path);
  const headers = new Headers(isForAnyPage ? ANY_ORIGIN : {});
  if (isForAnyPage) {
    headers.set('access-control-allow-methods', METHODS);
    const asked = request.headers.get('access-control-request-headers');
    headers.set('access-control-allow-headers', asked ?? ALLOWED);
    headers.set('access-control-max-age', PREFLIGHT_SECONDS);
    headers.set('vary', 'access-control-request-headers');
  }
  return new Response(null, { status: 204, headers });
}
