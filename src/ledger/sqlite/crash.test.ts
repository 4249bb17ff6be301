import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { credit, failureOf, furnish, walletOf } from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import { newFile, openFile, removeFiles } from './sqlite.fixture.ts';

const CHILD = join(import.meta.dir, 'crash-child.fixture.ts');
const TRIALS = 5;
/** The number of settlements that the child must acknowledge before it is killed. */
const ACKNOWLEDGED = 150;

afterAll(removeFiles);

function spawn(file: string, trial: string, bookings = 1) {
  const command = [process.execPath, CHILD, file, trial, String(bookings)];
  return Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' });
}

/** Returns the number of charges that a killed process had committed but not booked. */
function unbookedIn(path: string): number {
  const file = new SqliteFile(path);
  const row = file.query<{ n: number }, []>('SELECT COUNT(*) AS n FROM receipt_tail').get();
  file.close();
  return row?.n ?? 0;
}

/**
 * Kills the child after `ACKNOWLEDGED` settlements and returns all complete lines that it printed.
 */
async function acknowledgedBefore(child: ReturnType<typeof spawn>): Promise<string[]> {
  let printed = '';
  let isKilled = false;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (!isKilled && printed.split('settled').length > ACKNOWLEDGED) {
      child.kill('SIGKILL');
      isKilled = true;
    }
  }
  await child.exited;
  // Drops the last line, which may be incomplete.
  return printed.split('\n').slice(0, -1);
}

async function idsOf({ sql }: Database, table: string, column: string): Promise<Set<string>> {
  const rows = await sql.query({ sql: `SELECT ${column} AS id FROM ${table}`, params: [] });
  return new Set(rows.map(({ id }) => String(id)));
}

describe('kill -9', () => {
  test('loses nothing acknowledged and leaves a sound ledger', async () => {
    const file = newFile();
    const first = await openFile(file);
    await furnish(first);
    await first.ledger.apply([credit('c1', 10_000_000n)]);
    await first.close();
    let unbooked = 0;
    for (let trial = 1; trial <= TRIALS; trial++) {
      // In every second trial, charges are booked 50 times as often, so that the kill often
      // interrupts a booking.
      const bookings = trial % 2 === 0 ? 50 : 1;
      const lines = await acknowledgedBefore(spawn(file, `t${trial}`, bookings));
      unbooked += unbookedIn(file);
      const database = await openFile(file);
      const left = await idsOf(database, 'checkpoint', 'request_id');
      const settled = await idsOf(database, 'receipt', 'request_id');
      const idsIn = (what: string): Set<string> =>
        new Set(lines.flatMap((line) => (line.startsWith(what) ? [line.slice(what.length)] : [])));
      const acknowledged = idsIn('settled ');
      expect(acknowledged.size).toBeGreaterThanOrEqual(ACKNOWLEDGED);
      expect([...acknowledged].filter((id) => !settled.has(id))).toEqual([]);
      // A request that was killed between its checkpoint and its settlement has a checkpoint and no
      // receipt.
      expect([...left].every((id) => !settled.has(id))).toBe(true);
      expect(left.has(`stream_t${trial}`)).toBe(true);
      expect(await database.ledger.verify()).toEqual([]);
      expect(await database.ledger.reap()).toEqual({ settled: left.size, voided: 0 });
      const paid = await database.sql.query({
        sql: 'SELECT outcome, charge, held FROM receipt',
        params: [],
      });
      const taken = paid.reduce((sum, row) => sum + BigInt(String(row['charge'])), 0n);
      const kinds = paid.map((row) => `${row['outcome']} ${row['charge']} of ${row['held']}`);
      expect([...new Set(kinds)].toSorted()).toEqual([
        'completed 7 of 11',
        ...(kinds.includes('node_lost 5 of 11') ? ['node_lost 5 of 11'] : []),
        'node_lost 9 of 11',
      ]);
      const [balance, stillHeld] = await walletOf(database.ledger, 'USD');
      expect<bigint>(balance).toBe(10_000_000n - taken);
      expect<bigint>(stillHeld).toBe(0n);
      expect(await database.ledger.verify()).toEqual([]);
      await database.close();
    }
    // In some trials, the process was killed between the commit of a charge and its booking.
    expect(unbooked).toBeGreaterThan(0);
  }, 180_000);
});

describe('the data folder', () => {
  test('is refused to a second process, which names the owner', async () => {
    const file = newFile();
    const database = await openFile(file);
    const child = spawn(file, 't');
    const words = await new Response(child.stderr).text();
    expect(await child.exited).not.toBe(0);
    expect(words).toContain(`is in use by another modelgate process (pid ${process.pid})`);
    await database.close();
  });

  test('is refused to a second opening in this process, and free after closing', async () => {
    const file = newFile();
    const database = await openFile(file);
    expect(String(await failureOf(openFile(file)))).toContain(
      'is in use by another modelgate process',
    );
    expect(await database.ping()).toBeUndefined();
    await database.close();
    await (await openFile(file)).close();
  });
});
