/** The conformance suite of Idempotency-Keys, which runs on every database engine. */
import { describe, expect } from 'bun:test';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { credit, EPOCH, failureOf, hold, settle } from '../ledger/conformance/ledger.fixture.ts';
import type { Holds } from '../ledger/verify.ts';
import { MAX_ANSWER_BYTES, RETENTION_MS } from './idempotency-keys.ts';
import {
  ask,
  bytes,
  clockNow,
  granted,
  kindOf,
  node,
  OTHER_EPOCH,
  onceNotRunning,
  PAST_DOUBT_MS,
  PAST_LEASE_MS,
  PAST_LEAVING_MS,
  rowsOf,
  TICK_MS,
  textOf,
} from './idempotency-nodes.fixture.ts';
import { CHANGE, IN_DOUBT_MS } from './idempotency-statements.ts';
import { mayCharge } from './late-charges.ts';

export function idempotencyConformance(open: Open, holds: Holds): void {
  describe('a key', () => claims(open));
  describe('a process that is gone', () => orphans(open, holds));
  describe('a kept answer', () => keeping(open));
  describe('an unreachable store', () => away(open));
}

function claims(open: Open): void {
  rule(open, 'runs once, then returns its answer to the same request only', async (database) => {
    const { keys } = await node(database, clockNow());
    const first = await granted(keys, ask('k'));
    const kinds = [await kindOf(keys, ask('k')), await kindOf(keys, ask('k', 2))];
    expect(kinds).toEqual(['running', 'reused']);
    expect(keys.claimOf('req_k')?.claimId).toBe(first.claimId);
    await keys.keep(first, bytes('an answer'));
    expect(keys.claimOf('req_k')).toBeNull();
    const again = await keys.claim(ask('k', 1, { requestId: 'req_later' }));
    expect(again).toMatchObject({ kind: 'kept', requestId: 'req_k' });
    expect(textOf(again)).toBe('an answer');
    expect(await kindOf(keys, ask('k', 2))).toBe('reused');
  });

  rule(open, 'belongs to one account and one operation', async (database) => {
    const { keys } = await node(database, clockNow());
    await granted(keys, ask('k'));
    await granted(keys, ask('k', 1, { ownerId: 'bob' }));
    await granted(keys, ask('k', 1, { operation: 'messages' }));
  });

  rule(open, 'is granted to one of many concurrent requests on two nodes', async (database) => {
    const clock = clockNow();
    const [one, other] = [await node(database, clock), await node(database, clock, OTHER_EPOCH)];
    const asking = Array.from({ length: 40 }, (_, each) =>
      kindOf((each % 2 === 0 ? one : other).keys, ask('k', 1, { requestId: `req_${each}` })),
    );
    const kinds = await Promise.all(asking);
    expect(kinds.filter((kind) => kind === 'granted')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'running')).toHaveLength(39);
  });

  rule(open, 'is freed when its request was not charged', async (database) => {
    const { keys } = await node(database, clockNow());
    await keys.release(await granted(keys, ask('k')));
    await granted(keys, ask('k', 2));
  });

  rule(
    open,
    'is never run again when it was charged, with or without an answer',
    async (database) => {
      const { keys } = await node(database, clockNow());
      await keys.spend(await granted(keys, ask('k')));
      expect(await keys.claim(ask('k'))).toEqual({ kind: 'spent', requestId: 'req_k' });
      await keys.keep(await granted(keys, ask('long')), new Uint8Array(MAX_ANSWER_BYTES + 1));
      expect(await kindOf(keys, ask('long'))).toBe('spent');
      const most = new Uint8Array(MAX_ANSWER_BYTES).fill(7);
      await keys.keep(await granted(keys, ask('most')), most);
      const kept = await keys.claim(ask('most'));
      expect(kept.kind === 'kept' && Buffer.from(kept.answer).equals(most)).toBe(true);
    },
  );

  rule(open, 'is ended only by its current claim', async (database) => {
    const clock = clockNow();
    const { keys } = await node(database, clock);
    const first = await granted(keys, ask('k'));
    clock.jump(PAST_LEASE_MS);
    const second = await granted(keys, ask('k'));
    await keys.release(first);
    await keys.spend(first);
    await keys.keep(first, bytes('of the first'));
    expect(await kindOf(keys, ask('k'))).toBe('running');
    await keys.keep(second, bytes('of the second'));
    expect(textOf(await keys.claim(ask('k')))).toBe('of the second');
  });
}

