/** Routes that compare providers' bills with the receipts, and list the nightly comparisons. */
import * as z from 'zod';
import { DEFAULT_PAGE } from '../../accounts/page.ts';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { DAY_MS, dateOf, dayOf } from '../../money/calendar.ts';
import { CSV_FIELDS } from '../../reconcile/csv-report.ts';
import type { DayRange } from '../../reconcile/provider-reports.ts';
import { type CsvSource, MAX_DAYS, type Reconciler } from '../../reconcile/reconciler.ts';
import { RECONCILIATION, type Reconciliation } from '../../reconcile/reconciliation.ts';
import type { Reconciliations, StoredReconciliation } from '../../reconcile/reconciliations.ts';
import { isoTime } from '../caller/account-body.ts';
import { date, time } from '../edge/answer-schema.ts';
import { checked, checkedQuery, id, limit, text, walletCurrency } from '../edge/request-schema.ts';
import { adminRoute, type Call, type Route } from '../edge/route.ts';

const DAY = 'must be a day such as 2026-11-21';
const day = z.iso
  .date({ error: DAY })
  .transform((given) => Date.parse(`${given}T00:00:00Z`) / DAY_MS);
const CSV = 'must be text of 1 to 1,000,000 characters';

const ASKED = z.strictObject({
  upstream: id.optional(),
  /** The first day (UTC) to compare. Default: `to`, or yesterday if `to` is missing too. */
  from: day.optional(),
  /** The last day (UTC) to compare, inclusive. Default: `from`. */
  to: day.optional(),
  /** The provider's bill as CSV; if omitted, the gateway fetches the provider's usage report. */
  csv: z.string({ error: CSV }).min(1, { error: CSV }).max(1_000_000, { error: CSV }).optional(),
  /**
   * The name of the CSV column that holds each field of the bill, such as `day` or `cost`. A field
   * without an entry is in the column of its own name.
   */
  columns: z
    .partialRecord(z.enum(CSV_FIELDS), text(100), {
      error: `must map any of ${CSV_FIELDS.join(', ')} to names of columns`,
    })
    .optional(),
  /** The currency of the costs in the CSV. */
  currency: walletCurrency.optional(),
});

export const RECONCILED = z
  .strictObject({ data: z.array(RECONCILIATION()) })
  .meta({ id: 'Reconciliations' });

const NIGHT = z
  .strictObject({
    upstream: z.string(),
    to: date.meta({ description: 'The last day that was compared.' }),
    at: time,
    result: RECONCILIATION().nullable(),
    failure: z.string().nullable().meta({
      description:
        'Why there is no result yet; null: there is one. The comparison is retried every hour.',
    }),
  })
  .meta({ id: 'NightlyReconciliation' });

/** Maximum number of nightly comparisons to list, enough for a dozen upstreams in a month. */
const MAX_NIGHTS = 400;
const NIGHTS_QUERY = z.strictObject({ limit });

export type AdminReconcileDeps = {
  readonly stored: Pick<Reconciliations, 'newest'>;
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
  adminRoute(
    'GET /ledger/reconciliations',
    {
      summary: 'List the nightly comparisons with the usage reports of providers, newest first',
      query: NIGHTS_QUERY,
      response: z.strictObject({ data: z.array(NIGHT) }),
    },
    async ({ url }) => {
      const { limit: wanted = DEFAULT_PAGE } = checkedQuery(NIGHTS_QUERY, url).query;
      const nights = await deps.stored.newest(Math.min(wanted, MAX_NIGHTS));
      return Response.json({ data: nights.map(nightBody) });
    },
  ),
];

const nightBody = ({ day: last, atMs, ...night }: StoredReconciliation): z.infer<typeof NIGHT> => ({
  ...night,
  to: dateOf(last),
  at: isoTime(atMs),
});

async function reconcile({ reconciler, clock }: AdminReconcileDeps, call: Call) {
  const asked = checked(ASKED, await call.readJson());
  const days = daysOf(asked, dayOf(clock.nowMs()));
  const csv = csvOf(asked);
  const upstreams = asked.upstream === undefined ? reconciler.upstreams : [asked.upstream];
  if (upstreams.length === 0)
    throw new GatewayError(
      'missing_required_parameter',
      'No upstream has a `reconcile` setting. Add one, or send the bill as `csv` with its `upstream`.',
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
  throw new GatewayError(
    'missing_required_parameter',
    '`upstream` is required with `csv`: the upstream that the bill is for.',
    {
      param: 'upstream',
    },
  );
}
