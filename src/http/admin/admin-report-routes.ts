/** Reports for administrators: on any account, on the whole ledger, and the audit log. */
import * as z from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import { formatAmount, type NanoAmount, nano } from '../../money/amount.ts';
import { dateOf } from '../../money/calendar.ts';
import type { BooksByMonth, BooksMonth } from '../../reports/books-by-month.ts';
import { BOOK_ACCOUNTS, type BooksReport } from '../../reports/books-report.ts';
import type { LoggedRequest } from '../../reports/request-log.ts';
import { USAGE_DIMENSIONS } from '../../reports/usage-report.ts';
import type { AttemptFailures } from '../../telemetry/refused/attempt-failures.ts';
import { textOf } from '../caller/alert-thresholds.ts';
import { AUDIT_PAGE } from '../caller/reports/audit-view.ts';
import {
  ADMIN_REFUSAL,
  ADMIN_REFUSAL_PAGE,
  ONE_ADMIN_REFUSAL,
  providerErrors,
  REFUSAL_COUNTS,
  type RefusalDeps,
  refusalCounts,
  refusalOf,
  refusalsReport,
} from '../caller/reports/refusals-report.ts';
import { listDoc, type Reader } from '../caller/reports/report-list.ts';
import {
  ALL_HISTOGRAM_QUERY,
  ALL_REFUSAL_COUNTS_QUERY,
  ALL_REFUSALS_QUERY,
  ALL_REQUESTS_QUERY,
  ALL_USAGE_QUERY,
  AUDIT_QUERY,
  LEDGER_QUERY,
} from '../caller/reports/report-query.ts';
import {
  auditReport,
  histogramReport,
  ledgerReport,
  type ReportDeps,
  requestOf,
  requestsReport,
  usageReport,
} from '../caller/reports/reports.ts';
import {
  ADMIN_REQUEST,
  ADMIN_REQUEST_PAGE,
  costBody,
  HISTOGRAM,
  ONE_ADMIN_REQUEST,
} from '../caller/reports/request-views.ts';
import { MOVEMENT_PAGE } from '../caller/reports/statement-views.ts';
import { ADMIN_USAGE, ADMIN_USAGE_PAGE } from '../caller/reports/usage-views.ts';
import { amount, currency } from '../edge/answer-schema.ts';
import { type AdminCall, adminRoute, type Call, idOf, type Route } from '../edge/route.ts';
import { BOOKS_SUMS, sumsBody } from './books-body.ts';

const BOOKS = z.strictObject({
  data: z.array(
    z
      .strictObject({ account: z.enum(BOOK_ACCOUNTS), currency, balance: amount })
      .meta({ id: 'BookBalance' }),
  ),
});

/**
 * Number of months in the report, so that a month can be compared with the same month of the
 * previous year.
 */
const BOOKS_MONTHS = 13;
const BOOKS_BY_MONTH = z.strictObject({
  data: z.array(
    z
      .strictObject({
        month: z.string().meta({ description: 'A UTC month, such as 2026-11.' }),
        ...BOOKS_SUMS,
        paid: amount.meta({
          description: 'The sum of credits by administrators, redeemed codes and card payments.',
        }),
      })
      .meta({ id: 'BooksMonth' }),
  ),
});

/** The stored answers of providers to failed attempts. */
type FailureDeps = { readonly failures: Pick<AttemptFailures, 'of'> };

export type AdminReportDeps = ReportDeps &
  RefusalDeps &
  FailureDeps & {
    readonly accounts: Pick<Accounts, 'getAccount'>;
    readonly books: Pick<BooksReport, 'balances'>;
    readonly booksByMonth: Pick<BooksByMonth, 'last'>;
    /**
     * Returns what the operator pays the provider for the request at the currently configured cost,
     * in the currency of the charge; null if no cost is configured.
     */
    readonly operatorCost: (request: LoggedRequest) => NanoAmount | null;
  };

