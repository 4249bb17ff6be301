/** The route for the operator's start page, which summarizes the business of all accounts. */
import * as z from 'zod';
import type { BackupSchedule } from '../../backups/backup-schedule.ts';
import type { Clock } from '../../clock.ts';
import { formatAmount, nano } from '../../money/amount.ts';
import { dateOf } from '../../money/calendar.ts';
import type { OperatorSummary, Ranked, Summary } from '../../reports/operator/operator-summary.ts';
import { MAX_GROUPS, type UsageGroup } from '../../reports/usage-report.ts';
import { daysOf, SUMMARY_QUERY } from '../caller/reports/report-query.ts';
import { amount, count, currency, date, NO_STORE } from '../edge/answer-schema.ts';
import { checkedQuery } from '../edge/request-schema.ts';
import { adminRoute, type Call, type Route } from '../edge/route.ts';
import { BOOKS_SUMS, sumsBody } from './books-body.ts';

const failed = count.meta({
  description: 'The number of requests with an outcome other than `completed`.',
});
const USD = 'The charges in USD, each converted at the exchange rate at the time of the request.';
const ranked = {
  id: z.string(),
  ...{ requests: count, failed, charge_usd: amount.meta({ description: USD }) },
} as const;

const SUMMARY = z
  .strictObject({
    from: date.meta({ description: 'The first day (UTC).' }),
    to: date.meta({ description: 'The last day (UTC), included.' }),
    books: z.array(z.strictObject(BOOKS_SUMS)).meta({
      description: 'The revenue, cost and profit in each currency with requests or refunds.',
    }),
    days: z
      .array(
        z.strictObject({
          day: date,
          ...{ currency, requests: count, failed },
          charged: amount.meta({ description: 'Charges for requests, before refunds.' }),
        }),
      )
      .meta({
        description:
          'The requests and charges of each day and currency, newest first. Days without requests are absent.',
      }),
    accounts: z
      .array(z.strictObject({ ...ranked, name: z.string() }))
      .nullable()
      .meta({
        description: `The accounts with the highest charges. Null: more than ${MAX_GROUPS} accounts had requests; choose fewer days.`,
      }),
    models: z
      .array(z.strictObject(ranked))
      .meta({ description: 'The models with the highest charges.' }),
    overruns: count.meta({
      description: 'The number of requests that cost more than the amount held for them.',
    }),
    failed_backups: count.meta({
      description: 'The number of scheduled backups that failed since the last sound backup.',
    }),
    new_accounts: count,
    new_people: count,
    low_wallets: count.meta({
      description: 'The number of wallets that are now below their alert threshold.',
    }),
    first_low_wallets: z.array(
      z.strictObject({ account_id: z.string(), name: z.string(), currency }),
    ),
  })
  .meta({ id: 'OperatorSummary' });

export type AdminSummaryDeps = {
  readonly summary: Pick<OperatorSummary, 'of'>;
  readonly schedule: Pick<BackupSchedule, 'state'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export const adminSummaryRoutes = (deps: AdminSummaryDeps): readonly Route[] => [
  adminRoute(
    'GET /summary',
    {
      summary:
        'Read the total revenue, cost, failures and problems of all accounts, by default for 30 days',
      query: SUMMARY_QUERY,
      response: SUMMARY,
    },
    (call) => summed(deps, call),
  ),
];

async function summed(
  { summary, schedule, clock }: AdminSummaryDeps,
  { url }: Call,
): Promise<Response> {
  const { query } = checkedQuery(SUMMARY_QUERY, url);
  const days = daysOf(query, clock.nowMs());
  const body = {
    ...summaryBody(await summary.of(days.fromDay, days.toDay), days),
    failed_backups: schedule.state.failed?.count ?? 0,
  };
  return Response.json(body, { headers: NO_STORE });
}

const summaryBody = (
  { books, accounts, models, ...of }: Summary,
  { fromDay, toDay }: ReturnType<typeof daysOf>,
): Omit<z.infer<typeof SUMMARY>, 'failed_backups'> => ({
  ...{ from: dateOf(fromDay), to: dateOf(toDay) },
  books: books.map(sumsBody),
  days: of.days.map(dayBody),
  accounts: accounts?.map((account) => ({ ...rankedBody(account), name: account.name })) ?? null,
  models: models.map(rankedBody),
  overruns: of.overruns,
  new_accounts: of.newAccounts,
  new_people: of.newPeople,
  low_wallets: of.low.count,
  first_low_wallets: of.low.first.map(({ accountId, name, currency: unit }) => ({
    ...{ account_id: accountId, name, currency: unit },
  })),
});

const dayBody = ({ day, currency: unit, requests, incomplete, charge }: UsageGroup) => ({
  day: dateOf(day ?? 0),
  ...{ currency: unit, requests: Number(requests), failed: Number(incomplete) },
  charged: formatAmount(charge),
});

const rankedBody = ({ id, requests, failed: lost, metered }: Ranked) => ({
  id,
  ...{ requests: Number(requests), failed: Number(lost) },
  charge_usd: formatAmount(nano(metered)),
});
