/**
 * Runs the whole harness for one short round against the bare relay. No result depends on timing.
 */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf, checkOut } from './compare.ts';
import { choosePins } from './machine.ts';
import { failover } from './measures/failover.ts';
import { ledgerPostgres, ledgerSqlite } from './measures/ledger.ts';
import { manyStreams } from './measures/many-streams.ts';
import { offered } from './measures/offered.ts';
import { openStreams } from './measures/open-streams.ts';
import { rest } from './measures/rest.ts';
import { shortJson } from './measures/short-json.ts';
import { streamBurst } from './measures/stream-events.ts';
import { processTree } from './process-cost.ts';
import { runRound } from './round.ts';
import { type Row, summarize } from './summary.ts';

const ROUND = 7;
/**
 * The factor by which all durations are multiplied. With this factor, each measured period has the
 * minimum length of 50 ms, which is enough for a few hundred requests.
 */
const SCALE = 0.001;
/** The time limit of a test. A test takes ten seconds on an idle machine. */
const LIMIT_MS = 300_000;
const PLAN = { round: ROUND, scale: SCALE, pins: choosePins(), baseFolder: null };

test(
  'a tiny round measures the bare relay and leaves no process or file behind',
  async () => {
    const before = processTree(process.pid);
    const rows: Row[] = [];
    const measures = [rest, shortJson, offered, streamBurst, openStreams(20)];
    const subjects = ['direct', 'bare-relay'] as const;
    await runRound({ ...PLAN, subjects, measures }, (row) => rows.push(row));

    expect(rows.map(({ measure, subject }) => `${measure} ${subject}`).sort()).toEqual([
      'offered bare-relay',
      'offered direct',
      'open-streams bare-relay',
      'open-streams direct',
      'rest bare-relay',
      'short-json bare-relay',
      'short-json direct',
      'stream-burst bare-relay',
      'stream-burst direct',
    ]);
    for (const row of rows) {
      if ('failure' in row) throw new Error(`${row.measure} on ${row.subject}: ${row.failure}`);
      for (const value of Object.values(row.found)) expect(Number.isFinite(value)).toBe(true);
      if (row.subject === 'bare-relay' && row.measure === 'short-json') {
        expect(row.found['cpuUs']).toBeGreaterThan(0);
        expect(row.found['perSecond']).toBeGreaterThan(0);
      }
      if (row.measure === 'rest') expect(row.found['readyMs']).toBeGreaterThan(0);
      if (row.measure === 'offered') expect(row.found['halfP50Ms']).toBeGreaterThan(0);
      if (row.measure === 'open-streams') expect(row.found['leftOpen']).toBe(0);
    }
    const started = processTree(process.pid).filter((pid) => !before.includes(pid));
    expect(started).toEqual([]);
    expect(existsSync(join(import.meta.dir, '..', '.tmp', `bench-${process.pid}-${ROUND}`))).toBe(
      false,
    );
  },
  LIMIT_MS,
);

test(
  'reads many streams to their last event',
  async () => {
    const rows: Row[] = [];
    const measures = [manyStreams(20, SCALE)];
    const subjects = ['direct', 'bare-relay'] as const;
    await runRound({ ...PLAN, subjects, measures }, (row) => rows.push(row));
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      if ('failure' in row) throw new Error(`${row.subject}: ${row.failure}`);
      expect(row.found).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 0 });
      expect(row.found['chatP99Ms']).toBeGreaterThan(0);
      expect(row.found['messagesPerSecond']).toBeGreaterThan(0);
    }
  },
  LIMIT_MS,
);

test(
  'Modelgate fails over and translates; measures for Modelgate only skip other subjects',
  async () => {
    const rows: Row[] = [];
    const measures = [failover, manyStreams(5, SCALE)];
    const subjects = ['direct', 'modelgate'] as const;
    await runRound({ ...PLAN, subjects, measures }, (row) => rows.push(row));
    expect(rows.map(({ measure, subject }) => `${measure} ${subject}`).sort()).toEqual([
      'failover modelgate',
      'many-streams direct',
      'many-streams modelgate',
    ]);
    for (const row of rows) {
      if ('failure' in row) throw new Error(`${row.measure} on ${row.subject}: ${row.failure}`);
      if (row.measure === 'many-streams') {
        expect(row.found).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 0 });
        expect(row.found['translatedP99Ms']).toBeGreaterThan(0);
      } else expect(row.found['straightP50Ms']).toBeGreaterThan(0);
    }
  },
  LIMIT_MS,
);

test(
  'records a wrong answer as a failure with its text, and continues the round',
  async () => {
    const rows: Row[] = [];
    const wrong = { ...streamBurst, name: 'wrong', run: askForTooMuch };
    await runRound({ ...PLAN, subjects: ['direct'], measures: [wrong, shortJson] }, (row) =>
      rows.push(row),
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      measure: 'wrong',
      failure: expect.stringContaining('expected 200 and 6 events, got status 200 and 5 events'),
    });
    expect(rows[1]).toHaveProperty('found');
  },
  LIMIT_MS,
);

test('refuses to compare with an unknown commit', () => {
  expect(() => checkOut('no-such-commit')).toThrow('no-such-commit');
});

test(
  'measures a commit beside this checkout and removes its folder',
  async () => {
    const base = checkOut('HEAD');
    const rows: Row[] = [];
    try {
      const subjects = ['base', 'modelgate'] as const;
      const plan = { ...PLAN, subjects, measures: [shortJson], baseFolder: base.folder };
      await runRound(plan, (row) => rows.push(row));
    } finally {
      base.remove();
    }
    for (const row of rows) if ('failure' in row) throw new Error(row.failure);
    const changes = changesOf(summarize([shortJson], rows));
    expect(changes.map(({ figure }) => figure.key)).toEqual(
      shortJson.figures.map(({ key }) => key),
    );
    expect(existsSync(base.folder)).toBe(false);
  },
  LIMIT_MS,
);

test(
  'measures settlements of the ledger alone, on both engines and on three nodes',
  async () => {
    const rows: Row[] = [];
    const measures = [ledgerSqlite, ledgerPostgres];
    await runRound({ ...PLAN, scale: 0.05, subjects: ['modelgate'], measures }, (row) =>
      rows.push(row),
    );
    expect(rows).toHaveLength(2);
    for (const [index, { figures }] of measures.entries()) {
      const row = rows[index];
      if (row === undefined || 'failure' in row) throw new Error(row?.failure);
      for (const { key } of figures) expect(row.found[key]).toBeGreaterThan(0);
    }
  },
  LIMIT_MS,
);

const askForTooMuch: typeof streamBurst.run = async ({ target, load, scaledMs }) => {
  await load({
    kind: 'closed-loop',
    target,
    ask: { model: 'sse-5-every-0ms', stream: true, promptBytes: 10, expectEvents: 6 },
    connections: 1,
    warmUpRequests: 0,
    warmUpMs: null,
    measureMs: scaledMs(1),
  });
  return {};
};