export function adminReportRoutes(deps: AdminReportDeps): readonly Route[] {
  return [
    adminRoute(
      'GET /accounts/:id/ledger',
      listDoc(
        "List every movement of an account's wallets, newest first",
        LEDGER_QUERY,
        MOVEMENT_PAGE,
      ),
      async (call) => {
        const account = await deps.accounts.getAccount(idOf(call));
        return await ledgerReport(deps, call, account.id, readerOf(call));
      },
    ),
    adminRoute(
      'GET /usage',
      listDoc(
        'Read the usage and charges of one or all accounts, with totals',
        ALL_USAGE_QUERY,
        ADMIN_USAGE_PAGE,
      ),
      (call) => usageReport(deps, call, null, USAGE_DIMENSIONS, ADMIN_USAGE, readerOf(call)),
    ),
    adminRoute(
      'GET /requests',
      listDoc(
        'List the requests of one or all accounts with their upstreams, newest first',
        ALL_REQUESTS_QUERY,
        ADMIN_REQUEST_PAGE,
      ),
      (call) => requestsReport(deps, call, null, ADMIN_REQUEST, readerOf(call)),
    ),
    adminRoute(
      'GET /requests/histogram',
      {
        summary: 'Count all requests and failed requests over time, of one or all accounts',
        query: ALL_HISTOGRAM_QUERY,
        response: HISTOGRAM,
      },
      (call) => histogramReport(deps, call, null),
    ),
    adminRoute(
      'GET /requests/:id',
      {
        summary: 'Read a request of any account with its itemized cost and its margin',
        response: ONE_ADMIN_REQUEST,
      },
      (call) => oneRequest(deps, call),
    ),
    ...refusalRoutes(deps),
    adminRoute(
      'GET /books',
      {
        summary: "Read the balances of the gateway's own ledger accounts, by currency",
        response: BOOKS,
      },
      () => books(deps),
    ),
    adminRoute(
      'GET /books/months',
      {
        summary:
          'Read revenue, cost, profit, losses and payments by month and currency, oldest first',
        response: BOOKS_BY_MONTH,
      },
      () => booksByMonth(deps),
    ),
    adminRoute(
      'GET /audit',
      listDoc(
        'List the audit log, newest first; `verify=true` checks the hash chain up to the newest listed entry',
        AUDIT_QUERY,
        AUDIT_PAGE,
      ),
      (call) => auditReport(deps, call),
    ),
  ];
}

const refusalRoutes = (deps: RefusalDeps & FailureDeps): readonly Route[] => [
  adminRoute(
    'GET /refusals',
    listDoc(
      'List the requests of one or all accounts that were refused before anything was charged',
      ALL_REFUSALS_QUERY,
      ADMIN_REFUSAL_PAGE,
    ),
    (call) => refusalsReport(deps, call, null, ADMIN_REFUSAL, readerOf(call)),
  ),
  adminRoute(
    'GET /refusals/counts',
    {
      summary: 'Count the refused requests of one or all accounts, by day and error code',
      query: ALL_REFUSAL_COUNTS_QUERY,
      response: REFUSAL_COUNTS,
    },
    (call) => refusalCounts(deps, call, null),
  ),
  adminRoute(
    'GET /refusals/:id',
    { summary: 'Read a refused request of any account', response: ONE_ADMIN_REFUSAL },
    async (call) => {
      const refusal = await refusalOf(deps, call, null);
      const provider_errors = providerErrors(await deps.failures.of(refusal.requestId));
      return Response.json({ data: { ...ADMIN_REFUSAL.body(refusal), provider_errors } });
    },
  ),
];

/**
 * Returns the kind of reader of a CSV file: `person` for a signed-in administrator, `program` for
 * the administrator's token. Only a file for a `person` ends with totals.
 */
const readerOf = ({ actor }: AdminCall): Reader => (actor === 'admin' ? 'program' : 'person');

async function oneRequest(deps: AdminReportDeps, { params }: Call): Promise<Response> {
  const request = await requestOf(deps, params['id'] ?? '', null);
  const cost = await deps.costs.of(request);
  const paid = deps.operatorCost(request);
  const margin = paid === null ? null : nano(request.charge - request.refunded - paid);
  return Response.json({
    data: {
      ...ADMIN_REQUEST.body(request),
      cost_details: costBody(request, cost),
      provider_errors: providerErrors(await deps.failures.of(request.requestId)),
      operator_cost: textOf(paid),
      margin: textOf(margin),
    },
  });
}

/**
 * Returns the balances of the ledger accounts. Each currency has its own balance, because amounts
 * are never summed across currencies.
 */
async function books({ books: report }: AdminReportDeps): Promise<Response> {
  const balances = await report.balances();
  const data = balances.map((of) => ({ ...of, balance: formatAmount(of.balance) }));
  return Response.json({ data });
}

async function booksByMonth({ booksByMonth: report, clock }: AdminReportDeps): Promise<Response> {
  const months = await report.last(BOOKS_MONTHS, clock.nowMs());
  return Response.json({ data: months.map(monthBody) });
}

const monthBody = (of: BooksMonth) => ({
  month: dateOf(of.month).slice(0, 7),
  ...sumsBody(of),
  paid: formatAmount(of.paid),
});
