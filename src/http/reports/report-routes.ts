/** What an account may read of its own money and requests, with any of its keys. */
import type { UsageDimension } from '../../accounts/reports/usage-report.ts';
import { jsonSchema } from '../admin/admin-schemas.ts';
import { answerSchema } from '../answer-schema.ts';
import type { KeyCall, Route, RouteDoc } from '../route.ts';
import { costBody, REQUEST_COLUMNS, requestBody, USAGE_COLUMNS, usageBody } from './report-body.ts';
import { LEDGER_QUERY, REQUESTS_QUERY, USAGE_QUERY } from './report-query.ts';
import { MOVEMENT_PAGE, ONE_REQUEST, REQUEST_PAGE, USAGE_PAGE } from './report-schemas.ts';
import {
  ledgerReport,
  type ReportDeps,
  requestOf,
  requestsReport,
  usageReport,
} from './reports.ts';

const PREFIXES = ['/v1', '/v2'] as const;
const LIST_TYPES = ['application/json', 'text/csv'] as const;
/** A caller's keys are all of one account, so there is none to group by. */
const GROUP_BY: readonly UsageDimension[] = ['day', 'model', 'key', 'channel'];
const OWN_REQUEST = { columns: REQUEST_COLUMNS, body: requestBody };
const OWN_USAGE = { columns: USAGE_COLUMNS, body: usageBody };
const PRIVATE = { 'cache-control': 'no-store' } as const;

type Handle = (deps: ReportDeps, call: KeyCall) => Promise<Response>;

export function reportRoutes(deps: ReportDeps): readonly Route[] {
  const get = (path: string, doc: Omit<RouteDoc, 'tag'>, handle: Handle): readonly Route[] =>
    PREFIXES.map((prefix) => ({
      method: 'GET',
      path: prefix + path,
      auth: 'key',
      dialect: 'both',
      doc: { ...doc, tag: 'account' },
      handle: (call) => handle(deps, call),
    }));
  return [
    ...get(
      '/ledger',
      {
        summary: "Every movement of the account's wallets, newest first",
        query: jsonSchema(LEDGER_QUERY),
        response: answerSchema(MOVEMENT_PAGE),
        mediaTypes: LIST_TYPES,
      },
      (_, call) => ledgerReport(deps, call, call.caller.accountId),
    ),
    ...get(
      '/usage',
      {
        summary: 'Use and charges by day, model, key and channel, with their totals',
        query: jsonSchema(USAGE_QUERY),
        response: answerSchema(USAGE_PAGE),
        mediaTypes: LIST_TYPES,
      },
      (_, call) => usageReport(deps, call, call.caller.accountId, GROUP_BY, OWN_USAGE),
    ),
    ...get(
      '/requests',
      {
        summary: "The account's requests, newest first",
        query: jsonSchema(REQUESTS_QUERY),
        response: answerSchema(REQUEST_PAGE),
        mediaTypes: LIST_TYPES,
      },
      (_, call) => requestsReport(deps, call, call.caller.accountId, OWN_REQUEST),
    ),
    ...get(
      '/requests/:id',
      { summary: 'One request, its cost line by line', response: answerSchema(ONE_REQUEST) },
      oneRequest,
    ),
  ];
}

const oneRequest: Handle = async (deps, { params, caller }) => {
  const request = await requestOf(deps, params['id'] ?? '', caller.accountId);
  const cost = await deps.costs.of(request);
  const body = { ...requestBody(request), cost_details: costBody(request, cost) };
  return Response.json({ data: body }, { headers: PRIVATE });
};