function orphans(open: Open, holds: Holds): void {
  rule(open, 'frees its keys when it held no money for them', async (database) => {
    const clock = clockNow();
    await granted((await node(database, clock)).keys, ask('k'));
    const { keys } = await node(database, clock, OTHER_EPOCH);
    expect(await kindOf(keys, ask('k'))).toBe('running');
    await database.ledger.leave(EPOCH);
    clock.jump(PAST_DOUBT_MS);
    await granted(keys, ask('k', 2));
  });

  rule(open, 'keeps its keys in doubt, since a charge may wait on its disk', async (database) => {
    const clock = clockNow();
    await granted((await node(database, clock)).keys, ask('k'));
    const { keys } = await node(database, clock, OTHER_EPOCH);
    await database.ledger.leave(EPOCH);
    clock.jump(PAST_LEAVING_MS);
    const kinds = [await kindOf(keys, ask('k')), await kindOf(keys, ask('k', 2))];
    expect(kinds).toEqual(['in_doubt', 'reused']);
    clock.jump(IN_DOUBT_MS);
    await granted(keys, ask('k'));
  });

  rule(open, 'charges what waited on its disk, or a repeat, and never both', async (database) => {
    const clock = clockNow();
    const first = await node(database, clock);
    const [kept, freed] = [
      await granted(first.keys, ask('k')),
      await granted(first.keys, ask('f')),
    ];
    const claimed = first.keys.claimOf('req_k');
    expect([claimed?.claimId, first.keys.claimOf('req_other')]).toEqual([kept.claimId, null]);
    const { keys } = await node(database, clock, OTHER_EPOCH);
    await database.ledger.leave(EPOCH);
    clock.jump(PAST_LEAVING_MS);
    const { sql } = database;
    const endedMs = clock.nowMs();
    const deps = { sql, clock };
    // The charge arrives while the key is in doubt. After that, no repeat may run.
    expect(await mayCharge(deps, kept.claimId, endedMs)).toBe(true);
    expect(await kindOf(keys, ask('k'))).toBe('spent');
    expect(await mayCharge(deps, kept.claimId, endedMs)).toBe(true);
    // The process without a lease still runs, and stores the answer.
    await first.keys.keep(kept, bytes('an answer'));
    expect(textOf(await keys.claim(ask('k')))).toBe('an answer');
    expect(await mayCharge(deps, kept.claimId, endedMs)).toBe(true);
    // The charge of `freed` arrives only after a repeat has begun, so it is refused.
    clock.jump(IN_DOUBT_MS);
    const repeat = await granted(keys, ask('f', 1, { requestId: 'again' }));
    expect(await mayCharge(deps, freed.claimId, endedMs)).toBe(false);
    await keys.keep(repeat, bytes('an answer'));
    expect(textOf(await keys.claim(ask('f')))).toBe('an answer');
    expect(await mayCharge(deps, freed.claimId, endedMs)).toBe(false);
    clock.jump(RETENTION_MS);
    expect(await mayCharge(deps, freed.claimId, endedMs)).toBe(true);
  });

  rule(
    open,
    'charges either the waiting charge or a repeat, even if both arrive at once',
    async (database) => {
      const clock = clockNow();
      const first = await node(database, clock);
      const names = Array.from({ length: 20 }, (_, each) => `k${each}`);
      const claims = await Promise.all(names.map((name) => granted(first.keys, ask(name))));
      const { keys } = await node(database, clock, OTHER_EPOCH);
      await database.ledger.leave(EPOCH);
      clock.jump(PAST_DOUBT_MS);
      const deps = { sql: database.sql, clock };
      const racing = claims.map(async ({ claimId }, at) => {
        const request = ask(`k${at}`, 1, { requestId: `again${at}` });
        const asked = [() => mayCharge(deps, claimId, clock.nowMs()), () => kindOf(keys, request)];
        if (at % 2 === 0) asked.reverse();
        const answers = new Set<unknown>(await Promise.all(asked.map((each) => each())));
        return [answers.has(true), answers.has('granted')];
      });
      for (const [isCharged, isRepeated] of await Promise.all(racing)) {
        expect(isCharged).not.toBe(isRepeated);
      }
    },
  );

  rule(
    open,
    'leaves the key of a change spent, because the ledger does not record changes',
    async (database) => {
      const clock = clockNow();
      const change = ask('k', 1, { operation: CHANGE });
      await granted((await node(database, clock)).keys, change);
      const { keys } = await node(database, clock, OTHER_EPOCH);
      expect(await kindOf(keys, change)).toBe('running');
      await database.ledger.leave(EPOCH);
      clock.jump(PAST_LEAVING_MS);
      expect(await keys.claim(change)).toEqual({ kind: 'spent', requestId: 'req_k' });
      clock.jump(RETENTION_MS);
      await granted(keys, change);
    },
  );

  rule(open, 'counts as running while money is held', async (database) => {
    const [{ ledger }, clock] = [database, clockNow()];
    const first = await node(database, clock);
    await granted(first.keys, ask('k'));
    const { keys } = holds === 'stored' ? await node(database, clock, OTHER_EPOCH) : first;
    await ledger.apply([credit('c1', 1_000n), hold('req_k', 100n)]);
    await ledger.leave(EPOCH);
    clock.jump(PAST_LEASE_MS);
    const kinds = [await kindOf(keys, ask('k')), await kindOf(keys, ask('k', 2))];
    expect(kinds).toEqual(['running', 'reused']);
    expect(await ledger.reap()).toEqual({ settled: 0, voided: 1 });
    await granted(keys, ask('k'));
  });

  rule(open, 'leaves its key spent when it had charged', async (database) => {
    const { ledger } = database;
    const clock = clockNow();
    await granted((await node(database, clock)).keys, ask('k'));
    const { keys } = await node(database, clock, OTHER_EPOCH);
    await ledger.apply([credit('c1', 1_000n), hold('req_k', 100n)]);
    await ledger.apply([settle('req_k', 60n)]);
    expect(await kindOf(keys, ask('k'))).toBe('running');
    await ledger.leave(EPOCH);
    clock.jump(PAST_LEAVING_MS);
    expect(await keys.claim(ask('k'))).toEqual({ kind: 'spent', requestId: 'req_k' });
  });

  rule(open, 'frees its key when it charged nothing', async (database) => {
    const { ledger } = database;
    const clock = clockNow();
    await granted((await node(database, clock)).keys, ask('k'));
    const { keys } = await node(database, clock, OTHER_EPOCH);
    await ledger.apply([credit('c1', 1_000n), hold('req_k', 100n)]);
    await ledger.apply([settle('req_k', 0n)]);
    await ledger.leave(EPOCH);
    clock.jump(PAST_DOUBT_MS);
    await granted(keys, ask('k'));
  });
}

