/**
 * The schema of price lists: other prices for the accounts that are on a list. The schema of these
 * prices depends on their model, so `list-checks.ts` checks them.
 */
import * as z from 'zod';
import { built } from '../document/on-demand.ts';
import { decimal } from '../price-schema.ts';
import { text } from '../values.ts';

/** Maximum number of price lists. A node keeps a catalogue in memory for each of them. */
export const MAX_PRICE_LISTS = 50;

const ownPrice = built(() =>
  z.strictObject({ price: z.unknown(), upcoming: z.array(z.unknown()).optional() }).optional(),
);

const listedModel = built(() =>
  z.strictObject({
    /** Whether the model is hidden from the accounts of the list, so that they cannot use it. */
    hidden: z.boolean().default(false),
    /** Prices that replace those of the model's channels. The factor does not apply to them. */
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
        /** The factor that multiplies all prices of all models. The products are rounded up. */
        factor: decimal(6, '0.85')
          .refine((given) => !/^[0.]+$/.test(given), 'must be above zero')
          .default('1'),
        /** The models that the accounts of the list may use; null means all. */
        only: z.array(text()).min(1, 'name a model').nullable().default(null),
        models: z.record(z.string(), listedModel()).default({}),
      }),
    )
    .default({}),
);
