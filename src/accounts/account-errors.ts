/**
 * The errors of accounts and keys. No message contains the presented key, because it may be a
 * secret of another service.
 */
import { errorsOf, GatewayError } from '../errors.ts';
import { KEY_CHARS, KEY_PREFIX } from './api-key.ts';
import type { NeededScope, Scope } from './scopes.ts';

const conflict = errorsOf('conflict');
const storeUnavailable = errorsOf('store_unavailable');

const invalidKey = (message: string): GatewayError => new GatewayError('invalid_api_key', message);
const fixedKeyError = errorsOf('invalid_api_key');

export const missingKey = fixedKeyError(
  'No API key was sent. Send it as "Authorization: Bearer KEY" or "x-api-key: KEY", or to the Gemini API as "x-goog-api-key: KEY".',
);
export const wrongScheme = fixedKeyError(
  'The Authorization header must be "Bearer KEY", with one space and nothing after the key; or send "x-api-key: KEY".',
);

export function malformedKey(presented: string): GatewayError {
  if (!presented.startsWith(KEY_PREFIX)) {
    return invalidKey(
      `This is not an API key of this gateway: a valid key begins with "${KEY_PREFIX}". Check that the client does not send the key of another service.`,
    );
  }
  return invalidKey(
    `This API key is malformed: its checksum is wrong, or it is not ${KEY_CHARS} characters long. Copy the whole key again.`,
  );
}

export const unknownKey = fixedKeyError(
  'This API key does not exist on this gateway. Check the base URL, or create a new key.',
);

export const revokedKey = (atMs: number | null): GatewayError =>
  invalidKey(`This API key was revoked${on(atMs)}. Create a new one.`);

export const disabledKey = fixedKeyError(
  'This API key is disabled. Enable it in the console, or use another key.',
);

export const expiredKey = (atMs: number): GatewayError =>
  invalidKey(`This API key expired${on(atMs)}. Create a new one.`);

export const replacedSecret = (atMs: number): GatewayError =>
  invalidKey(`This secret of the API key was replaced and expired${on(atMs)}. Use the new secret.`);

export const twoAccounts = fixedKeyError(
  'The request carries keys of two different accounts: one in Authorization, and one in x-api-key, api-key or x-goog-api-key. Send only one of these headers.',
);
export const suspendedAccount = errorsOf('not_allowed')(
  'The account of this API key is suspended. Ask the administrator of this gateway.',
);
export const missingScope = (scopes: readonly Scope[], needed: NeededScope): GatewayError =>
  new GatewayError(
    'not_allowed',
    `This API key lacks the scope ${needed}. It has ${scopes.length === 0 ? 'none' : scopes.join(', ')}. Use another key, or add the scope to this key in the console under API keys.`,
    { extra: { scope_needed: needed } },
  );
export const manageNeedsOwner = errorsOf('not_allowed')(
  'Only an owner of the account can give an API key the scope manage, because such a key can change all keys of the account. Leave out the scope, or ask an owner.',
  { param: 'scopes' },
);
export const keyOfSomebodyElse = errorsOf('not_allowed')(
  'Somebody else created this API key. Ask that person or an owner of the account to change it.',
);
export const keyOfPlayground = errorsOf('not_allowed')(
  'The playground uses this API key. Ask an owner of the account to change it.',
);
export const tooManyLookups = storeUnavailable(
  'The gateway is busy looking up API keys. Retry the request.',
  { retryAfterSeconds: 1 },
);
export const lookupTimedOut = storeUnavailable(
  'The API key store is not responding. Retry the request.',
  { retryAfterSeconds: 2 },
);

export const noSuchAccount = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    `There is no account ${quoted(id)}. List the accounts to find the right id.`,
  );

export const noSuchKey = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    `There is no API key with the id ${quoted(id)}. List the keys to find the right id.`,
  );

export const invalidField = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_value', message, { param });

export const malformedSecret = (): GatewayError =>
  invalidField(
    'secret',
    'secret is not a well-formed API key. Leave it out, or make one with `modelgate key generate`.',
  );

export const secretInUse = conflict(
  'This secret is in use by another API key. Generate a new one.',
  {
    param: 'secret',
  },
);

