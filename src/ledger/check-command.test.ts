import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { nano } from '../money/amount.ts';
import { NO_USAGE } from '../money/usage.ts';
import { checkCommand } from './check-command.ts';
import {
  adjust,
  checkpoint,
  credit,
  creditLimit,
  exchange,
  extend,
  hold,
  refund,
  settle,
  USD_CNY,
} from './conformance/ledger.fixture.ts';
import type { Command } from './ledger.ts';
import { MAX_AMOUNT } from './settlement-plan.ts';

/** Returns the name of the refused field; null when the command is valid. */
function refused(command: Command): string | null {
  try {
    checkCommand(command);
    return null;
  } catch (thrown) {
    return thrown instanceof GatewayError ? thrown.param : 'not a gateway error';
  }
}

const settled = settle('h1', 5n);
const used = (output: number) => settle('h1', 5n, { usage: { ...NO_USAGE, output } });

describe('a command', () => {
  test('that is valid passes', () => {
    const sound = [
      credit('c1', 1n),
      credit('c1', MAX_AMOUNT),
      adjust('a1', -MAX_AMOUNT),
      hold('h1', 0n),
      hold('h1', 5n, { currency: 'CNY', exchange: USD_CNY }),
      extend('x1', 'h1', 1n),
      settled,
    ];
    expect(sound.map(refused)).toEqual(sound.map(() => null));
  });

  test.each<[string, string, Command]>([
    ['moves nothing', 'amount', credit('c1', 0n)],
    ['is a wallet command under the id of a request', 'id', creditLimit('req_1', 1n)],
    ['extends by a negative amount', 'amount', extend('x1', 'h1', -1n)],
    ['corrects nothing', 'amount', adjust('a1', 0n)],
    ['exceeds the maximum amount', 'amount', adjust('a1', MAX_AMOUNT + 1n)],
    ['holds a negative amount', 'amount', hold('h1', -1n, { atLeast: -1n })],
    ['has a minimum above its amount', 'atLeast', hold('h1', 5n, { atLeast: 6n })],
    ['exchanges in the wrong direction', 'exchange', hold('h1', 5n, { exchange: USD_CNY })],
    ['charges a negative amount', 'charge', { ...settled, charge: nano(-1n) }],
    ['settles with the receipt of another request', 'receipt.requestId', { ...settled, id: 'h2' }],
    ['has a cost above the maximum', 'receipt.costPico', settle('h1', 5n, { costPico: 1n << 63n })],
    ['counts half a token', 'receipt.usage.output', used(1.5)],
    ['counts a negative number of tokens', 'receipt.usage.output', used(-1)],
    [
      'counts a negative number of images',
      'receipt.images.count',
      settle('h1', 5n, { images: { count: -1, priceKey: 'a' } }),
    ],
    [
      'has a price rate from another currency than USD',
      'priceRate',
      hold('h1', 5n, { priceRate: USD_CNY }),
    ],
    [
      'has the checkpoint of another hold',
      'receipt.requestId',
      extend('x1', 'h1', 5n, checkpoint('h2', 1n)),
    ],
    ['refunds nothing', 'amount', refund('r1', 'h1', 0n)],
    ['sets a negative credit limit', 'amount', creditLimit('l1', -1n)],
    ['buys nothing', 'amount', exchange('e1', 0n)],
    [
      'sells the currency that it buys',
      'rate',
      { ...exchange('e1', 1n), rate: { ...USD_CNY, base: 'CNY' as const } },
    ],
    ['has a line break in its actor', 'actor', { ...credit('c1', 1n), actor: 'a\nb' }],
    ['has a NUL byte in its reason', 'reason', { ...credit('c1', 1n), reason: 'a\u0000' }],
    ['has no valid time', 'atMs', { ...credit('c1', 1n), atMs: Number.NaN }],
  ])('that %s is refused by %s', (_, field, command) => {
    expect(refused(command)).toBe(field);
  });
});
