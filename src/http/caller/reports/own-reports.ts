/** The reports of one account, which its API keys and its members may read. */
import type { UsageDimension } from '../../../reports/usage-report.ts';
import { NO_STORE } from '../../edge/answer-schema.ts';
import {
  type Call,
  callerRoutes,
  type Doc,
  type MethodAndPath,
  type Route,
} from '../../edge/route.ts';
import {
  ONE_REFUSAL,
  REFUSAL,
  REFUSAL_COUNTS,
  REFUSAL_PAGE,
  type RefusalDeps,
  refusalCounts,
  refusalOf,
  refusalsReport,
} from './refusals-report.ts';
import { listDoc, type Reader } from './report-list.ts';
import {
  HISTOGRAM_QUERY,
  LEDGER_QUERY,
  REFUSAL_COUNTS_QUERY,
  REFUSALS_QUERY,
  REQUESTS_QUERY,
  STATEMENTS_QUERY,
  USAGE_QUERY,
} from './report-query.ts';
import {
  histogramReport,
  ledgerReport,
  monthsReport,
  type ReportDeps,
  requestOf,
  requestsReport,
  usageReport,
} from './reports.ts';
import { HISTOGRAM, ONE_REQUEST, REQUEST, REQUEST_PAGE, requestDetails } from './request-views.ts';
import { MONTHS, MOVEMENT_PAGE } from './statement-views.ts';
import { USAGE, USAGE_PAGE } from './usage-views.ts';

/**
 * The dimensions by which callers can group usage. `account` is missing, because a caller has only
 * one account.
 */
const GROUP_BY: readonly UsageDimension[] = ['day', 'model', 'key', 'channel'];
/** A report on one account. The route that registers it passes the account's id. */
export type OwnReport = {
  readonly at: MethodAndPath;
  readonly doc: Doc;
  readonly answer: (call: Call, accountId: string) => Promise<Response>;
};

export type OwnReportDeps = ReportDeps & RefusalDeps;

export const ownReports = (deps: OwnReportDeps, reader: Reader): readonly OwnReport[] => [
  {
    at: 'GET /ledger',
    doc: listDoc(
      "List the movements of the account's wallets, newest first",
      LEDGER_QUERY,
      MOVEMENT_PAGE,
    ),
    answer: (call, accountId) => ledgerReport(deps, call, accountId, reader),
  },
  {
    at: 'GET /statements',
    doc: listDoc(
      'Read monthly statements: the opening and closing balance of each wallet, and the movements between them',
      STATEMENTS_QUERY,
      MONTHS,
    ),
    answer: (call, accountId) => monthsReport(deps, call, accountId, reader),
  },
  {
    at: 'GET /usage',
    doc: listDoc(
      'Read usage and charges by day, model, key and channel, with totals',
      USAGE_QUERY,
      USAGE_PAGE,
    ),
    answer: (call, accountId) => usageReport(deps, call, accountId, GROUP_BY, USAGE, reader),
  },
  {
    at: 'GET /requests',
    doc: listDoc("List the account's requests, newest first", REQUESTS_QUERY, REQUEST_PAGE),
    answer: (call, accountId) => requestsReport(deps, call, accountId, REQUEST, reader),
  },
  {
    at: 'GET /requests/histogram',
    doc: {
      summary: 'Count all requests and failed requests over time',
      query: HISTOGRAM_QUERY,
      response: HISTOGRAM,
    },
    answer: (call, accountId) => histogramReport(deps, call, accountId),
  },
  {
    at: 'GET /requests/:id',
    doc: { summary: 'Read a request with its itemized cost', response: ONE_REQUEST },
    answer: (call, accountId) => oneRequest(deps, call, accountId),
  },
  ...refusalReports(deps, reader),
];

const refusalReports = (deps: RefusalDeps, reader: Reader): readonly OwnReport[] => [
  {
    at: 'GET /refusals',
    doc: listDoc(
      'List requests that were refused before anything was charged, newest first',
      REFUSALS_QUERY,
      REFUSAL_PAGE,
    ),
    answer: (call, accountId) => refusalsReport(deps, call, accountId, REFUSAL, reader),
  },
  {
    at: 'GET /refusals/counts',
    doc: {
      summary: 'Count refused requests by day and error code',
      query: REFUSAL_COUNTS_QUERY,
      response: REFUSAL_COUNTS,
    },
    answer: (call, accountId) => refusalCounts(deps, call, accountId),
  },
  {
    at: 'GET /refusals/:id',
    doc: { summary: 'Read a refused request', response: ONE_REFUSAL },
    answer: async (call, accountId) => {
      const data = REFUSAL.body(await refusalOf(deps, call, accountId));
      return Response.json({ data }, { headers: NO_STORE });
    },
  },
];

async function oneRequest(
  deps: ReportDeps,
  { params }: Call,
  accountId: string,
): Promise<Response> {
  const request = await requestOf(deps, params['id'] ?? '', accountId);
  const [cost, held] = await Promise.all([
    deps.costs.of(request),
    deps.requests.heldFor(request.requestId),
  ]);
  return Response.json({ data: requestDetails(request, cost, held) }, { headers: NO_STORE });
}

export const reportRoutes = (deps: OwnReportDeps): readonly Route[] =>
  ownReports(deps, 'program').flatMap(({ at, doc, answer }) =>
    callerRoutes(at, 'usage', doc, (call) => answer(call, call.caller.accountId)),
  );
