/** Usage, grouped by fields such as day and model, as the APIs show it. */
import * as z from 'zod';
import { formatAmount } from '../../../money/amount.ts';
import { dateOf } from '../../../money/calendar.ts';
import { perTokenField } from '../../../money/usage.ts';
import type { UsageGroup } from '../../../reports/usage-report.ts';
import { amount, count, currency, date, next } from '../../edge/answer-schema.ts';
import { viewsOf } from './report-view.ts';

const name = z.string().nullable();

const { text, figure, summed, view } = viewsOf<UsageGroup>();
const ROW = {
  day: figure(date.nullable(), ({ day }) => (day === null ? null : dateOf(day))),
  model: text(name, ({ model }) => model),
  key_id: text(name, ({ key }) => key),
  channel: text(name, ({ channel }) => channel),
  currency: text(currency, (group) => group.currency),
  requests: summed(count, ({ requests }) => Number(requests)),
  incomplete: summed(count, ({ incomplete }) => Number(incomplete)),
  ...perTokenField(({ column }) => summed(count, (group) => Number(group[column]))),
  images: summed(count, ({ images }) => Number(images)),
  charge: summed(amount, ({ charge }) => formatAmount(charge)),
  loss: summed(amount, ({ loss }) => formatAmount(loss)),
  // This amount is in USD; all others are in the currency of their group.
  cost_usd: summed(
    amount.meta({
      description: 'The charges in USD, each converted at the exchange rate of its request.',
    }),
    ({ metered }) => formatAmount(metered),
  ),
};
export const USAGE = view(
  {
    id: 'UsageRow',
    description: 'Usage of one group. Fields by which the rows are not grouped are null.',
  },
  ROW,
);
export const ADMIN_USAGE = view(
  { id: 'AdminUsageRow' },
  { ...ROW, account_id: text(name, ({ account }) => account) },
);

const usagePage = <Row extends z.ZodType, Dimension extends z.ZodType>(
  row: Row,
  dimension: Dimension,
) =>
  z.strictObject({
    data: z.array(row),
    next,
    total: z.array(row).meta({ description: 'The totals over all pages, one row per currency.' }),
    group_by: z.array(dimension),
    from: date,
    to: date,
  });
export const USAGE_PAGE = usagePage(USAGE.schema, z.enum(['day', 'model', 'key', 'channel']));
export const ADMIN_USAGE_PAGE = usagePage(
  ADMIN_USAGE.schema,
  z.enum(['day', 'account', 'model', 'key', 'channel']),
);
