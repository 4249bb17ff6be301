/** Determines the price shown for a model in the setup. */
import type { Channel, Model } from '#catalogue/models.ts';
import { headlinePrice } from '#catalogue/price.ts';
import { formatExact } from '#money/amount.ts';

/** Returns the default channel of a model. */
export const defaultChannel = ({ channels }: Pick<Model, 'channels'>): Channel | undefined =>
  channels.find((channel) => channel.default) ?? channels[0];

/** Returns the lowest price of an image as a decimal string; null for channels that sell tokens. */
export const lowestImagePrice = (channel: Pick<Channel, 'price'>): string | null =>
  channel.price.per_image === null ? null : formatExact(headlinePrice(channel));
