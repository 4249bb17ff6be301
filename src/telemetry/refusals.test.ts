import { expect, test } from 'bun:test';
import { finished } from './finished.fixture.ts';
import { Refusals } from './refusals.ts';

const refused = (requestId: string, accountId = 'acc_1') =>
  finished({
    ...{ requestId, status: 402, end: 'refused', settled: null },
    ...{ errorCode: 'insufficient_balance', errorMessage: 'The USD wallet is empty.' },
    caller: { accountId, keyId: 'key_1' },
  });

test('finds the refused requests of an account by id, newest first', () => {
  const refusals = new Refusals();
  for (const id of ['req_01', 'req_02', 'req_11']) refusals.finished(refused(id));
  refusals.finished(refused('req_03', 'acc_2'));
  expect(refusals.of('acc_1', 'req_0').map(({ requestId }) => requestId)).toEqual([
    'req_02',
    'req_01',
  ]);
  expect(refusals.of('acc_1', 'req_11')).toEqual([
    {
      ...{ requestId: 'req_11', atMs: finished().startedAtMs, keyId: 'key_1', endpoint: 'chat' },
      ...{ model: 'gen', status: 402, code: 'insufficient_balance' },
      message: 'The USD wallet is empty.',
    },
  ]);
  expect(refusals.of('acc_3', null)).toEqual([]);
});

test('keeps no charged request and none without a known caller', () => {
  const refusals = new Refusals();
  refusals.finished(finished());
  refusals.finished({ ...refused('req_1'), end: 'upstream_error' });
  refusals.finished({ ...refused('req_2'), caller: null });
  refusals.finished({ ...refused('req_3'), endpoint: null });
  expect(refusals.of('acc_1', null)).toEqual([]);
});

test('a client in a loop pushes out only its own older refusals', () => {
  const refusals = new Refusals();
  refusals.finished(refused('req_of_another', 'acc_2'));
  for (let at = 0; at < 20_000; at += 1) refusals.finished(refused(`req_${at}`));
  expect(refusals.of('acc_1', null)).toHaveLength(200);
  expect(refusals.of('acc_1', null)[0]?.requestId).toBe('req_19999');
  expect(refusals.of('acc_2', null)).toHaveLength(1);
});

test('many accounts together keep a bounded number', () => {
  const refusals = new Refusals();
  for (let at = 0; at < 10_500; at += 1) refusals.finished(refused(`req_${at}`, `acc_${at}`));
  expect(refusals.of('acc_499', null)).toEqual([]);
  expect(refusals.of('acc_500', null)).toHaveLength(1);
});