function keeping(open: Open): void {
  rule(open, 'expires after a day, and is deleted by the first node', async (database) => {
    const clock = clockNow();
    const { keys } = await node(database, clock);
    const other = await node(database, clock, OTHER_EPOCH);
    await keys.keep(await granted(keys, ask('k')), bytes('an answer'));
    await keys.spend(await granted(keys, ask('spent')));
    clock.jump(RETENTION_MS - 1);
    await keys.sweep();
    expect(textOf(await keys.claim(ask('k')))).toBe('an answer');
    clock.jump(1);
    await other.keys.sweep();
    expect(await rowsOf(database)).toHaveLength(2);
    await granted(keys, ask('k', 2));
    await keys.sweep();
    expect((await rowsOf(database)).map(({ request_id }) => request_id)).toEqual(['req_k']);
  });

  rule(
    open,
    'is among the newest of its account; older keys stay marked as charged',
    async (database) => {
      const clock = clockNow();
      const accountBound = { answers: 3, bytes: 1_000 };
      const { keys } = await node(database, clock, EPOCH, { accountBound });
      const keepOne = async (key: string, length: number, ownerId = 'alice'): Promise<void> => {
        clock.jump(1);
        await keys.keep(await granted(keys, ask(key, 1, { ownerId })), new Uint8Array(length));
      };
      await keepOne('of bob', 10, 'bob');
      for (const key of ['a', 'b', 'c', 'd', 'e']) await keepOne(key, 10);
      await keys.sweep();
      const kinds = ['a', 'b', 'c', 'd', 'e'].map((key) => kindOf(keys, ask(key)));
      expect(await Promise.all(kinds)).toEqual(['spent', 'spent', 'kept', 'kept', 'kept']);
      await keepOne('large', 900);
      await keys.sweep();
      const left = ['c', 'd', 'e', 'large'].map((key) => kindOf(keys, ask(key)));
      expect(await Promise.all(left)).toEqual(['spent', 'spent', 'kept', 'kept']);
      expect(await kindOf(keys, ask('of bob', 1, { ownerId: 'bob' }))).toBe('kept');
    },
  );

  rule(open, 'is among the newest of all accounts', async (database) => {
    const clock = clockNow();
    const storeBound = { answers: 2, bytes: 1_000 };
    const { keys } = await node(database, clock, EPOCH, { storeBound });
    for (const ownerId of ['alice', 'bob', 'alice']) {
      const key = `${clock.nowMs()}`;
      await keys.keep(await granted(keys, ask(key, 1, { ownerId })), bytes('an answer'));
      clock.jump(1);
    }
    await keys.sweep();
    expect((await rowsOf(database)).map(({ state }) => state)).toEqual(['spent', 'kept', 'kept']);
  });

  rule(open, 'cannot be read without the key, nor from another row', async (database) => {
    const { keys, failures } = await node(database, clockNow());
    await keys.keep(await granted(keys, ask('canary-key')), bytes('canary answer'));
    await keys.keep(await granted(keys, ask('other')), bytes('other answer'));
    for (const row of await rowsOf(database)) {
      for (const value of Object.values(row)) {
        const plain = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
        // The request id is removed, because it contains the key in this test.
        expect(plain.replace('req_canary-key', '')).not.toContain('canary');
      }
    }
    await database.sql.query({
      sql: `UPDATE idempotency SET answer = (SELECT answer FROM idempotency AS other
            WHERE other.request_id = $1) WHERE request_id = $2`,
      params: ['req_other', 'req_canary-key'],
    });
    expect(failures).toEqual([]);
    expect(await kindOf(keys, ask('canary-key'))).toBe('spent');
    expect(failures).toHaveLength(1);
  });
}

