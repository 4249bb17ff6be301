/** Which channel was asked for, which one served, and the card that priced it: on every answer. */
import type { Card, Channel } from '../catalogue/catalogue.ts';

/** What a caller wrote may be anything; only short plain text can stand in a header. */
const SHOWABLE = /^[\x21-\x7e]{1,64}$/;

/** @param requested as the caller wrote it; null when no channel was asked for. */
export function channelHeaders(requested: string | null, channel: Channel<Card>): Headers {
  const headers = new Headers({ 'x-channel': channel.name, 'x-price-card': channel.card.id });
  if (requested !== null && SHOWABLE.test(requested)) headers.set('x-channel-requested', requested);
  return headers;
}
