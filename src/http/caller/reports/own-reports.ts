/** The reports of one account, which its API keys and its members may read. */
import type { UsageDimension } from '../../../reports/usage-report.ts';
import { answerSchema } from '../../edge/answer-schema.ts';
import { jsonSchema } from '../../edge/request-schema.ts';
import type { Call, RouteDoc } from '../../edge/route.ts';
import type { Reader } from './report-list.ts';
import {
  HISTOGRAM_QUERY,
  LEDGER_QUERY,
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

const LIST_TYPES = ['application/json', 'text/csv'] as const;
/** Without `account`: all keys belong to the same one. */
const GROUP_BY: readonly UsageDimension[] = ['day', 'model', 'key', 'channel'];
const PRIVATE = { 'cache-control': 'no-store' } as const;

/** A report of one account. The route that registers it passes the account's id. */
export type OwnReport = {
  readonly path: string;
  readonly doc: Omit<RouteDoc, 'tag'>;
  readonly answer: (call: Call, accountId: string) => Promise<Response>;
};

export const ownReports = (deps: ReportDeps, reader: Reader): readonly OwnReport[] => [
  {
    path: '/ledger',
    doc: {
      summary: "Movements of the account's wallets, newest first",
      query: jsonSchema(LEDGER_QUERY),
      response: answerSchema(MOVEMENT_PAGE),
      mediaTypes: LIST_TYPES,
    },
    answer: (call, accountId) => ledgerReport(deps, call, accountId, reader),
  },
  {
    path: '/statements',
    doc: {
      summary:
        'Monthly statements: opening and closing balance of each wallet, and the movements between',
      query: jsonSchema(STATEMENTS_QUERY),
      response: answerSchema(MONTHS),
      mediaTypes: LIST_TYPES,
    },
    answer: (call, accountId) => monthsReport(deps, call, accountId, reader),
  },
  {
    path: '/usage',
    doc: {
      summary: 'Usage and charges by day, model, key and channel, with totals',
      query: jsonSchema(USAGE_QUERY),
      response: answerSchema(USAGE_PAGE),
      mediaTypes: LIST_TYPES,
    },
    answer: (call, accountId) => usageReport(deps, call, accountId, GROUP_BY, USAGE, reader),
  },
  {
    path: '/requests',
    doc: {
      summary: "The account's requests, newest first",
      query: jsonSchema(REQUESTS_QUERY),
      response: answerSchema(REQUEST_PAGE),
      mediaTypes: LIST_TYPES,
    },
    answer: (call, accountId) => requestsReport(deps, call, accountId, REQUEST, reader),
  },
  {
    path: '/requests/histogram',
    doc: {
      summary: 'Number of requests over time, and how many failed',
      query: jsonSchema(HISTOGRAM_QUERY),
      response: answerSchema(HISTOGRAM),
    },
    answer: (call, accountId) => histogramReport(deps, call, accountId),
  },
  {
    path: '/requests/:id',
    doc: {
      summary: 'One request, with its cost line by line',
      response: answerSchema(ONE_REQUEST),
    },
    answer: (call, accountId) => oneRequest(deps, call, accountId),
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
  return Response.json({ data: requestDetails(request, cost, held) }, { headers: PRIVATE });
}