function away(open: Open): void {
  rule(open, 'returns 503 for a claim, and leaves nothing claimed', async (database) => {
    const clock = clockNow();
    const { keys, store } = await node(database, clock);
    store.isAway = true;
    expect(await failureOf(keys.claim(ask('k')))).toMatchObject({
      code: 'store_unavailable',
      retryAfterSeconds: 1,
    });
    store.isAway = false;
    await granted(keys, ask('k'));
    // The store has this claim, although its answer is lost.
    store.losesAnswers = true;
    await failureOf(keys.claim(ask('lost')));
    store.losesAnswers = false;
    expect(await kindOf(keys, ask('lost'))).toBe('running');
    clock.advance(TICK_MS);
    expect(await onceNotRunning(keys, ask('lost'))).toBe('granted');
  });

  rule(open, 'runs no charged request again, even if leases ended meanwhile', async (database) => {
    const clock = clockNow();
    const { keys, store, failures } = await node(database, clock);
    const [first, streamed] = [await granted(keys, ask('k')), await granted(keys, ask('stream'))];
    const uncharged = await granted(keys, ask('free'));
    store.isAway = true;
    // The settlements wait on disk, so the ledger has neither a hold nor a receipt.
    await keys.keep(first, bytes('an answer'));
    await keys.spend(streamed);
    await keys.release(uncharged);
    expect(failures).toHaveLength(3);
    clock.advance(TICK_MS);
    clock.jump(PAST_LEASE_MS);
    store.isAway = false;
    const kinds = [ask('k'), ask('k', 2), ask('stream')].map((again) => kindOf(keys, again));
    expect(await Promise.all(kinds)).toEqual(['running', 'reused', 'running']);
    clock.advance(TICK_MS);
    expect(await onceNotRunning(keys, ask('k'))).toBe('spent');
    expect(await onceNotRunning(keys, ask('stream'))).toBe('spent');
    expect(await onceNotRunning(keys, ask('free'))).toBe('granted');
  });

  rule(open, 'gets pending writes when the process ends', async (database) => {
    const { keys, store } = await node(database, clockNow());
    const first = await granted(keys, ask('k'));
    store.isAway = true;
    await keys.spend(first);
    store.isAway = false;
    await keys.close();
    expect(await kindOf(keys, ask('k'))).toBe('spent');
  });
}
