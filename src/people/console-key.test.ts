import { afterAll, expect } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { compareConsoleKey } from './console-key.ts';

afterAll(removeFiles);

const MINUTE_MS = 60_000;

const started = ({ sql }: Database, key: string, epoch: string) =>
  compareConsoleKey(new Secret(key), { sql, clock: systemClock, epoch });

const runs = ({ sql }: Database, epoch: string, untilMs: number) =>
  sql.query({
    sql: 'INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms) VALUES ($1, $1, 1, $2)',
    params: [epoch, untilMs],
  });

const laws = (open: Open): void => {
  rule(open, 'a node with the same key logs nothing', async (database) => {
    expect(await started(database, 'the key', 'one')).toBe('same');
    expect(await started(database, 'the key', 'two')).toBe('same');
  });

  rule(open, 'a key that differs from running nodes is reported at every start', async (it) => {
    await runs(it, 'one', systemClock.nowMs() + MINUTE_MS);
    expect(await started(it, 'the key', 'one')).toBe('same');
    expect(await started(it, 'another key', 'two')).toBe('differs_from_running_nodes');
    expect(await started(it, 'another key', 'two')).toBe('differs_from_running_nodes');
    expect(await started(it, 'the key', 'three')).toBe('same');
  });

  rule(open, 'a new key of a single node is reported once', async (database) => {
    // Makes the lease expire, as if the node had been killed some time ago.
    await database.sql.query({ sql: 'UPDATE node SET lease_until_ms = 1', params: [] });
    expect(await started(database, 'the key', 'one')).toBe('same');
    await runs(database, 'two', systemClock.nowMs() + MINUTE_MS);
    expect(await started(database, 'another key', 'two')).toBe('changed');
    expect(await started(database, 'another key', 'two')).toBe('same');
  });
};

laws(() => openFile(newFile()));
laws(() => openPostgresForTest());
