import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stoppedClock } from '../accounts/store.fixture.ts';
import { Secret } from '../config/secret.ts';
import { adminReconcileRoutes } from '../http/admin/admin-reconcile-routes.ts';
import { ADMIN_TOKEN, NOW_MS, openRoom } from '../http/caller/account-room.fixture.ts';
import { edgeOf } from '../http/edge/edge.fixture.ts';
import { dayOf } from '../money/calendar.ts';
import { NO_SUMS } from '../reconcile/bill.ts';
import type { Comparison } from '../reconcile/compare.ts';
import { reconciliationOf } from '../reconcile/reconciliation.ts';
import { unreadJournal } from '../telemetry/request-journal.fixture.ts';
import { runCli } from './cli.ts';

const TODAY = dayOf(NOW_MS);
const EQUAL: Comparison = {
  compared: 1,
  differences: [],
  billed: { ...NO_SUMS, cost: 2_000_000_000_000n },
  receipts: { ...NO_SUMS, cost: 2_000_000_000_000n },
  uncosted: [],
};
const APART: Comparison = {
  ...EQUAL,
  uncosted: ['gpt-5'],
  differences: [
    {
      day: TODAY - 1,
      model: 'gpt-6',
      billed: { ...NO_SUMS, prompt: 10n, output: 900n },
      receipts: { ...NO_SUMS, prompt: 10n, output: 700n },
      estimated: 3,
      cause: 'estimated',
      isBeyond: true,
    },
  ],
};

let folder: string;
let asked: unknown[];
let comparison: Comparison;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelgate-reconcile-'));
  [asked, comparison] = [[], EQUAL];
});
afterEach(() => rm(folder, { recursive: true }));

async function run(...argv: string[]) {
  const clock = stoppedClock(NOW_MS);
  const { accounts } = openRoom();
  const edge = edgeOf(
    adminReconcileRoutes({
      clock,
      stored: { newest: () => Promise.reject(new Error('no list is expected')) },
      reconciler: {
        upstreams: ['one', 'two'],
        run: async (upstream, days, csv) => {
          asked.push({ upstream, days, csv });
          const source = csv === null ? 'report' : 'csv';
          const of = { upstream, days, currency: 'USD', tolerance: '1', comparison } as const;
          return reconciliationOf({ ...of, source });
        },
      },
    }),
    {
      journal: unreadJournal(clock),
      authenticate: (headers, address) => accounts.authenticateRequest(headers, address),
      trustedProxies: 1,
      adminToken: new Secret(ADMIN_TOKEN),
    },
  );
  let [out, err] = ['', ''];
  const unused = () => Promise.reject(new Error('not called'));
  const exit = await runCli(
    ['reconcile', ...argv],
    { stdout: (text) => (out += text), stderr: (text) => (err += text) },
    {
      clock,
      version: '1.2.3',
      fetch: async (request) => await edge.fetch(request),
      settings: async () => ({
        baseUrl: 'http://gateway',
        dataDir: folder,
        adminToken: new Secret(ADMIN_TOKEN),
      }),
      ...{ serve: unused, check: unused, doctor: unused, migrate: unused, restore: unused },
    },
  );
  return { exit, out, err };
}

test('compares yesterday for every upstream with a report, and exits with 0', async () => {
  const { exit, out } = await run();
  const days = { from: TODAY - 1, to: TODAY - 1 };
  expect(asked).toEqual([
    { upstream: 'one', days, csv: null },
    { upstream: 'two', days, csv: null },
  ]);
  expect(exit).toBe(0);
  expect(out).toStartWith(
    'one, 2026-11-20 (UTC): billed 2.000000000000 USD, receipts 2.000000000000 USD; compared by day and model: 1, different: 0, above the tolerance of 1 %: 0\n\ntwo,',
  );
});

test('prints each difference with its likely cause, and exits with 1 beyond the tolerance', async () => {
  comparison = APART;
  const { exit, out } = await run(
    '--upstream',
    'one',
    '--from',
    '2026-11-01',
    '--to',
    '2026-11-20',
  );
  expect(asked).toMatchObject([{ days: { from: TODAY - 20, to: TODAY - 1 } }]);
  expect(exit).toBe(1);
  expect(out).toContain('output 900 / 700');
  expect(out).toContain(
    'some tokens are estimated: callers disconnected, or the provider reported no usage',
  );
  expect(out).toContain('Costs are not compared for gpt-5: no `cost` in USD is configured.');
});

test('sends a CSV file with its columns', async () => {
  const file = join(folder, 'bill.csv');
  await writeFile(file, 'Date,model,Amount\n2026-11-20,m,1\n');
  const options = ['--upstream', 'one', '--csv', file, '--currency', 'CNY'];
  const { err } = await run(...options, '--columns', 'day=Date, cost = Amount');
  expect(err).toBe('');
  expect(asked).toMatchObject([
    {
      upstream: 'one',
      csv: {
        text: 'Date,model,Amount\n2026-11-20,m,1\n',
        columns: { day: 'Date', cost: 'Amount' },
        currency: 'CNY',
      },
    },
  ]);
});

test.each([
  [['--from', '2026-11-20', '--to', '2026-11-19'], '`to` must not be before `from`'],
  [['--from', '2026-10-01', '--to', '2026-11-01'], 'Compare at most 31 days at once'],
  [['--from', '2026-13-01'], 'must be a day such as 2026-11-21'],
  [['--to', '2026-11-31'], 'must be a day such as 2026-11-21'],
  [['--csv', '/nowhere/bill.csv'], 'The file /nowhere/bill.csv cannot be read'],
  [['--csv', import.meta.path], '`upstream` is required with `csv`'],
  [['--columns', 'day'], '--columns contains "day", which is not of the form FIELD=COLUMN'],
  [['--columns', 'days=Date'], 'columns'],
])('refuses %j', async (argv, message) => {
  const { exit, err } = await run(...argv);
  expect(exit).toBeGreaterThan(0);
  expect(err).toContain(message);
  expect(asked).toEqual([]);
});
