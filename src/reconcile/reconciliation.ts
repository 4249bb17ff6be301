/** The result of one comparison, as it is stored and as the API returns it. */
import * as z from 'zod';
import { built } from '../config/document/on-demand.ts';
import { CURRENCIES } from '../money/amount.ts';
import { dateOf } from '../money/calendar.ts';
import { formatPico } from '../money/price.ts';
import { type Bill, MEASURES, type Measure, type Sums } from './bill.ts';
import { CAUSES, type Comparison, type Difference } from './compare.ts';
import type { DayRange } from './provider-reports.ts';

/**
 * Maximum number of listed differences. Differences beyond the tolerance are listed first. The
 * field `beyond` also counts differences that are not listed.
 */
const MAX_DIFFERENCES = 500;

const date = built(() => z.string().meta({ format: 'date', description: 'A day, UTC.' }));
const count = built(() => z.int().min(0));
const SUMS = built(() =>
  z
    .strictObject({
      requests: count().nullable(),
      prompt: count().nullable().meta({ description: 'All input tokens, including cached ones.' }),
      cache_read: count().nullable(),
      cache_write: count().nullable(),
      output: count().nullable(),
      images: count().nullable(),
      cost: z
        .string()
        .nullable()
        .meta({ description: 'The cost, as a decimal string in `currency`.' }),
    })
    .meta({ id: 'ReconciledSums', description: 'The compared quantities. Null means unknown.' }),
);

export const RECONCILIATION = built(() =>
  z
    .strictObject({
      upstream: z.string(),
      from: date(),
      to: date().meta({ description: 'The last day that was compared.' }),
      source: z.enum(['report', 'csv']),
      currency: z.enum(CURRENCIES),
      tolerance: z
        .string()
        .meta({ description: 'The largest difference that is tolerated, in percent.' }),
      compared: count().meta({
        description: 'The number of pairs of a day and a model that were compared.',
      }),
      beyond: count().meta({ description: 'The number of differences that exceed the tolerance.' }),
      billed: SUMS(),
      receipts: SUMS(),
      uncosted: z.array(z.string()).meta({
        description:
          'Models without a configured `cost` in this currency. Their costs are not compared.',
      }),
      differences: z.array(
        z.strictObject({
          day: date(),
          model: z.string().nullable().meta({
            description:
              "The provider's name for the model; null: fees that are billed apart from models.",
          }),
          billed: SUMS(),
          receipts: SUMS(),
          estimated: count().meta({ description: 'The number of receipts with estimated tokens.' }),
          cause: z.enum(CAUSES),
          beyond: z.boolean(),
        }),
      ),
    })
    .meta({ id: 'Reconciliation' }),
);
export type Reconciliation = z.infer<ReturnType<typeof RECONCILIATION>>;

export type Reconciled = {
  readonly upstream: string;
  readonly days: DayRange;
  readonly source: Reconciliation['source'];
  readonly currency: Bill['currency'];
  readonly tolerance: string;
  readonly comparison: Comparison;
};

export function reconciliationOf(of: Reconciled): Reconciliation {
  const { upstream, days, source, currency, tolerance, comparison } = of;
  const { differences } = comparison;
  return {
    upstream,
    from: dateOf(days.from),
    to: dateOf(days.to),
    source,
    currency,
    tolerance,
    compared: comparison.compared,
    beyond: differences.filter(({ isBeyond }) => isBeyond).length,
    billed: sumsBody(comparison.billed),
    receipts: sumsBody(comparison.receipts),
    uncosted: [...comparison.uncosted],
    differences: differences
      .toSorted((a, b) => Number(b.isBeyond) - Number(a.isBeyond))
      .slice(0, MAX_DIFFERENCES)
      .map(differenceBody),
  };
}

const differenceBody = (it: Difference): Reconciliation['differences'][number] => ({
  day: dateOf(it.day),
  model: it.model,
  billed: sumsBody(it.billed),
  receipts: sumsBody(it.receipts),
  estimated: it.estimated,
  cause: it.cause,
  beyond: it.isBeyond,
});

function sumsBody(sums: Sums): z.infer<ReturnType<typeof SUMS>> {
  const of = (name: Measure): number | null => (sums[name] === null ? null : Number(sums[name]));
  const counts = Object.fromEntries(
    MEASURES.filter((name) => name !== 'cost').map((name) => [name, of(name)]),
  );
  return SUMS().parse({ ...counts, cost: sums.cost === null ? null : formatPico(sums.cost) });
}
