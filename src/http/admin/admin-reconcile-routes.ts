/** Routes that compare providers' bills with the receipts, and list what the nights found. */
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { DAY_MS, dayOf } from '../../money/calendar.ts';
import { CSV_FIELDS } from '../../reconcile/csv-report.ts';
import type { DayRange } from '../../reconcile/provider-reports.ts';
import { type CsvSource, MAX_DAYS, type Reconciler } from '../../reconcile/reconciler.ts';
import { RECONCILIATION, type Reconciliation } from '../../reconcile/reconciliation.ts';
import { checked, id, text, walletCurrency } from '../edge/request-schema.ts';
import { adminRoute, type Call, type Route } from '../edge/route.ts';

const DAY = 'must be a day such as 2026-11-21';
const day = z
  .string({ error: DAY })
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: DAY })
  .transform((given) => Date.parse(`${given}T00:00:00Z`) / DAY_MS)
  .refine((value) => !Number.isNaN(value), { error: DAY });
const CSV = 'must be text of 1 to 1,000,000 characters';

const ASKED = z.strictObject({
  upstream: id.optional(),
  /** The first and the last day (UTC); by default the last complete one. */
  from: day.optional(),
  to: day.optional(),
  /** The provider's bill in CSV, instead of its report. */
  csv: z.string({ error: CSV }).min(1, { error: CSV }).max(1_000_000, { error: CSV }).optional(),
  /** The names of the CSV's columns, by field. */
  columns: z
    .partialRecord(z.enum(CSV_FIELDS), text(100), {
      error: `must map any of ${CSV_FIELDS.join(', ')} to names of columns`,
    })
    .optional(),
  /** The currency of the costs in the CSV. */
  currency: walletCurrency.optional(),
});

export const RECONCILED = z
  .strictObject({ data: z.array(RECONCILIATION) })
  .meta({ id: 'Reconciliations' });

export type AdminReconcileDeps = {
  readonly reconciler: Pick<Reconciler, 'run' | 'upstreams'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export const adminReconcileRoutes = (deps: AdminReconcileDeps): readonly Route[] => [
  adminRoute(
    'POST /ledger/reconcile',
    {
      summary: "Compare a provider's usage report, or its bill as CSV, with the receipts",
      request: ASKED,
      response: RECONCILED,
    },
    (call) => reconcile(deps, call),
  ),
];

async function reconcile({ reconciler, clock }: AdminReconcileDeps, call: Call) {
  const asked = checked(ASKED, await call.readJson());
  const days = daysOf(asked, dayOf(clock.nowMs()));
  const csv = csvOf(asked);
  const upstreams = asked.upstream === undefined ? reconciler.upstreams : [asked.upstream];
  if (upstreams.length === 0)
    throw new GatewayError(
      'missing_required_parameter',
      'No upstream has a `reconcile` setting. Add one, or give the bill as `csv` with its `upstream`.',
      { param: 'upstream' },
    );
  const data: Reconciliation[] = [];
  for (const upstream of upstreams) data.push(await reconciler.run(upstream, days, csv));
  return Response.json({ data });
}

type Asked = z.infer<typeof ASKED>;

function daysOf({ from, to }: Asked, today: number): DayRange {
  const last = to ?? from ?? today - 1;
  const first = from ?? last;
  if (last < first)
    throw new GatewayError('invalid_value', '`to` must not be before `from`.', { param: 'to' });
  if (last - first >= MAX_DAYS)
    throw new GatewayError('invalid_value', `Compare at most ${MAX_DAYS} days at once.`, {
      param: 'from',
    });
  return { from: first, to: last };
}

function csvOf({ csv, columns = {}, currency = 'USD', upstream }: Asked): CsvSource | null {
  if (csv === undefined) return null;
  if (upstream !== undefined) return { text: csv, columns, currency };
  throw new GatewayError('missing_required_parameter', 'Name the `upstream` of the `csv`.', {
    param: 'upstream',
  });
}
