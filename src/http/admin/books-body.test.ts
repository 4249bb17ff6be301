import { expect, test } from 'bun:test';
import { nano } from '../../money/amount.ts';
import { sumsBody } from './books-body.ts';

const NOTHING = {
  currency: 'USD',
  ...{ requests: 0n, uncosted: 0n, loss: nano(0n), cost: nano(0n) },
  ...{ charged: nano(0n), refunded: nano(0n), earned: nano(0n) },
} as const;

test('a period with only refunds has a profit, if the cost of their models is known', () => {
  expect(sumsBody(NOTHING)).toMatchObject({ revenue: '0.000000000', profit: null, margin: null });
  const refunded = nano(1_000_000_000n);
  expect(sumsBody({ ...NOTHING, refunded })).toMatchObject({ profit: null });
  const earned = nano(-1_000_000_000n);
  expect(sumsBody({ ...NOTHING, refunded, earned })).toMatchObject({
    ...{ revenue: '-1.000000000', cost: '0.000000000', profit: '-1.000000000', margin: null },
  });
});
