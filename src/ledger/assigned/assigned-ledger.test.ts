/** Tests what a node does when the store does not answer. The store is a model in memory. */
import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { fault, unavailable } from '../../store/store-fault.ts';
import {
  AT_MS,
  credit,
  failureOf,
  hold,
  settle,
  USD_CNY,
  voided,
} from '../conformance/ledger.fixture.ts';
import type { FloatHold } from '../float/float-account.ts';
import { OutcomeInDoubt } from '../ledger.ts';
import { meteredCharge } from '../meter.ts';
import { LEASE_MS } from '../node-lease.ts';
import { AssignedLedger } from './assigned-ledger.ts';
import { AssignmentModel } from './assignment-model.fixture.ts';
import type { AssignmentStore, StoreQuestions } from './assignment-store.ts';

/**
 * Returns a node to which 104 of alice's 440 nano-USD are assigned, and whose store does not answer
 * the questions in `lost`.
 */
async function assignedNode() {
  const model = new AssignmentModel(AT_MS);
  model.addAccount('alice').apply(credit('c1', 440n));
  model.join('e1', LEASE_MS);
  /**
   * For each kind of question that fails: whether the store applies it (`written`), has not applied
   * it when the node stops waiting, or refuses it.
   */
  const lost = new Map<keyof StoreQuestions, 'written' | 'not written' | 'refused'>();
  const faults: string[] = [];
  const surrendered: FloatHold[] = [];
  /** Questions that the store has not applied yet but may still receive. */
  const late: (() => void)[] = [];
  const store: AssignmentStore = {
    ask: async (kind, ask, received) => {
      if ('holds' in ask) surrendered.push(...ask.holds);
      const how = lost.get(kind);
      if (how === 'refused') throw fault('internal_error', `a check refuses this ${kind}`);
      if (how === 'not written') {
        late.push(() => void model.answers[kind](ask));
        throw new OutcomeInDoubt(unavailable('the connection is cut'));
      }
      const answer = model.answers[kind](ask);
      if (how === 'written') throw new OutcomeInDoubt(unavailable('the connection is cut'));
      received?.(answer);
      return answer;
    },
  };
  const clock = manualClock(AT_MS);
  const onFault = (accountId: string, thrown: unknown): void => {
    faults.push(`${accountId}: ${causeOf(thrown)}`);
  };
  const ledger = new AssignedLedger({ store, clock, onFault });
  ledger.right.granted('e1', ledger.right.now(), LEASE_MS);
  ledger.joined();
  // After two holds, the account is busy, so it gets an assignment of eight times the amount of a
  // hold.
  for (const id of ['busy1', 'busy2']) {
    await ledger.hold(hold(id, 13n, { epoch: 'e1' }));
    await ledger.applyOne(voided(id));
  }
  const held = (id: string, amount: bigint, expiresAtMs = AT_MS + 600_000): void => {
    const outcome = ledger.hold(hold(id, amount, { epoch: 'e1', expiresAtMs }));
    if (outcome instanceof Promise) throw new Error(`${id} was not held in memory`);
  };
  const assigned = (): bigint => model.find('alice', 'USD', 'e1')?.amount ?? 0n;
  const answerAgain = async (): Promise<void> => {
    lost.clear();
    await ledger.check();
  };
  return { model, ledger, clock, lost, late, held, assigned, answerAgain, surrendered, faults };
}

const causeOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : String(thrown);

test('a charge in doubt is surrendered with its amount, not with that of its hold', async () => {
  const { model, ledger, lost, held, answerAgain } = await assignedNode();
  held('r1', 70n);
  lost.set('charge', 'not written');
  const charge = { ...settle('r1', 50n), held: null };
  await failureOf(ledger.settle(charge));
  await answerAgain();
  held('r2', 50n);
  await ledger.recalled(['alice']);
  const rows = [...model.account('alice').holds].filter(([, { state }]) => state === 'pending');
  expect(rows.map(([id, { own }]) => [id, own])).toEqual([
    ['r2', 50n],
    ['r1', 50n],
  ]);
  expect((await ledger.settle(charge)).status).toBe('applied');
  expect(model.account('alice').balance.USD).toBe(390n);
});

