import { afterAll, describe, expect, test } from 'bun:test';
import { receipt } from '../ledger/conformance/ledger.fixture.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { attemptsOf, countAttempt, NO_ROUTE_COUNTS, routeSummary } from './route-figures.ts';
import { attempt, node, routeHistoryConformance } from './route-history-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => routeHistoryConformance(() => openFile(newFile())));
describe('PostgreSQL', () => routeHistoryConformance(() => openPostgresForTest()));

/** Makes a request whose attempts had these results. Returns the results that are counted. */
const resultsOf = (results: readonly string[], given: Partial<Receipt> = {}) =>
  attemptsOf({
    ...receipt('req_1', 10n),
    attempts: results.map((result) => attempt('a', result)),
    ...given,
  }).map(({ result }) => result);

describe('an attempt', () => {
  test.each([
    ['429', 'rate_limited'],
    ['upstream_overloaded', 'rate_limited'],
    ['503', 'server_error'],
    ['upstream_timeout', 'timed_out'],
    ['upstream_failed', 'broken'],
    ['upstream_refused_us', 'refused'],
    ['401', 'refused'],
    ['404', 'refused'],
  ])('%s counts as %s', (result, kind) => {
    expect(resultsOf([result, '200'])).toEqual([kind, 'success'] as never);
  });

  test.each(['400', '422', 'caller_left', 'shutting_down', 'unsupported_modality'])(
    '%s says nothing about the route',
    (result) => {
      expect(resultsOf([result], { outcome: 'upstream_error' })).toEqual([]);
    },
  );

  test.each([
    ['completed', null, ['success']],
    ['length', null, ['success']],
    ['upstream_truncated', 'upstream_truncated', ['broken']],
    ['upstream_timeout', 'upstream_timeout', ['timed_out']],
    ['upstream_error', 'upstream_overloaded', ['rate_limited']],
    ['upstream_error', 'content_policy_violation', []],
    ['caller_left', 'caller_left', []],
  ] as const)('that began and ended as %s (%s) counts as %p', (outcome, errorCode, expected) => {
    expect(resultsOf(['200'], { outcome, errorCode })).toEqual([...expected]);
  });
});

test('times beyond the last bound count as at most twice that bound', () => {
  const counts = [...NO_ROUTE_COUNTS];
  const slow = { firstTokenMs: 3_600_000, durationMs: 3_600_000, outputTokens: 0 };
  countAttempt(counts, { upstream: 'a', model: 'x', result: 'success', ...slow }, false);
  expect(routeSummary(counts)).toMatchObject({
    firstTokenMs: { p95: 78_000 },
    tokensPerSecond: null,
  });
});

test('a request without a known cost adds none', async () => {
  const database = await openFile(newFile());
  const { count, of } = node(database.sql);
  count(2, { attempts: [attempt('a', '200')], usage: { ...receipt('r', 1n).usage, output: 0 } });
  const [point] = await of('a');
  expect([routeSummary(point?.counts ?? []).costed, point?.cost.USD]).toEqual([0, 0n]);
  await database.close();
});
