/**
 * The schema of price lists, which contain other prices for certain accounts. The schema of these
 * prices depends on their model, so `list-checks.ts` validates them.
 */
import * as z from 'zod';
import { built } from '../document/on-demand.ts';
import { decimal } from '../price-schema.ts';
import { text } from '../values.ts';

/** The maximum number of price lists. A node has a catalogue in memory for each list. */
export const MAX_PRICE_LISTS = 50;

const ownPrice = built(() =>
  z.strictObject({ price: z.unknown(), upcoming: z.array(z.unknown()).optional() }).optional(),
);

const listedModel = built(() =>
  z.strictObject({
    /** Whether the accounts on the list can neither see nor use the model. */
    hidden: z.boolean().default(false),
    /**
     * Prices that replace the prices of the model's channels. They are not multiplied by `factor`.
     */
    channels: z
      .strictObject({ direct: ownPrice(), stable: ownPrice(), economical: ownPrice() })
      .prefault({}),
  }),
);

export const priceListsSchema = built(() =>
  z
    .record(
      z.string(),
      z.strictObject({
        /**
         * The factor that multiplies all prices that the list does not replace. The products are
         * rounded up.
         */
        factor: decimal(6, '0.85')
          .refine((given) => !/^[0.]+$/.test(given), 'must be above zero')
          .default('1'),
        /** The models that the accounts of the list may use; null means all. */
        only: z.array(text()).min(1, 'must name at least one model').nullable().default(null),
        models: z.record(z.string(), listedModel()).default({}),
      }),
    )
    .default({}),
);