test('an expired hold that may be a row is not released in memory alone', async () => {
  const { model, ledger, clock, lost, held, assigned, answerAgain } = await assignedNode();
  held('r1', 60n, AT_MS + 1_000);
  await nextTurn();
  const before = assigned();
  lost.set('move', 'written');
  ledger.keepCheckpoint('r1');
  await nextTurn();
  expect(assigned()).toBe(before - 60n);
  await answerAgain();
  clock.advance(1_000);
  await ledger.reap();
  // The store took the money of r1 from the assignment, so r2 is not covered and the store decides
  // it.
  const outcome = ledger.hold(hold('r2', before, { epoch: 'e1' }));
  expect(outcome).toBeInstanceOf(Promise);
  await outcome;
  expect(model.account('alice').isKnown('r2')).toBe(true);
});

test('a charge in doubt counts as much as a hold of its amount', async () => {
  const { model, ledger, lost, answerAgain, surrendered } = await assignedNode();
  ledger.learn([USD_CNY]);
  model.account('alice').apply(credit('c2', 4_400n, { currency: 'CNY' }));
  const terms = { epoch: 'e1', currency: 'CNY', priceRate: USD_CNY } as const;
  for (const id of ['busy3', 'busy4', 'r1']) await ledger.hold(hold(id, 13n, terms));
  expect(ledger.isHeld('r1')).toBe(true);
  lost.set('charge', 'not written');
  const priced = { currency: 'CNY', cardId: 'card_usd', fxRateId: USD_CNY.id } as const;
  await failureOf(ledger.settle(settle('r1', 8n, priced)));
  await answerAgain();
  await ledger.recalled(['alice']);
  const [moved] = surrendered.filter(({ by }) => by.id === 'r1');
  // For the caps, a charge is rounded to the nearest unit, but a hold is rounded up.
  expect(meteredCharge(8n, USD_CNY)).toBe(1n);
  expect([moved?.amount, moved?.metered]).toEqual([8n, 2n]);
});

test('money given back by a question that arrives late is not held again', async () => {
  const { model, ledger, lost, late, held, assigned, answerAgain } = await assignedNode();
  held('r1', 1n);
  await answerAgain();
  lost.set('assign', 'not written');
  held('r2', 1n);
  await ledger.check();
  lost.clear();
  expect(late).toHaveLength(1);
  // When a question, such as a heartbeat's, has reached the store, holds are made in memory again.
  await ledger.right.note(Promise.resolve());
  // No money is left to assign, so the store refuses a raise. Its reply has the old amount of the
  // assignment.
  model.account('alice').apply(hold('rest', model.account('alice').free('USD'), { epoch: 'e1' }));
  await ledger.hold(hold('r3', 1n, { epoch: 'e1' }));
  await nextTurn();
  for (const arrive of late) arrive();
  let sold = 0n;
  while (!(ledger.hold(hold(`s${sold}`, 1n, { epoch: 'e1' })) instanceof Promise)) sold += 1n;
  expect(sold).toBeLessThanOrEqual(assigned());
});

test('a settlement waits for a surrender that the store refuses, and is written later', async () => {
  const { model, ledger, lost, held, faults, answerAgain } = await assignedNode();
  held('r1', 70n);
  lost.set('surrender', 'refused');
  await ledger.recalled(['alice']);
  const charge = { ...settle('r1', 50n), held: null };
  // Only after this error does the caller keep the settlement on disk.
  expect(await failureOf(ledger.settle(charge))).toMatchObject({ code: 'store_unavailable' });
  // The refusal is reported once, although each settlement and each heartbeat tries the surrender.
  expect(faults).toEqual(['alice: a check refuses this surrender']);
  await answerAgain();
  expect((await ledger.settle(charge)).status).toBe('applied');
  expect(model.account('alice').balance.USD).toBe(390n);
});

test('a settlement whose hold the store refuses as a row is in doubt, and reported', async () => {
  const { ledger, lost, held, faults } = await assignedNode();
  held('r1', 10n);
  lost.set('move', 'refused');
  ledger.keepCheckpoint('r1');
  await nextTurn();
  expect(faults).toEqual(['alice: a check refuses this move']);
  lost.set('command', 'refused');
  const overrun = { ...settle('r1', 50n), held: null };
  expect(await failureOf(ledger.settle(overrun))).toBeInstanceOf(OutcomeInDoubt);
  expect(faults).toHaveLength(2);
});

