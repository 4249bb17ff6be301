/** The one price by which a newcomer tells models apart. */
import type { Channel, Model } from '../../../catalogue/models.ts';
import { headlinePrice } from '../../../catalogue/price.ts';
import { formatExact } from '../../../money/amount.ts';

/** Where requests go that name no channel. */
export const defaultChannel = ({ channels }: Pick<Model, 'channels'>): Channel | undefined =>
  channels.find((channel) => channel.default) ?? channels[0];

/** Of an image channel: its cheapest picture, a decimal string; null for channels that sell tokens. */
export const lowestImagePrice = (channel: Pick<Channel, 'price'>): string | null =>
  channel.price.per_image === null ? null : formatExact(headlinePrice(channel));
