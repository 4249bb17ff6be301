import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { extend, hold } from '../ledger/conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger/ledger.ts';
import { OutcomeInDoubt } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { PLAIN_FACTS } from '../money/price-of.ts';
import { factsJson } from '../money/terms-json.ts';
import type { Settled } from '../relay/purchase.ts';
import { settledFor } from './finished.fixture.ts';
import { relayEvents, watchHolds } from './relay-events.ts';

const applied: Outcome = {
  status: 'applied',
  result: { amount: nano(1n), available: ZERO, loss: ZERO },
};

function watched(answer: () => Outcome | Promise<Outcome>) {
  const failed: string[] = [];
  const settle = () => Promise.resolve(applied);
  const ledger = { hold: answer, extend: answer, settle, keepCheckpoint: () => undefined };
  return { watched: watchHolds(ledger, (reason) => failed.push(reason)), failed };
}
const refused: Outcome = { status: 'balance_too_low', available: ZERO };

describe('a watched ledger', () => {
  test('answers as before, at once or later, and reports what was not granted', async () => {
    const answers = [applied, refused, Promise.resolve(applied), Promise.resolve(refused)];
    const { watched: ledger, failed } = watched(() => answers.shift() ?? applied);
    expect(ledger.hold(hold('a', 1n))).toBe(applied);
    expect(ledger.extend(extend('x', 'a', 1n))).toBe(refused);
    expect(await ledger.extend(extend('y', 'a', 1n))).toBe(applied);
    expect(failed).toEqual(['balance_too_low']);
    expect(await ledger.hold(hold('b', 1n))).toBe(refused);
    expect(failed).toEqual(['balance_too_low', 'balance_too_low']);
  });

  test.each([
    ['store_unavailable', new GatewayError('store_unavailable', 'away')],
    ['in_doubt', new OutcomeInDoubt(null)],
    ['internal_error', new Error('a bug')],
  ])('fail as they do: %s', async (reason, thrown) => {
    const { watched: later, failed } = watched(() => Promise.reject(thrown));
    const caught = await Promise.resolve(later.hold(hold('a', 1n))).catch((it: unknown) => it);
    expect(caught).toBe(thrown);
    const { watched: atOnce, failed: failedAtOnce } = watched(() => {
      throw thrown;
    });
    expect(() => atOnce.hold(hold('a', 1n))).toThrow(thrown);
    expect([failed, failedAtOnce]).toEqual([[reason], [reason]]);
  });
});

test('logs and counts what was served without a price', () => {
  const warned: unknown[] = [];
  const counted: Settled[] = [];
  const { onSettled } = relayEvents({
    log: { warn: (fields: unknown) => warned.push(fields), error: () => undefined },
    metrics: { settled: (each) => counted.push(each), settleFailed: () => undefined },
    journal: { settled: () => undefined, notBooked: () => undefined },
  });
  const facts = (unpriced: readonly string[]): string =>
    factsJson(PLAIN_FACTS, { assumed: ['tier: priority'], unpriced });
  onSettled(settledFor('req_1', { facts: null }, 1n));
  onSettled(settledFor('req_2', { facts: facts([]) }, 1n));
  onSettled(settledFor('req_3', { facts: facts(['tier: ultrafast']) }, 1n));
  expect(counted).toHaveLength(3);
  expect(warned).toMatchObject([{ requestId: 'req_3', unpriced: ['tier: ultrafast'] }]);
});
