import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatExact, parseAmount } from '#money/amount.ts';
import { formatAmount, formatDecimal } from '../../../src/money/amount.ts';
import { costPico, NO_RATES, picoRate, settleAmount } from '../../../src/money/price.ts';
import { NO_USAGE } from '../../../src/money/usage.ts';
import { channel, NO_HEALTH, NO_PRICES } from './model.fixture.ts';
import type { Channel, Price } from './models.ts';
import {
  charged,
  cheapestChannels,
  fastestChannel,
  imageLines,
  lowestPrice,
  rateOf,
  tokenLines,
} from './price.ts';

const priced = (listed: Partial<Price>): Price => ({
  ...NO_PRICES,
  ...{ currency: 'USD', unit: '1M tokens', input: '5.00', output: '25.00', per_image: null },
  ...listed,
});

const on = (
  name: Channel['channel'],
  listed: Partial<Price>,
  firstByteMs: number | null = null,
): Channel =>
  channel(name, {
    price: priced(listed),
    health: {
      ...NO_HEALTH,
      first_byte_ms: firstByteMs === null ? null : { p50: firstByteMs, p95: 900 },
    },
  });

describe('the cost of a request', () => {
  test("equals the gateway's charge to the last digit", () => {
    const rate = fc.bigInt({ min: 0n, max: 10n ** 10n });
    const count = fc.nat(2_000_000);
    const rates = fc.record({ input: rate, output: rate, cache_read: rate, cache_write: rate });
    const counts = fc.record({
      input: count,
      output: count,
      cache_read: count,
      cache_write: count,
    });
    const scaled = fc.option(fc.bigInt({ min: 1n, max: 2_000_000_000n }));
    fc.assert(
      fc.property(rates, counts, scaled, (each, tokens, fx) => {
        const decimals = Object.entries(each).map(([name, pico]) => [name, formatDecimal(pico, 6)]);
        const lines = tokenLines(priced(Object.fromEntries(decimals)), tokens);
        const pico = costPico(
          {
            ...NO_USAGE,
            ...{ input: tokens.input, output: tokens.output, cacheRead: tokens.cache_read },
            cacheWrite5m: tokens.cache_write,
          },
          {
            ...NO_RATES,
            ...{ input: picoRate(each.input), output: picoRate(each.output) },
            ...{ cacheRead: picoRate(each.cache_read), cacheWrite5m: picoRate(each.cache_write) },
          },
        );
        const ours = charged(lines, fx === null ? null : formatDecimal(fx, 8));
        const theirs = settleAmount(pico, fx === null ? null : { scaled: fx });
        expect(ours).toBe(parseAmount(formatAmount(theirs)));
      }),
    );
  });

  test('charges unlisted buckets as input', () => {
    const price = priced({ cache_read: '0.50' });
    expect([rateOf(price, 'cache_read'), rateOf(price, 'cache_write')]).toEqual(['0.50', '5.00']);
  });

  test('is unknown for tokens that are not sold', () => {
    const price = priced({ cache_read: '0.50', not_sold: ['cache_write'] });
    expect([rateOf(price, 'cache_read'), rateOf(price, 'cache_write')]).toEqual(['0.50', null]);
  });

  test('of images is count times price', () => {
    const price = priced({ input: null, output: null, per_image: { '1024x1024': '0.040' } });
    expect(formatExact(charged(imageLines(price, '1024x1024', 3), null))).toBe('0.12');
  });
});

describe('several channels', () => {
  const direct = on('direct', {});
  const economical = on('economical', { input: '3.00', output: '15.00' });

  test('the cheapest is marked unless all cost the same', () => {
    expect(cheapestChannels({ channels: [direct, economical] })).toEqual(['economical']);
    expect(cheapestChannels({ channels: [direct, on('stable', {})] })).toEqual([]);
    expect(formatExact(lowestPrice({ channels: [direct, economical] }))).toBe('3.00');
  });

  test('the fastest is marked once two are measured', () => {
    const [slow, quick] = [on('direct', {}, 400), on('stable', {}, 120)];
    expect(fastestChannel({ channels: [slow, quick] })).toBe('stable');
    expect(fastestChannel({ channels: [slow, economical] })).toBeNull();
    expect(fastestChannel({ channels: [slow, on('stable', {}, 400)] })).toBeNull();
  });
});
