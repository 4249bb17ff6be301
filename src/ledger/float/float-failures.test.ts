/** Failures of the store during a commit: nothing is charged twice, and no money is held twice. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  AT_MS,
  adjust,
  applied,
  checkpoint,
  credit,
  extend,
  failureOf,
  hold,
  repeated,
  settle,
  tooLow,
  voided,
} from '../conformance/ledger.fixture.ts';
import { MAX_BATCH_COMMANDS } from '../group-commit.ts';
import { removeFiles } from '../sqlite/sqlite.fixture.ts';
import {
  clock,
  done,
  epoch,
  ledger,
  pay,
  receipts,
  start,
  startNew,
  statusOf,
  take,
  thread,
  wallet,
} from './float-process.fixture.ts';

afterAll(removeFiles);
beforeEach(startNew);

describe('a store that fails', () => {
  test('in the middle of a commit sells nothing until it can be written again', async () => {
    await take('h1', 30n);
    await take('h2', 30n);
    thread.disk = 'fails before';
    const settling = Promise.allSettled([
      ledger.settle(pay('h1', 20n)),
      ledger.settle(pay('h2', 25n)),
    ]);
    expect((await done(settling)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(() => ledger.hold(hold('h3', 1n, { epoch: epoch() }))).toThrow('cannot record charges');
    expect(wallet()).toEqual([100n, 45n]);
    thread.disk = 'sound';
    expect(() => ledger.hold(hold('h3', 1n, { epoch: epoch() }))).toThrow('cannot record charges');
    await done(ledger.noteWrite(thread.link.ask('renew', { epoch: epoch(), untilMs: 1 })));
    expect(await take('h3', 55n)).toEqual(applied(55n, 0n));
    expect(await done(ledger.settle(pay('h2', 25n, 30n)))).toEqual(applied(25n, 55n));
    expect(await done(ledger.settle(pay('h1', 20n, 30n)))).toEqual(applied(20n, 50n));
    expect(wallet()).toEqual([55n, 55n]);
  });

  test('after a durable commit is charged once', async () => {
    await take('h1', 60n);
    thread.disk = 'fails after';
    await failureOf(done(ledger.settle(pay('h1', 50n))));
    thread.disk = 'sound';
    expect(wallet()[0]).toBe(50n);
    expect(await done(ledger.settle(pay('h1', 50n, 60n)))).toEqual(repeated(50n, 50n));
    expect(wallet()).toEqual([50n, 0n]);
    expect(await take('h2', 51n)).toEqual(tooLow(50n));
  });

  test('after a durable charge by checkpoint is corrected by the true charge, once', async () => {
    await take('h1', 50n, { expiresAtMs: AT_MS + 1_000 });
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 20n)));
    clock.advance(1_001);
    thread.disk = 'fails after';
    await failureOf(done(ledger.reap()));
    thread.disk = 'sound';
    await done(ledger.noteWrite(thread.link.ask('renew', { epoch: epoch(), untilMs: 1 })));
    // The stream is still running, but its checkpoint is dropped, because the request has a
    // receipt.
    ledger.extend(extend('x2', 'h1', 10n, checkpoint('h1', 30n)));
    await done(ledger.saveCheckpoints());
    expect(thread.query('SELECT * FROM checkpoint')).toEqual([]);
    expect(statusOf(await done(ledger.settle(pay('h1', 45n, 70n))))).toBe('applied');
    expect(statusOf(await done(ledger.settle(pay('h1', 45n, 70n))))).toBe('already_applied');
    expect(wallet()).toEqual([55n, 0n]);
    expect(receipts()).toEqual([{ request_id: 'h1', outcome: 'node_lost', charge: 20n }]);
  });

  test('during a charge by checkpoint frees no money of the hold, which may run again', async () => {
    await take('h1', 80n, { expiresAtMs: AT_MS + 1_000 });
    ledger.extend(extend('x1', 'h1', 10n, checkpoint('h1', 20n)));
    clock.advance(1_001);
    thread.disk = 'fails before';
    const reaping = failureOf(ledger.reap());
    const holding = Promise.resolve(ledger.hold(hold('h2', 70n, { epoch: epoch() })));
    const [, held] = await done(Promise.allSettled([reaping, holding]));
    expect(held.status).toBe('rejected');
    expect(wallet()).toEqual([100n, 90n]);
    thread.disk = 'sound';
    await done(ledger.noteWrite(thread.link.ask('renew', { epoch: epoch(), untilMs: 1 })));
    expect(await take('h3', 11n)).toEqual(tooLow(10n));
    expect(await done(ledger.reap())).toEqual({ settled: 1, voided: 0 });
    expect(wallet()).toEqual([80n, 0n]);
    expect(receipts()).toEqual([{ request_id: 'h1', outcome: 'node_lost', charge: 20n }]);
  });

  test('while holds wait for a wallet command refuses them', async () => {
    await take('h1', 1n);
    thread.disk = 'fails before';
    const adjusting = ledger.apply([adjust('a1', -1n)]);
    const holding = Promise.resolve(ledger.hold(hold('h2', 1n, { epoch: epoch() })));
    const both = await done(Promise.allSettled([adjusting, holding]));
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

test('a charge that the store refused leaves the money of other requests alone', async () => {
  // From this charge on, charges by its price card are appended without asking the store.
  await take('h0', 1n);
  await done(ledger.settle(pay('h0', 1n)));
  await take('h1', 60n);
  const settling = ledger.settle(settle('h1', 5n, { cardId: 'card_none' }));
  expect(ledger.hold(hold('h2', 90n, { epoch: epoch() }))).toEqual(applied(90n, 4n));
  await failureOf(done(settling));
  await done(ledger.settle(pay('h1', 60n)));
  await done(ledger.settle(pay('h2', 90n)));
  const sql = 'SELECT charge, loss FROM receipt ORDER BY seq';
  expect(thread.query(sql)).toEqual([
    { charge: 1n, loss: 0n },
    { charge: 9n, loss: 51n },
    { charge: 90n, loss: 0n },
  ]);
  expect(wallet()).toEqual([0n, 0n]);
});

describe('the checkpoint of a void request is never charged', () => {
  /** Kills the process, and lets the next one charge the checkpoints that it left. */
  const reapedAfterDeath = async () => {
    await start();
    await done(ledger.reap());
    return receipts();
  };
  const stream = async (id: string): Promise<void> => {
    await take(id, 1n);
    ledger.keepCheckpoint(id, checkpoint(id, 1n));
  };

  test('when it could not be deleted at first', async () => {
    await stream('h1');
    await done(ledger.saveCheckpoints());
    thread.disk = 'fails before';
    await failureOf(done(ledger.apply([voided('h1')])));
    thread.disk = 'sound';
    expect((await done(ledger.apply([voided('h1')]))).map(statusOf)).toEqual(['applied']);
    expect(await reapedAfterDeath()).toEqual([]);
    expect(wallet()).toEqual([100n, 0n]);
  });

  test('when its process died before the void', async () => {
    await stream('h1');
    await done(ledger.saveCheckpoints());
    await start();
    expect((await done(ledger.apply([voided('h1')]))).map(statusOf)).toEqual(['applied']);
    expect(await reapedAfterDeath()).toEqual([]);
  });

  test('when more checkpoints than fit into a commit are written meanwhile', async () => {
    await done(ledger.apply([credit('c2', 1_000n)]));
    const ids = Array.from({ length: MAX_BATCH_COMMANDS + 1 }, (_, each) => `h${each}`);
    for (const id of ids) await stream(id);
    const saving = ledger.saveCheckpoints();
    const voiding = ledger.apply([voided(ids.at(-1) ?? '')]);
    await done(Promise.all([saving, voiding]));
    const left = thread.query('SELECT request_id FROM checkpoint');
    expect(left.map((row) => row['request_id'])).toEqual(ids.slice(0, -1).toSorted());
  });
});
