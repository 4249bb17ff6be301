import { expect, test } from 'bun:test';
import { reasonIn } from './reason.ts';

test('only reasons that the gateway writes are translated', () => {
  const said = (reason: string): string =>
    reasonIn((key, values) => `${key} ${values?.['id']}`, reason);
  expect(said('first start')).toStartWith('start');
  expect(said('redeem code of rdb_1')).toBe('code rdb_1');
  expect(said('card payment of top_1')).toBe('payment top_1');
  expect(said('bonus on card payment of top_1')).toBe('bonus top_1');
  expect(said('refund of card payment top_1')).toBe('refund top_1');
  expect(said('dispute of card payment top_1')).toBe('dispute top_1');
  for (const own of ['card payment of May 2026', 'a gift', '']) expect(said(own)).toBe(own);
});
