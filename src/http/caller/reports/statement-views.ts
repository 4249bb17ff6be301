/** Movements of a wallet and monthly statements as the APIs show them. */
import * as z from 'zod';
import { formatAmount, nano } from '../../../money/amount.ts';
import { formatFxRate } from '../../../money/price.ts';
import type { MonthlyStatement } from '../../../reports/monthly-statements.ts';
import { MOVEMENT_KINDS, type Movement } from '../../../reports/statements.ts';
import { amount, currency, next, span, time } from '../../edge/answer-schema.ts';
import { isoTime } from '../account-body.ts';
import { viewsOf } from './report-view.ts';

const string = z.string();

const { text, figure, summed, view } = viewsOf<Movement>();
export const MOVEMENT = view(
  { id: 'Movement' },
  {
    id: text(string, ({ id }) => id),
    at: figure(time, ({ atMs }) => isoTime(atMs)),
    kind: text(z.enum(MOVEMENT_KINDS), ({ kind }) => kind),
    currency: text(currency, (movement) => movement.currency),
    amount: summed(
      amount.meta({ description: 'The change of the balance; negative: money left the wallet.' }),
      (movement) => formatAmount(movement.amount),
    ),
    balance_after: figure(amount, ({ balanceAfter }) => formatAmount(balanceAfter)),
    source: text(
      string.meta({
        description: 'The ledger account from which the money came, or to which it went.',
      }),
      ({ opposite }) => opposite,
    ),
    reason: text(string.nullable(), ({ reason }) => reason),
    request_id: text(string.nullable(), ({ requestId }) => requestId),
    fx_rate: text(string.nullable(), ({ rate }) => rate?.id ?? null),
    fx_price: figure(amount.nullable(), ({ rate }) =>
      rate === null ? null : formatFxRate(rate.scaled),
    ),
  },
);
export const MOVEMENT_PAGE = z.strictObject({ data: z.array(MOVEMENT.schema), next, ...span });

const month = viewsOf<MonthlyStatement>();
export const MONTH = month.view(
  {
    id: 'MonthlyStatement',
    description:
      '`closing` is `opening` + `came_in` + `went_out`, and also `opening` + `top_ups` + `requests` + `refunds` + `exchanged` + `adjusted`.',
  },
  {
    month: month.text(
      string.meta({ description: 'A month (UTC).', examples: ['2026-11'] }),
      (statement) => statement.month,
    ),
    currency: month.text(currency, (statement) => statement.currency),
    opening: month.figure(amount, ({ opening }) => formatAmount(opening)),
    came_in: month.figure(amount, ({ cameIn }) => formatAmount(cameIn)),
    went_out: month.figure(
      amount.meta({ description: 'The sum of all debits, zero or negative.' }),
      ({ wentOut }) => formatAmount(wentOut),
    ),
    top_ups: month.figure(
      amount.meta({ description: 'The sum of credits, with the bonuses on payments.' }),
      ({ moved }) => formatAmount(moved.credit),
    ),
    requests: month.figure(
      amount.meta({
        description: 'The sum of charges for requests, with their corrections; zero or negative.',
      }),
      ({ moved }) => formatAmount(nano(moved.settle + moved.late)),
    ),
    refunds: month.figure(amount, ({ moved }) => formatAmount(moved.refund)),
    exchanged: month.figure(amount, ({ moved }) => formatAmount(moved.exchange)),
    adjusted: month.figure(amount, ({ moved }) => formatAmount(moved.adjust)),
    closing: month.figure(amount, ({ closing }) => formatAmount(closing)),
  },
);
export const MONTHS = z.strictObject({
  data: z.array(MONTH.schema),
  next,
  is_whole: z.boolean().meta({
    description:
      'Whether the sums include all movements. If false, repeat the request; its sums then include more of them.',
  }),
});
