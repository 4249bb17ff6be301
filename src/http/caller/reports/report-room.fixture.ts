/** The report and money routes behind the real HTTP edge, with random requests in a real ledger. */

import { dirname } from 'node:path';
import { Accounts } from '../../../accounts/accounts.ts';
import { stoppedClock } from '../../../accounts/store.fixture.ts';
import { NEVER } from '../../../backups/backup-record.ts';
import { Secret } from '../../../config/secret.ts';
import { ReceiptArchive } from '../../../ledger/archive/receipt-archive.ts';
import { AT_MS, USD_CNY } from '../../../ledger/conformance/ledger.fixture.ts';
import { NOTHING_HELD } from '../../../ledger/nothing-held.fixture.ts';
import { newFile, openFile } from '../../../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../../../money/amount.ts';
import { DAY_MS } from '../../../money/calendar.ts';
import { AuditLog } from '../../../reports/audit-log.ts';
import { BooksByMonth } from '../../../reports/books-by-month.ts';
import { BooksReport } from '../../../reports/books-report.ts';
import { StatementsByMonth } from '../../../reports/monthly-statements.ts';
import { ImageSums } from '../../../reports/operator/image-sums.ts';
import { OperatorSummary } from '../../../reports/operator/operator-summary.ts';
import { tradeAtRandom } from '../../../reports/reports.fixture.ts';
import { RequestCosts } from '../../../reports/request-cost.ts';
import { RequestHistogram } from '../../../reports/request-histogram.ts';
import { RequestLog } from '../../../reports/request-log.ts';
import { Statements } from '../../../reports/statements.ts';
import { UsageReport } from '../../../reports/usage-report.ts';
import { RefusalLog } from '../../../telemetry/refused/refusal-log.ts';
import { unreadJournal } from '../../../telemetry/request-journal.fixture.ts';
import { watchBalances } from '../../../topups/alerts/watched-ledger.ts';
import { adminMoneyRoutes } from '../../admin/admin-money-routes.ts';
import { adminReportRoutes } from '../../admin/admin-report-routes.ts';
import { adminSummaryRoutes } from '../../admin/admin-summary-routes.ts';
import { archiveRoutes } from '../../admin/archives/archive-routes.ts';
import { edgeOf } from '../../edge/edge.fixture.ts';
import { SeenBalances } from '../seen-balances.fixture.ts';
import { reportRoutes } from './own-reports.ts';

export const ADMIN_TOKEN = 'admin-token-of-the-tests';
/** The time at which the tests call the routes, after the last of the recorded requests. */
export const NOW_MS = AT_MS + 21 * DAY_MS;
/** The time at which receipts are archived. Only receipts older than 13 months can be archived. */
const ARCHIVED_AT_MS = AT_MS + 480 * DAY_MS;
const REQUESTS = 200;
const SEED = 3;

/** Opens the routes with the accounts `alice` and `bob`; `keys` are their API keys. */
export async function openReportRoom() {
  const file = newFile();
  const database = await openFile(file);
  await tradeAtRandom(database, REQUESTS, SEED);
  const { sql, ledger } = database;
  const clock = stoppedClock(NOW_MS);
  const accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql,
    clock,
    onLastUsedFailure: () => {},
  });
  const keys = {
    alice: (await accounts.createKey('alice', { name: 'a' })).secret.reveal(),
    bob: (await accounts.createKey('bob', { name: 'b' })).secret.reveal(),
  };
  const requests = new RequestLog(sql);
  const usage = new UsageReport(sql);
  const images = new ImageSums(sql);
  const costing = { usage, requests, images, costOf: () => null, fx: () => new Map() };
  const lowBalance = new SeenBalances();
  const deps = {
    statements: new Statements(sql),
    months: new StatementsByMonth(sql),
    requests,
    costs: new RequestCosts(sql),
    usage,
    histogram: new RequestHistogram(sql, usage),
    audit: new AuditLog(sql),
    refusals: new RefusalLog(sql),
    clock,
    accounts,
    books: new BooksReport(sql),
    booksByMonth: new BooksByMonth(sql, costing),
    summary: new OperatorSummary(sql, costing),
    failures: { of: async () => [] },
    operatorCost: () => nano(1n),
    ledger: watchBalances(ledger, lowBalance, { observe: () => undefined }),
    catalogue: () => ({ fx: new Map([['USD/CNY', USD_CNY]]) }),
  };
  const routes = [
    ...reportRoutes(deps),
    ...adminReportRoutes(deps),
    ...adminSummaryRoutes({ ...deps, schedule: { state: NEVER } }),
    ...adminMoneyRoutes(deps),
    ...archiveRoutes(
      new ReceiptArchive({
        ...{ database, dataDir: dirname(file) },
        clock: { nowMs: () => ARCHIVED_AT_MS, randomBytes: clock.randomBytes },
      }),
    ),
  ];
  const edge = edgeOf(routes, {
    journal: unreadJournal(clock),
    authenticate: (headers, address) => accounts.authenticateRequest(headers, address),
    adminToken: new Secret(ADMIN_TOKEN),
  });
  const ask = async (path: string, token: string, init: RequestInit = {}): Promise<Response> =>
    await edge.fetch(
      new Request(`http://gateway${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      }),
    );
  const get = async (path: string, token: string) => {
    const response = await ask(path, token);
    return { status: response.status, body: await response.json() };
  };
  const post = async (path: string, body: unknown) => {
    const response = await ask(path, ADMIN_TOKEN, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  return { database, lowBalance, accounts, keys, clock, edge, ask, get, post };
}