const CHANGES = [
  ['is revoked', { isKeyActive: false, cap: null, memberCap: null }, 'key_inactive'],
  ['gets a cap', { isKeyActive: true, cap: 0n, memberCap: null }, 'cap_reached'],
  ['is of a member who gets a cap', { isKeyActive: true, cap: null, memberCap: 0n }, 'cap_reached'],
] as const;
test.each(CHANGES)(
  'a key that %s without a notice holds until the next check',
  async (_, to, is) => {
    const { model, ledger, held } = await assignedNode();
    const account = model.account('alice');
    account.isKeyActive = to.isKeyActive;
    account.meters.key.caps.total = to.cap;
    account.memberCaps.day = to.memberCap;
    held('r1', 1n);
    await ledger.check();
    expect(await ledger.hold(hold('r2', 1n, { epoch: 'e1' }))).toMatchObject({ status: is });
  },
);

/**
 * Returns a node with `count` holds in memory per account, each of the amount 1. `inFlight` counts
 * its questions.
 */
async function fullNode(accountIds: readonly string[], count: number) {
  const model = new AssignmentModel(AT_MS);
  model.join('e1', LEASE_MS);
  const inFlight = { questions: 0, holds: 0, most: 0 };
  const asked: { readonly kind: keyof StoreQuestions; readonly holds: readonly FloatHold[] }[] = [];
  const refused = new Set<string>();
  const store: AssignmentStore = {
    ask: async (kind, ask, received) => {
      const holds = 'holds' in ask ? ask.holds : kind === 'move' && 'by' in ask ? [ask] : [];
      asked.push({ kind, holds: holds as readonly FloatHold[] });
      inFlight.questions += 1;
      inFlight.holds += holds.length;
      inFlight.most = Math.max(inFlight.most, inFlight.questions + inFlight.holds);
      await nextTurn();
      inFlight.questions -= 1;
      inFlight.holds -= holds.length;
      if (kind === 'move' && 'by' in ask && refused.has(String(ask.by.id))) {
        throw fault('internal_error', 'a check refuses this hold');
      }
      const answer = model.answers[kind](ask);
      received?.(answer);
      return answer;
    },
  };
  const ledger = new AssignedLedger({ store, clock: manualClock(AT_MS) });
  ledger.right.granted('e1', ledger.right.now(), LEASE_MS);
  ledger.joined();
  for (const accountId of accountIds) {
    model.addAccount(accountId).apply(credit(`c_${accountId}`, 1_000_000n, { accountId }));
    const of = { accountId, keyId: `key_${accountId}`, epoch: 'e1' };
    for (const id of ['busy1', 'busy2']) {
      await ledger.hold(hold(`${accountId}_${id}`, BigInt(count), of));
      await ledger.applyOne(voided(`${accountId}_${id}`, of));
    }
    await nextTurn();
    for (let each = 0; each < count; each += 1) {
      const outcome = ledger.hold(hold(`${accountId}_h${each}`, 1n, of));
      if (outcome instanceof Promise) throw new Error(`${each} was not held in memory`);
    }
  }
  asked.length = 0;
  inFlight.most = 0;
  return { model, ledger, asked, inFlight, refused };
}

test('thousands of holds of an account become rows in parts, and none is lost', async () => {
  const { model, ledger, asked, inFlight, refused } = await fullNode(['alice'], 5_000);
  refused.add('alice_h7');
  await ledger.leave();
  expect(inFlight.most).toBeLessThanOrEqual(2 * 128);
  // The surrender includes the hold that the store refuses, so that the store reports it.
  const last = asked.at(-1);
  expect(last?.kind).toBe('surrender');
  expect(last?.holds.length).toBeLessThanOrEqual(128 + 1);
  expect(last?.holds.map(({ by }) => String(by.id))).toContain('alice_h7');
  expect(asked.flatMap(({ kind, holds }) => (kind === 'move' ? holds : []))).toHaveLength(
    5_000 + 1 - (last?.holds.length ?? 0),
  );
  expect(model.account('alice').held.USD).toBe(5_000n);
  expect(ledger.breaches()).toEqual([]);
  expect([ledger.isHeld('alice_h0'), ledger.isHeld('alice_h4999')]).toEqual([false, false]);
});

test('thousands of accounts are surrendered in waves, each with its holds', async () => {
  const accountIds = Array.from({ length: 2_000 }, (_, each) => `acc${each}`);
  const { model, ledger, asked, inFlight } = await fullNode(accountIds, 2);
  await ledger.leave();
  expect(inFlight.most).toBeLessThanOrEqual(512 + 3);
  expect(asked.filter(({ kind }) => kind === 'surrender')).toHaveLength(2_000);
  for (const id of accountIds) expect(model.account(id).held.USD).toBe(2n);
  expect(ledger.breaches()).toEqual([]);
});
