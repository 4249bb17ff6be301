/**
 * Response bodies with the revenue, cost and profit of requests, summed over a range of days or
 * over each month.
 */
import * as z from 'zod';
import { type Currency, formatAmount, nano } from '../../money/amount.ts';
import type { Books } from '../../reports/books-by-month.ts';
import { amount, count, currency } from '../edge/answer-schema.ts';

export const BOOKS_SUMS = {
  currency,
  requests: count,
  charged: amount.meta({ description: 'The charges for requests, before refunds.' }),
  refunded: amount.meta({
    description: 'The refunds in this period, including refunds of earlier requests.',
  }),
  revenue: amount.meta({ description: 'The revenue: `charged` - `refunded`.' }),
  cost: amount.meta({
    description:
      'The cost of the requests with a known cost, calculated with the currently configured costs.',
  }),
  profit: amount
    .nullable()
    .meta({ description: 'The revenue of the requests with a known cost, minus `cost`.' }),
  margin: z.number().nullable().meta({
    description:
      '`profit` as a share of the revenue of the requests with a known cost; null: they have no revenue.',
  }),
  requests_without_cost: count.meta({
    description: 'The number of requests with an unknown cost.',
  }),
  loss: amount.meta({
    description: 'The part of the charges for delivered answers that the wallets could not pay.',
  }),
} as const;

/** A margin is counted in parts of 1/10,000, so that it has four decimals, such as 0.1234. */
const MARGIN_PARTS = 10_000n;

export function sumsBody(sums: Books & { readonly currency: Currency }) {
  const { currency: unit, requests, uncosted, charged, refunded, earned, cost, loss } = sums;
  const profit = nano(earned - cost);
  // Without requests, refunds of earlier requests with a known cost still lower the profit.
  const isKnown = uncosted < requests || earned !== 0n;
  return {
    ...{ currency: unit, requests: Number(requests) },
    ...{ charged: formatAmount(charged), refunded: formatAmount(refunded) },
    ...{ revenue: formatAmount(nano(charged - refunded)), cost: formatAmount(cost) },
    profit: isKnown ? formatAmount(profit) : null,
    margin:
      isKnown && earned > 0n
        ? Number((profit * MARGIN_PARTS) / earned) / Number(MARGIN_PARTS)
        : null,
    requests_without_cost: Number(uncosted),
    loss: formatAmount(loss),
  };
}
