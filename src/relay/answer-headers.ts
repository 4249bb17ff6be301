/** The headers of every relayed answer: channel, price card, attempts and rate limits. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import type { GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';

/** The caller's text is echoed in a header only when it is short and printable. */
const SHOWABLE = /^[\x21-\x7e]{1,64}$/;

export type AnswerHeaders = {
  /** The channel as the caller wrote it; null when the request names none. */
  readonly requested: string | null;
  /** The channel that serves; null while a stream has not found it yet. */
  readonly channel: Channel<Card> | null;
  readonly attempts: readonly AttemptRecord[];
  /** Rate-limit headers in the caller's dialect. */
  readonly limits: Readonly<Record<string, string>>;
  readonly contentType: string;
};

export function answerHeaders(about: AnswerHeaders): Headers {
  const { requested, channel, attempts, limits, contentType } = about;
  const headers = new Headers({
    ...limits,
    'content-type': contentType,
    ...(channel === null ? {} : { 'x-channel': channel.name, 'x-price-card': channel.card.id }),
    ...attemptHeaders(attempts),
  });
  if (requested !== null && SHOWABLE.test(requested)) headers.set('x-channel-requested', requested);
  return headers;
}

/** The same failure with the attempts in its headers. */
export const withAttempts = (
  error: GatewayError,
  attempts: readonly AttemptRecord[],
): GatewayError => error.withHeaders(attemptHeaders(attempts));

/** Names channels and results only: callers must not learn which upstreams a channel uses. */
const attemptHeaders = (attempts: readonly AttemptRecord[]): Readonly<Record<string, string>> =>
  attempts.length === 0
    ? {}
    : { 'x-attempts': attempts.map(({ channel, result }) => `${channel}:${result}`).join(', ') };
