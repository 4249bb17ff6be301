/** Tests of reconciliation over stored receipts, which every engine must pass. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { changedFile, NOW_MS, settingsOf } from '../config/file.fixture.ts';
import { GatewayError } from '../errors.ts';
import { credit, furnish, hold, settle } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { DAY_MS, firstOfMonth } from '../money/calendar.ts';
import { NO_USAGE } from '../money/usage.ts';
import { applied } from '../reports/reports.fixture.ts';
import { RequestLog } from '../reports/request-log.ts';
import { statement } from '../store/sql.ts';
import { AlertOutbox } from '../topups/alerts/alert-outbox.ts';
import { Nightly, type NightlyDeps } from './nightly.ts';
import { Reconciler } from './reconciler.ts';
import { Reconciliations } from './reconciliations.ts';
import { DAY, OPENAI, type ReportServer, serveReports } from './recorded-reports.fixture.ts';

const SLOW_MS = 180_000;
const HOUR_MS = 3_600_000;
const CREDIT = 1_000_000_000n;

/**
 * Returns a configuration whose upstream `there` has a provider report, and whose model has a
 * `cost`.
 */
export const reconciledFile = (url: string, more = ''): string =>
  changedFile(
    '        routes: [{ upstream: builtin, model: x }]\n  img-x',
    '        cost: { input: "1", cache_read: "0.25", output: "19" }\n' +
      '        routes: [{ upstream: there, model: gpt-6-astra }]\n  img-x',
  ).replace(
    'upstreams: { builtin: { protocol: builtin } }',
    `upstreams: { builtin: { protocol: builtin }, there: { protocol: openai, make: openai, base_url: "${url}/v1", api_key: none, allow_private: true, reconcile: { admin_key: sk-admin${more} } } }`,
  );

