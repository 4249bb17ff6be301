/**
 * What this room says no to, and what to do about it. None of these sentences repeats what was
 * presented as a key: it may be a real secret of another service.
 */
import { GatewayError } from '../errors.ts';
import { KEY_CHARS, KEY_PREFIX } from './api-key.ts';

const invalidKey = (message: string): GatewayError => new GatewayError('invalid_api_key', message);

export const missingKey = (): GatewayError =>
  invalidKey('No API key was sent. Send it as "Authorization: Bearer KEY" or as "x-api-key: KEY".');

export const wrongScheme = (): GatewayError =>
  invalidKey(
    'The Authorization header must be "Bearer KEY", with one space and nothing after the key; or send "x-api-key: KEY".',
  );

export function malformedKey(presented: string): GatewayError {
  if (!presented.startsWith(KEY_PREFIX)) {
    return invalidKey(
      `This is not an API key of this gateway: one begins with "${KEY_PREFIX}". Check that the client does not send the key of another service.`,
    );
  }
  return invalidKey(
    `This API key is misspelt: its checksum does not hold, or it is not ${KEY_CHARS} characters long. Copy it again, whole.`,
  );
}

export const unknownKey = (): GatewayError =>
  invalidKey(
    'This API key does not exist on this gateway. Check the base address, or create a new key.',
  );

export const revokedKey = (atMs: number | null): GatewayError =>
  invalidKey(`This API key was revoked${on(atMs)}. Create a new one and use that.`);

export const expiredKey = (atMs: number): GatewayError =>
  invalidKey(`This API key expired${on(atMs)}. Create a new one and use that.`);

export const twoAccounts = (): GatewayError =>
  invalidKey('Authorization and x-api-key carry keys of two different accounts. Send one of them.');

export const suspendedAccount = (): GatewayError =>
  new GatewayError(
    'not_allowed',
    'The account of this API key is suspended. Ask the administrator of this gateway.',
  );

export const tooManyLookups = (): GatewayError =>
  new GatewayError(
    'store_unavailable',
    'Too many keys are being looked up at the moment. Repeat the request.',
    { retryAfterSeconds: 1 },
  );

export const noSuchAccount = (id: string): GatewayError =>
  new GatewayError('not_found', `There is no account ${quoted(id)}. List them to find its id.`);

export const noSuchKey = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    `There is no API key with the id ${quoted(id)}. List them to find it.`,
  );

export const invalidField = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_value', message, { param });

export const malformedSecret = (): GatewayError =>
  invalidField(
    'secret',
    'secret is not a well-formed API key. Leave it out, or make one with `modelgate key generate`.',
  );

export const secretInUse = (): GatewayError =>
  new GatewayError('conflict', 'This secret is in use by another API key. Generate a new one.', {
    param: 'secret',
  });

export const tooManyKeys = (max: number): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has ${max} active API keys, the most there may be. Revoke some first.`,
  );

const on = (atMs: number | null): string =>
  atMs === null ? '' : ` on ${new Date(atMs).toISOString()}`;

/** Ids come from callers, and messages end up in terminals and logs: short, and nothing but text. */
const quoted = (id: string): string => JSON.stringify(id.slice(0, 80));
