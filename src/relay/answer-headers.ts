/** What every relayed answer says of itself: the channel, its price, what was tried, what is left. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import type { GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';

/** What a caller wrote may be anything; only short plain text can stand in a header. */
const SHOWABLE = /^[\x21-\x7e]{1,64}$/;

export type AnswerHeaders = {
  /** The channel as the caller wrote it; null when none was asked for. */
  readonly requested: string | null;
  /** The one that serves; null: a stream still looks for it. */
  readonly channel: Channel<Card> | null;
  readonly attempts: readonly AttemptRecord[];
  /** Of the rate limits, in the caller's dialect. */
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

/** The same failure, telling the caller what was tried. */
export const withAttempts = (
  error: GatewayError,
  attempts: readonly AttemptRecord[],
): GatewayError => error.withHeaders(attemptHeaders(attempts));

/** By channel and result alone: which upstreams stand behind a channel is the operator's affair. */
const attemptHeaders = (attempts: readonly AttemptRecord[]): Readonly<Record<string, string>> =>
  attempts.length === 0
    ? {}
    : { 'x-attempts': attempts.map(({ channel, result }) => `${channel}:${result}`).join(', ') };