export function reconcileConformance(engine: string, open: () => Promise<Database>): void {
  let database: Database;
  let server: ReportServer;

  const reconcilerOf = (more: string): Reconciler => {
    const settings = settingsOf(reconciledFile(server.url, more));
    const catalogue = loadCatalogue(settings, NOW_MS);
    return new Reconciler({
      upstreams: () => settings.upstreams,
      catalogue: () => catalogue,
      requests: new RequestLog(database.sql),
      clock: systemClock,
    });
  };
  const sell = async (id: string, day: number, given: Partial<Receipt>): Promise<void> => {
    const usage = given.usage ?? NO_USAGE;
    const charge = BigInt(usage.input + usage.cacheRead + usage.output);
    const receipt = {
      model: 'gen-x',
      upstream: 'there',
      upstreamModel: 'gpt-6-astra',
      costPico: charge * 1_000n,
      ...given,
    };
    const atMs = day * DAY_MS + 1_000;
    await applied(database, [hold(id, charge), { ...settle(id, charge, receipt), atMs }]);
  };

  beforeAll(async () => {
    database = await open();
    server = serveReports(OPENAI);
    await furnish(database);
    await applied(database, [credit('c1', CREDIT)]);
    const usage = { ...NO_USAGE, input: 100, cacheRead: 400, output: 200, reasoning: 50 };
    await sell('r1', DAY, { usage: { ...usage, reasoning: 0, output: 250 } });
    await sell('r2', DAY, { usage: { ...usage, reasoning: 0, output: 250 } });
    // The bill does not contain the next three requests: a failed one, one to another upstream, and
    // one on another day.
    await sell('r3', DAY, { usage: NO_USAGE, outcome: 'upstream_error' });
    await sell('r4', DAY, { usage: { ...NO_USAGE, output: 9 }, upstream: 'elsewhere' });
    await sell('r5', DAY + 2, { usage: { ...NO_USAGE, output: 9 } });
  }, SLOW_MS);
  afterAll(async () => {
    await server.stop();
    await database.close();
  });

  describe(`${engine}: a bill and the receipts`, () => {
    test('are compared by day and model, with the cost of the configuration', async () => {
      const days = { from: DAY, to: DAY };
      const found = await reconcilerOf(', key_id: key_a').run('there', days, null);
      const sums = { requests: 2, prompt: 1000, cache_read: 800, output: 500, images: 0 };
      expect(found).toMatchObject({
        from: '2026-11-20',
        to: '2026-11-20',
        source: 'report',
        compared: 3,
        // The cost is 200 x 1 + 800 x 0.25 + 500 x 19 USD per 1M tokens.
        receipts: { ...sums, cost: '0.009900000000' },
        uncosted: [],
      });
      expect(found.differences).toMatchObject([
        { model: null, cause: 'apart', beyond: true },
        { model: 'gpt-image-2', cause: 'only_provider', beyond: true },
      ]);
      // For the model, bill and receipts differ by 0.0005 USD, which counts as rounding.
      expect(found.billed.cost).toBe('0.510400000000');
    });

    test("show another user of the key when the upstream's key is not named", async () => {
      const { differences } = await reconcilerOf('').run('there', { from: DAY, to: DAY }, null);
      expect(differences.find(({ model }) => model?.startsWith('gpt-6'))).toMatchObject({
        billed: { requests: 3, prompt: 1077, output: 507 },
        receipts: { requests: 2, prompt: 1000, output: 500 },
        cause: 'other_use',
        beyond: true,
      });
    });

    test('are compared by CSV too, within the days that are asked for', async () => {
      const csv = (text: string) => ({ text, columns: {}, currency: 'USD' as const });
      const reconciler = reconcilerOf('');
      const file =
        'day,model,prompt,output,cost\n' +
        '2026-11-20,gpt-6-astra,1000,500,0.0099\n2026-11-22,gpt-6-astra,0,9,9.99\n';
      const days = { from: DAY, to: DAY + 1 };
      const found = await reconciler.run('there', days, csv(file));
      expect(found).toMatchObject({ source: 'csv', compared: 1, beyond: 0, differences: [] });
      const wider = await reconciler.run('there', { from: DAY, to: DAY + 2 }, csv(file));
      expect(wider.differences).toMatchObject([{ day: '2026-11-22', cause: 'card', beyond: true }]);
      const other = reconciler.run('there', { from: 1, to: 2 }, csv(file));
      expect(await other.catch((thrown: unknown) => String(thrown))).toContain(
        'has no rows for these days',
      );
    });

    test('are not compared where receipts of the month are archived', async () => {
      const month = firstOfMonth(DAY * DAY_MS, -1);
      await database.sql.query(statement`INSERT INTO archive
        (id, month, file, sha256, receipts, created_at_ms)
        VALUES ('arc_1', ${month}, 'receipts-2026-10.jsonl.gz', '', 1, 1)`);
      const csv = {
        text: 'day,model,output\n2026-11-01,x,9\n',
        columns: {},
        currency: 'USD',
      } as const;
      const next = firstOfMonth(DAY * DAY_MS);
      const run = (from: number, to: number) => reconcilerOf('').run('there', { from, to }, csv);
      expect(await run(next - 1, next).catch(String)).toContain('archived in receipts-2026-10');
      expect((await run(next, next)).compared).toBe(1);
    });
  });

  describe(`${engine}: at night`, () => {
    const nightsOf = () => new Reconciliations(database.sql, () => 400 * DAY_MS);
    type Node = {
      readonly nightly: Nightly;
      readonly alerts: string[];
      readonly failures: unknown[];
    };
    const nodeOf = (
      clock: ManualClock,
      reconciler: NightlyDeps['reconciler'],
      outbox: NightlyDeps['outbox'] = new AlertOutbox(database.sql),
    ): Node => {
      const [alerts, failures]: [string[], unknown[]] = [[], []];
      const nightly = new Nightly({
        reconciler,
        stored: nightsOf(),
        outbox,
        clock,
        onAlert: ({ body }) => alerts.push(body),
        onFailure: (upstream, thrown) => failures.push([upstream, thrown]),
      });
      return { nightly, alerts, failures };
    };

    test('one of two nodes compares three days once, stores the result and alerts', async () => {
      const clock = manualClock((DAY + 2) * DAY_MS + 5 * HOUR_MS);
      const reconciler = reconcilerOf('');
      const nodes = [nodeOf(clock, reconciler), nodeOf(clock, reconciler)];
      const asked = server.seen.length;
      await Promise.all(nodes.map(({ nightly }) => nightly.round()));
      // At 5:00 UTC, yesterday's report may be incomplete. So the last compared day is the day
      // before yesterday.
      expect((await nightsOf().newest(9)).map(({ day }) => day)).toEqual([DAY]);
      clock.advance(2 * HOUR_MS);
      await Promise.all(nodes.map(({ nightly }) => nightly.round()));
      await Promise.all(nodes.map(({ nightly }) => nightly.round()));
      const [night, ...others] = await nightsOf().newest(1);
      expect(others).toEqual([]);
      expect(night).toMatchObject({ upstream: 'there', day: DAY + 1, failure: null });
      expect(night?.result).toMatchObject({ from: '2026-11-19', to: '2026-11-21', beyond: 3 });
      // There were two comparisons, and each sent four requests to the provider.
      expect(server.seen.length - asked).toBe(8);
      const alerts = nodes.flatMap((node) => node.alerts.map((body) => JSON.parse(body)));
      expect(alerts.map(({ type, to }) => [type, to])).toEqual([
        ['reconcile.differs', '2026-11-20'],
        ['reconcile.differs', '2026-11-21'],
      ]);
      expect(alerts[1]).toMatchObject({
        upstream: 'there',
        differences: '3',
        currency: 'USD',
        billed: '0.510400000000',
        receipts: '0.009900000000',
      });
      expect(nodes.flatMap(({ failures }) => failures)).toEqual([]);
    });

    test('a difference whose alert could not be stored is alerted an hour later', async () => {
      const clock = manualClock((DAY + 4) * DAY_MS + 7 * HOUR_MS);
      const outbox = new AlertOutbox(database.sql);
      let isAway = true;
      const node = nodeOf(clock, reconcilerOf(''), {
        add: (alert) => (isAway ? Promise.reject(new Error('away')) : outbox.add(alert)),
      });
      await node.nightly.round();
      expect(node.alerts).toEqual([]);
      isAway = false;
      node.nightly.stop();
      clock.advance(HOUR_MS);
      const other = nodeOf(clock, reconcilerOf(''));
      await other.nightly.round();
      other.nightly.stop();
      expect(other.alerts.map((body) => JSON.parse(body).type)).toEqual(['reconcile.differs']);
    });

    test('a failed comparison is stored, alerted once a week and repeated after an hour', async () => {
      const clock = manualClock((DAY + 9) * DAY_MS + 7 * HOUR_MS);
      let runs = 0;
      const { run } = reconcilerOf('');
      const failing = {
        upstreams: ['away'],
        run: (): ReturnType<typeof run> => {
          runs += 1;
          return Promise.reject(new GatewayError('upstream_failed', 'The report answered 401.'));
        },
      };
      const node = nodeOf(clock, failing);
      await node.nightly.round();
      await node.nightly.round();
      expect(runs).toBe(1);
      expect((await nightsOf().newest(1))[0]).toMatchObject({
        upstream: 'away',
        result: null,
        failure: 'The report answered 401.',
      });
      clock.advance(HOUR_MS);
      // The first call may join a round that began before the comparison was due. Then the second
      // call runs the comparison.
      await node.nightly.round();
      await node.nightly.round();
      expect([runs, node.failures.length]).toEqual([2, 2]);
      expect(node.alerts.map((body) => JSON.parse(body))).toMatchObject([
        { type: 'reconcile.failed', upstream: 'away', detail: 'The report answered 401.' },
      ]);
      node.nightly.stop();
      await node.nightly.round();
      clock.advance(HOUR_MS);
      expect(runs).toBe(2);
    });
  });
}