export const tooManyKeys = (max: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has reached its limit of ${max} API keys (revoked keys do not count). Revoke a key first.`,
  );

export const tooManyNewKeys = (max: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has created ${max} API keys within a day, the limit. Reuse its keys, or rotate one to get a new secret.`,
  );

export const expiredAccount = (atMs: number): GatewayError =>
  new GatewayError(
    'not_allowed',
    `The account of this API key expired${on(atMs)}. Ask the administrator of this gateway.`,
  );

export const keyIsRevoked = conflict('This API key is revoked permanently. Create a new one.', {
  extra: { reason: 'key_revoked' },
});

export const stillOverlapping = (untilMs: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The previous secret of this API key is valid until ${new Date(untilMs).toISOString()}. Rotate the key after that time, or send \`overlap: "0s"\`, which ends the previous and the current secret immediately.`,
    { param: 'overlap' },
  );

export const changedMeanwhile = conflict(
  'Somebody else made a change at the same time. Read the current values and try again.',
);

/**
 * @param address the caller's address; null if unknown, for example because a proxy forwarded an
 *   invalid address.
 */
export function addressNotAllowed(owner: 'key' | 'account', address: string | null): GatewayError {
  const refusal =
    owner === 'key'
      ? 'This API key may not be used'
      : 'The account of this API key does not allow requests';
  const [why, remedy] =
    address === null
      ? ["because the caller's address is unknown", 'check the setting `trusted_proxies`']
      : [`from ${address}`, 'allow this address in `ip_ranges`'];
  return new GatewayError(
    'not_allowed',
    `${refusal} ${why}. Ask the gateway administrator to ${remedy}.`,
  );
}

export function notAllowedByList(
  owner: 'key' | 'account',
  param: 'model' | 'channel',
  list: readonly string[],
): GatewayError {
  const whose = owner === 'key' ? 'This API key' : 'The account of this API key';
  const shown = list.slice(0, MAX_SHOWN).join(', ');
  const more = list.length > MAX_SHOWN ? `, and ${list.length - MAX_SHOWN} more` : '';
  const allowed = list.length === 0 ? 'It allows none' : `It allows ${shown}${more}`;
  return new GatewayError('not_allowed', `${whose} may not use this ${param}. ${allowed}.`, {
    param,
  });
}

export type LimitReached = {
  readonly owner: 'key' | 'account';
  readonly limit:
    | 'concurrency'
    | 'requests_per_minute'
    | 'tokens_per_minute'
    | 'count_tokens_per_minute';
  readonly most: number;
  readonly afterMs: number;
  readonly headers: Readonly<Record<string, string>>;
};

export function limitReached({ owner, limit, most, afterMs, headers }: LimitReached): GatewayError {
  // Keeps `retry-after` between 1 and 60 seconds, because clients ignore or misread other values.
  const retryAfterSeconds = Math.min(60, Math.max(1, Math.ceil(afterMs / 1_000)));
  const what = limit === 'concurrency' ? 'at once' : 'a minute';
  const whose = owner === 'key' ? 'this API key' : 'the account of this API key';
  return new GatewayError(
    'rate_limit_exceeded',
    `The ${limit} limit of ${whose} is reached: ${most} ${what}. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, headers },
  );
}

/**
 * Returns the error for a request that needs more tokens than the limit allows in a minute, so that
 * no retry can succeed.
 */
export const requestTooLarge = (
  owner: 'key' | 'account',
  limit: number,
  tokens: number,
): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `This request has about ${tokens} tokens, above the limit of ${limit} tokens per minute of ${owner === 'key' ? 'this API key' : 'the account of this API key'} (tokens_per_minute). Send less, or ask for a higher limit.`,
    { retryAfterSeconds: 60, retryable: false },
  );

export const rateTrackingFull = errorsOf('rate_limit_exceeded')(
  'Rate-limit tracking is at capacity. Retry the request.',
  { retryAfterSeconds: 1 },
);

/** Maximum names listed in an error message. A longer list does not help the reader. */
const MAX_SHOWN = 20;

const on = (atMs: number | null): string =>
  atMs === null ? '' : ` on ${new Date(atMs).toISOString()}`;

/**
 * Truncates and escapes an id, because callers choose ids, and messages are printed to terminals
 * and logs.
 */
const quoted = (id: string): string => JSON.stringify(id.slice(0, 80));
