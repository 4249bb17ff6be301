/** Which keys a request carries, before anyone asks whether they are any good. */
import { missingKey, wrongScheme } from './account-errors.ts';

const BEARER = /^Bearer[ \t]+(\S+)[ \t]*$/i;

/**
 * The one or two keys in `Authorization: Bearer KEY` and `x-api-key: KEY`, Authorization's first.
 * The same key in both counts once. An Authorization of another scheme is no credential here.
 *
 * @throws GatewayError `invalid_api_key` when there is none, saying what to send.
 */
export function credentialsOf(headers: Headers): readonly [string, string?] {
  const authorization = headers.get('authorization') ?? '';
  const bearer = BEARER.exec(authorization)?.[1];
  const apiKey = headers.get('x-api-key')?.trim() ?? '';
  if (apiKey === '') {
    if (bearer !== undefined) return [bearer];
    throw authorization === '' ? missingKey() : wrongScheme();
  }
  return bearer === undefined || bearer === apiKey ? [apiKey] : [bearer, apiKey];
}
