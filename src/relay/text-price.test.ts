import { describe, expect, test } from 'bun:test';
import type { Channel, ChannelName, TokenCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { Command, Outcome } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { flatTerms } from '../money/card-terms.ts';
import { NO_RATES, picoRate, type Rates } from '../money/price.ts';
import { perPrice } from '../money/usage.ts';
import { NO_EXTRAS } from '../protocols/inputs/request-extras.ts';
import { chatModel } from './admission.fixture.ts';
import { tooExpensive } from './hold-refusal.ts';
import { FLAT, purchaseOn, SO_FAR } from './purchase.fixture.ts';
import type { Consumption } from './purchase.ts';
import {
  EXPECTED_OUTPUT_TOKENS,
  type HoldBasis,
  sizeHold,
  TextPrice,
  worstCase,
} from './text-price.ts';

const ratesOf = (pico: bigint): Rates => ({
  ...NO_RATES,
  input: picoRate(pico),
  cacheRead: picoRate(pico),
  cacheWrite5m: picoRate(pico),
  cacheWrite1h: picoRate(pico),
  output: picoRate(pico),
});

const channelAt = (name: ChannelName, pico: bigint): Channel<TokenCard> => ({
  name,
  onlyOn: null,
  card: {
    unit: 'token',
    id: `card_${name}`,
    model: 'gen',
    channel: name,
    currency: 'USD',
    example: false,
    list: null,
    rates: ratesOf(pico),
    terms: flatTerms(ratesOf(pico)),
    listed: perPrice(() => '1'),
  },
  dated: [],
  cost: null,
  routes: [{ upstream: 'there', model: 'm', weight: 1, priority: 1, drop: [] }],
});
const cheap = channelAt('economical', 1_000n);
const expensive = channelAt('direct', 30_000n);

const basisAt = ({ card }: Channel<TokenCard>): HoldBasis => ({
  input: { text: 51, media: 0, atMost: 1_000 },
  likelyInput: 25,
  ...FLAT,
  outputCap: 5_000,
  choices: 1,
  thinkingTokens: 0,
  oneHourCache: false,
  rates: card.rates,
  rate: null,
});

/**
 * Begins a purchase on `channel`, paid by a wallet that contains `walletNano`. Also returns the
 * commands that the ledger receives.
 */
async function bought(channel: Channel<TokenCard>, walletNano: bigint, isWatched = false) {
  const commands: Command[] = [];
  let held = 0n;
  const apply = async (batch: readonly Command[]): Promise<readonly Outcome[]> =>
    batch.map((command) => {
      commands.push(command);
      if (command.kind !== 'hold' && command.kind !== 'extend') throw new Error(command.kind);
      const left = walletNano - held;
      const least = command.kind === 'hold' ? command.atLeast : command.amount;
      if (left < least) return { status: 'balance_too_low', available: nano(left) };
      held += command.amount < left ? command.amount : left;
      const available = nano(walletNano - held);
      return { status: 'applied', result: { amount: nano(held), available, loss: ZERO } };
    });
  const basis = basisAt(channel);
  const size = sizeHold(basis, isWatched ? EXPECTED_OUTPUT_TOKENS : basis.outputCap);
  const purchase = await purchaseOn(apply, size);
  const price = new TextPrice({ channel, basis, isWatched, worstCase: size.amount });
  price.sellBy(channel, purchase);
  return { price, purchase, commands };
}

const soFar = (): Consumption => SO_FAR;

describe('another channel', () => {
  test('that is more expensive extends the hold to exactly its price', async () => {
    const { price, purchase, commands } = await bought(cheap, 1_000_000n);
    await purchase.moveTo(expensive, price, { soFar });
    expect(purchase.held).toBe(sizeHold(basisAt(expensive), 5_000).amount);
    expect(price.channel).toBe(expensive);
    expect(commands.map(({ kind }) => kind)).toEqual(['hold', 'extend']);
  });

  test('that is cheaper extends nothing', async () => {
    const { price, purchase, commands } = await bought(expensive, 1_000_000n);
    const { held } = purchase;
    await purchase.moveTo(cheap, price, { soFar });
    expect([purchase.held, price.channel]).toEqual([held, cheap]);
    expect(commands.map(({ kind }) => kind)).toEqual(['hold']);
  });

  test('that the wallet cannot pay for is refused and changes nothing', async () => {
    const { price, purchase } = await bought(cheap, sizeHold(basisAt(cheap), 5_000).amount + 1n);
    const { held } = purchase;
    const thrown = await purchase
      .moveTo(expensive, price, { soFar })
      .catch((failure: unknown) => failure);
    expect(thrown).toBeInstanceOf(GatewayError);
    expect(thrown).toMatchObject({
      code: 'insufficient_balance',
      message: expect.stringContaining('fallback direct costs more than the balance allows'),
    });
    expect([purchase.held, price.channel, price.clampedOutput]).toEqual([held, cheap, null]);
  });
});

describe('the worst case, which a careful account must hold,', () => {
  const model = { ...chatModel('gen', 'USD'), contextWindow: 100_000 };
  // The output is 5,000 tokens for each of two choices, and 10 predicted tokens.
  const basis = { ...basisAt(cheap), choices: 2, predictedTokens: 10 };

  test('is a full context window and all output on the most expensive channel', () => {
    for (const channels of [[cheap, expensive] as const, [expensive, cheap] as const])
      expect(worstCase(basis, { model, channels })).toBe(nano(110_010n * 30n));
  });

  test('includes rows that the request does not ask for, fees, and what a compaction reads', () => {
    const { card } = cheap;
    const priority = { when: { tier: ['priority'] }, rates: ratesOf(40_000n), unlisted: [] };
    const rows = [...card.terms.rows, priority] as const;
    const terms = { ...card.terms, rows, fees: { request: picoRate(5_000n) } };
    const channels = [{ ...cheap, card: { ...card, terms } }] as const;
    expect(worstCase(basis, { model, channels })).toBe(nano(110_010n * 40n + 5n));
    const compacting = { ...basis, extras: { ...NO_EXTRAS, compacts: true } };
    expect(worstCase(compacting, { model, channels })).toBe(nano(210_010n * 40n + 5n));
  });
});

test('only a refusal for money mentions the price of the other channel', () => {
  const refusal = (code: 'spend_limit_reached' | 'invalid_api_key') =>
    tooExpensive(new GatewayError(code, 'as it was'), 'direct').message;
  expect(refusal('spend_limit_reached')).toContain('costs more than the spending limit allows');
  expect(refusal('invalid_api_key')).toBe('as it was');
  const extra = { limit: 'member_month' };
  const capped = new GatewayError('spend_limit_reached', 'as it was', { extra });
  expect(tooExpensive(capped, 'direct').extra).toEqual(extra);
});

describe('the output', () => {
  test('is clamped to what the hold pays for', async () => {
    const pays = sizeHold(basisAt(cheap), 500).amount;
    const { price } = await bought(cheap, pays);
    expect(price.clampedOutput).toBe(500);
  });

  test('of a countable answer may draw on the rest of the wallet', async () => {
    const { price, purchase } = await bought(cheap, sizeHold(basisAt(cheap), 4_600).amount, true);
    expect(purchase.held).toBe(sizeHold(basisAt(cheap), EXPECTED_OUTPUT_TOKENS).amount);
    expect(price.clampedOutput).toBe(4_600);
  });

  test('does not draw on the rest of the wallet if a spending limit reduced the hold', async () => {
    const { price } = await bought(cheap, 1_000_000n, true);
    const held = sizeHold(basisAt(cheap), 600).amount;
    price.sellBy(cheap, { held, available: nano(1_000_000n) });
    expect(price.clampedOutput).toBe(600);
  });

  test.each([true, false])(
    'is clamped to what the wallet pays for at a higher price (countable: %p)',
    async (isWatched) => {
      const { price, purchase } = await bought(
        cheap,
        sizeHold(basisAt(expensive), 700).amount,
        isWatched,
      );
      expect(price.clampedOutput).toBeNull();
      await purchase.moveTo(expensive, price, { soFar });
      expect(price.clampedOutput).toBe(700);
      expect(price.basis.rates).toEqual(expensive.card.rates);
    },
  );
});
