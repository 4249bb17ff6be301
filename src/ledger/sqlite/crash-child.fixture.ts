/**
 * A process for the crash test to kill. It settles requests as fast as it can and prints the id of
 * each durable settlement. Each request also leaves checkpoints, which are written 50 times as
 * often as usual.
 */
import { writeSync } from 'node:fs';
import { type Clock, nextTurn, systemClock } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import { checkpoint, extend, hold, LEASE_MS, settle } from '../conformance/ledger.fixture.ts';
import { openSqlite } from './open-sqlite.ts';

const LANES = 16;
/** How many turns of the event loop a request waits between its checkpoint and its settlement. */
const TURNS = 20;
const [, , file = '', trial = ''] = process.argv;
/** Charges are booked this many times as often as usual. With 1, most stay unbooked. */
const [, , , , bookings = '1'] = process.argv;
/**
 * A clock by which checkpoints are written 50 times as often as usual, and charges are booked
 * `bookings` times as often.
 */
const hasty: Clock = {
  ...systemClock,
  every: (ms, run) => systemClock.every(ms / 50, run),
  after: (ms, run) => systemClock.after(ms / Number(bookings), run),
};
const { ledger, sql } = await openSqlite({ file, clock: hasty });
await ledger.join({ epoch: trial, name: 'child' }, LEASE_MS);

async function lane(number: number): Promise<void> {
  for (let each = 0; ; each++) {
    const id = `h${trial}_${number}_${each}`;
    await ledger.hold(hold(id, 10n, { epoch: trial }));
    await ledger.extend(extend(`${id}/1`, id, 1n, checkpoint(id, 5n)));
    // Writes unbuffered, so that the parent gets every id even if this process is killed.
    writeSync(1, `held ${id}\n`);
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    await ledger.settle({ ...settle(id, 7n), held: nano(11n) });
    writeSync(1, `settled ${id}\n`);
  }
}

/** Runs a stream that never ends, so that its checkpoint is charged after the kill. */
async function stream(): Promise<void> {
  const id = `stream_${trial}`;
  await ledger.hold(hold(id, 10n, { epoch: trial }));
  await ledger.extend(extend(`${id}/1`, id, 1n, checkpoint(id, 9n)));
  const saved = 'SELECT 1 FROM checkpoint';
  while ((await sql.query({ sql: saved, params: [] })).length === 0) await nextTurn();
}

await stream();
await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
