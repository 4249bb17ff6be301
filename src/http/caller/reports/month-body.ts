/** A month of a wallet as the APIs show it, and the columns it has as CSV. */
import type { z } from 'zod';
import { formatAmount, nano } from '../../../money/amount.ts';
import type { MonthlyStatement } from '../../../reports/monthly-statements.ts';
import type { CsvColumns } from './csv.ts';
import type { MONTH } from './report-schemas.ts';

export const MONTH_COLUMNS: CsvColumns = {
  month: 'text',
  currency: 'text',
  opening: 'number',
  came_in: 'number',
  went_out: 'number',
  top_ups: 'number',
  requests: 'number',
  refunds: 'number',
  exchanged: 'number',
  adjusted: 'number',
  closing: 'number',
};

export function monthBody(statement: MonthlyStatement): z.infer<typeof MONTH> {
  const { moved } = statement;
  return {
    month: statement.month,
    currency: statement.currency,
    opening: formatAmount(statement.opening),
    came_in: formatAmount(statement.cameIn),
    went_out: formatAmount(statement.wentOut),
    top_ups: formatAmount(moved.credit),
    requests: formatAmount(nano(moved.settle + moved.late)),
    refunds: formatAmount(moved.refund),
    exchanged: formatAmount(moved.exchange),
    adjusted: formatAmount(moved.adjust),
    closing: formatAmount(statement.closing),
  };
}
