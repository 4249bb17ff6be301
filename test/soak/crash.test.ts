/**
 * Tests gateways under load on each store engine, alone and as three nodes. They are killed twenty
 * times, and paused five times for longer than their lease. Also tests a store that freezes for
 * longer than any timeout.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newTestDatabase } from '../../src/ledger/postgres/postgres.fixture.ts';
import { type CrashReport, crashLoop, summary } from '../support/gateways/crash-loop.ts';
import { startNode } from '../support/gateways/gateway-nodes.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { frozenStore } from '../support/gateways/store-failure.ts';
import { recordsOfFolder, recordsOfServer } from '../support/history/ledger-records.ts';
import { printedSeed } from '../support/random.ts';
import { type PacedUpstream, startPacedUpstream } from '../support/upstreams/paced-upstream.ts';

const KILLS = 20;
const STOPS = 5;
/** How long a gateway is paused: longer than the lease of ten seconds. */
const STOP_MS = 12_500;
const FROZEN_MS = 60_000;
const LIMIT_MS = 600_000;

let upstream: PacedUpstream;
beforeAll(async () => {
  upstream = await startPacedUpstream();
});
afterAll(() => upstream.stop());

function expectSound(report: CrashReport): void {
  console.log(summary(report));
  expect(report.faults).toEqual([]);
  expect(report.tally['ok']).toBeGreaterThan(KILLS * 10);
  expect(report.tally['unknown']).toBeGreaterThan(KILLS);
}

test(
  'SQLite',
  async () => {
    const config = upstream.config();
    await using first = await startGateway({ config });
    await first.stop();
    const report = await crashLoop({
      seed: printedSeed('crash loop on SQLite'),
      ...{ nodes: 1, kills: KILLS, stops: STOPS, stopMs: STOP_MS },
      start: () => startGateway({ folder: first.folder, config }),
      records: () => recordsOfFolder(first.dataDir),
    });
    expectSound(report);
  },
  LIMIT_MS,
);

/**
 * Runs a crash loop with nodes on one new database. The data folder of a node survives when the
 * node is killed.
 */
async function postgresLoop(nodes: number): Promise<CrashReport> {
  await using stack = new AsyncDisposableStack();
  const database = await newTestDatabase();
  const config = upstream.config();
  const firsts: GatewayProcess[] = [];
  for (let node = 0; node < nodes; node += 1) {
    const first = stack.use(await startNode(database, { config }));
    await first.stop();
    firsts.push(first);
  }
  return await crashLoop({
    seed: printedSeed(`crash loop of ${nodes} on PostgreSQL`),
    ...{ nodes, kills: KILLS, stops: STOPS, stopMs: STOP_MS },
    start: (node) => startNode(database, { folder: firsts[node]?.folder ?? '', config }),
    records: () => recordsOfServer(database),
  });
}

test.each([1, 3])(
  'PostgreSQL, nodes at a time: %d',
  async (nodes) => {
    const report = await postgresLoop(nodes);
    expectSound(report);
    expect(report.newLeases).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test(
  'PostgreSQL frozen for a minute',
  async () => {
    const report = await frozenStore(printedSeed('frozen store'), FROZEN_MS);
    console.log(report.spooled, report.grownMiB);
    expect(report.breaches).toEqual([]);
    expect(report.faults).toEqual([]);
  },
  LIMIT_MS,
);
