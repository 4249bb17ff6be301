/**
 * Tests how a change by an administrator waits until all nodes have surrendered the account
 * (returned its money to the store).
 */
import { expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { nano } from '../../money/amount.ts';
import type { SqlExecutor, SqlRow } from '../../store/sql.ts';
import { unavailable } from '../../store/store-fault.ts';
import { AssignedLedger } from '../assigned/assigned-ledger.ts';
import type { UnansweredRecall } from '../assigned/unanswered-recall.ts';
import { RECALL_WAIT_MS, recall } from './postgres-node.ts';

const answeredBy = (query: () => Promise<readonly SqlRow[]>): SqlExecutor => ({
  query,
  transaction: () => Promise.reject(new Error('one statement')),
});

test('a change that a node does not confirm is reported after 15 seconds', async () => {
  const clock = manualClock();
  const unanswered: UnansweredRecall[] = [];
  const ledger = new AssignedLedger({ store: { ask: () => Promise.reject() }, clock });
  let asked = 0;
  // The first query fails. Later queries report that a node still has an assignment.
  const query = (): Promise<readonly SqlRow[]> => {
    asked += 1;
    return asked === 1 ? Promise.reject(unavailable('cut')) : Promise.resolve([{ remains: 1n }]);
  };
  let isOver = false;
  const onUnanswered = (each: UnansweredRecall) => void unanswered.push(each);
  const deps = { assigned: ledger, sql: answeredBy(query), clock, onUnanswered };
  const recalling = recall(deps, ['alice']).then(() => {
    isOver = true;
  });
  for (let ms = 0; !isOver; ms += 200) {
    expect(ms).toBeLessThan(RECALL_WAIT_MS + 1_000);
    expect(unanswered).toEqual([]);
    await nextTurn();
    clock.advance(200);
    await nextTurn();
  }
  await recalling;
  expect(asked).toBeGreaterThan(50);
  expect(unanswered).toEqual([{ accountIds: ['alice'], of: 'change', id: null, loss: nano(0n) }]);
});

test('a node that was paused while it surrendered the account still asks the others', async () => {
  const clock = manualClock();
  const unanswered: UnansweredRecall[] = [];
  let asked = 0;
  const sql = answeredBy(async () => {
    asked += 1;
    return [{ remains: 0n }];
  });
  const assigned = { recalled: async () => clock.advance(RECALL_WAIT_MS + 1) };
  const onUnanswered = (each: UnansweredRecall) => void unanswered.push(each);
  await recall({ assigned, sql, clock, onUnanswered }, ['alice']);
  expect([asked, unanswered]).toEqual([1, []]);
});
