/** The tests of price previews that every engine must pass, on random requests. */
import { expect, test } from 'bun:test';
import type { ChannelName } from '../../catalogue/catalogue.ts';
import { AT_MS, USD_CNY } from '../../ledger/conformance/ledger.fixture.ts';
import { type NanoAmount, nano } from '../../money/amount.ts';
import { DAY_MS, dayOf } from '../../money/calendar.ts';
import { flatTerms } from '../../money/card-terms.ts';
import { inCardCurrency, NO_RATES, picoRate, type Rates, roundToNano } from '../../money/price.ts';
import { promptTokens, USAGE_BUCKETS, type Usage } from '../../money/usage.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { costsOf, type World } from '../books-months-conformance.fixture.ts';
import type { PricingLimits } from '../month-costs.ts';
import type { OperatorPrices } from '../operator-cost.ts';
import { DAYS, PRICE_KEY } from '../reports.fixture.ts';
import { type LoggedRequest, RequestLog } from '../request-log.ts';
import { PricePreview, type ProposedCard } from './price-preview.ts';

const MODEL = 'gen-v4-pro';
const CHANNEL = 'direct' as const;
const CURRENCIES = ['CNY', 'USD'] as const;
const EVERY_DAY = { fromDay: dayOf(AT_MS), toDay: dayOf(AT_MS) + DAYS };

const RATES: Rates = { ...NO_RATES, input: picoRate(1_000_003n), output: picoRate(3_000_007n) };
const LONG: Rates = { ...RATES, input: picoRate(9_000_001n) };
const LONG_OVER = 400_000;
const FLAT: OperatorPrices = tokens(flatTerms(RATES));
const CONDITIONED = tokens({
  ...flatTerms(RATES),
  rows: [
    { when: {}, rates: RATES, unlisted: [] },
    { when: { promptOver: LONG_OVER }, rates: LONG, unlisted: [] },
  ],
});

function tokens(terms: ReturnType<typeof flatTerms>): OperatorPrices {
  return { unit: 'token', currency: 'USD', rates: RATES, terms };
}

const images = (key: string): OperatorPrices => ({
  unit: 'image',
  currency: 'USD',
  perImage: new Map([[key, nano(7_000_001n)]]),
});

const proposed = (card: OperatorPrices, channel: ChannelName = CHANNEL): ProposedCard => ({
  ...{ model: MODEL, channel, list: null, card, isOtherUnit: false },
});

const depsOf = (sql: SqlExecutor) => ({ ...costsOf(sql), sql });
const previewOf = (sql: SqlExecutor, card: ProposedCard, limits?: PricingLimits) =>
  new PricePreview(depsOf(sql), limits).of([card], EVERY_DAY);

async function receiptsOf(sql: SqlExecutor, channel: string = CHANNEL) {
  const filter = {
    ...{ accountId: null, keyId: null, model: MODEL, channel, upstream: null, outcomes: null },
    ...{ currency: null, minCost: null, status: null, idPrefix: null },
    ...{ fromMs: AT_MS - DAY_MS, toMs: AT_MS + (DAYS + 1) * DAY_MS },
  };
  return (await new RequestLog(sql).page(filter, 10_000, null)).rows;
}

/** Sums the receipts as a preview does. `picoOf` computes the price of each receipt. */
function expected(rows: readonly LoggedRequest[], picoOf: (row: LoggedRequest) => bigint) {
  return CURRENCIES.map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const rate = currency === 'CNY' ? USD_CNY : null;
    return {
      ...{ model: MODEL, channel: CHANNEL, list: null, currency, requests: BigInt(own.length) },
      earned: sumOf(own.map(({ charge }) => inCardCurrency(charge, rate))),
      proposed: roundToNano(own.reduce((sum, row) => sum + picoOf(row), 0n)),
    };
  });
}

const sumOf = (amounts: readonly NanoAmount[]): NanoAmount =>
  nano(amounts.reduce<bigint>((sum, each) => sum + each, 0n));

const priced = (usage: Usage, rates: Rates): bigint =>
  USAGE_BUCKETS.reduce((sum, bucket) => sum + BigInt(usage[bucket]) * rates[bucket], 0n);

export function pricePreviewConformance(world: World): void {
  flatPrices(world);
  conditions(world);
  unknown(world);
  priceLists(world);
}

function flatPrices({ sql, named }: World): void {
  test(named('prices the sums of all requests as it would price each of them'), async () => {
    const rows = await receiptsOf(sql());
    expect(rows.length).toBeGreaterThan(100);
    const wanted = expected(rows, ({ usage }) => priced(usage, RATES));
    const nothingRead = { requests: 0, pages: 0 };
    expect(await previewOf(sql(), proposed(FLAT), nothingRead)).toEqual(wanted);
    expect(wanted.every((group) => group.proposed > 0n)).toBe(true);
  });
  test(named('prices several channels at once, each by its own price'), async () => {
    const cards = [proposed(FLAT), proposed(images(PRICE_KEY), 'economical')];
    const preview = await new PricePreview(depsOf(sql())).of(cards, EVERY_DAY);
    const drawn = (await receiptsOf(sql(), 'economical')).map((row) => row.images?.count ?? 0);
    const sum = drawn.reduce((all, each) => all + each, 0);
    const prices = preview.filter(({ channel }) => channel === 'economical');
    expect(sumOf(prices.map((it) => it.proposed as NanoAmount))).toBe(
      nano(BigInt(sum) * 7_000_001n),
    );
    expect(preview).toHaveLength(4);
    expect(await new PricePreview(depsOf(sql())).of([], EVERY_DAY)).toEqual([]);
  });
}

function conditions({ sql, named }: World): void {
  test(named('prices each request by the row that holds for it'), async () => {
    const rows = await receiptsOf(sql());
    const isLong = ({ usage }: LoggedRequest): boolean => promptTokens(usage) > LONG_OVER;
    const wanted = expected(rows, (row) => priced(row.usage, isLong(row) ? LONG : RATES));
    expect(await previewOf(sql(), proposed(CONDITIONED))).toEqual(wanted);
    expect(new Set(rows.map(isLong)).size).toBe(2);
  });
}

function unknown({ sql, named }: World): void {
  test(named('says which usage it cannot price, and does not estimate it'), async () => {
    const reasons = async (card: ProposedCard, limits?: PricingLimits) =>
      (await previewOf(sql(), card, limits)).map((group) => group.proposed);
    const few = (await receiptsOf(sql())).filter(({ currency }) => currency === 'CNY').length;
    expect(await reasons(proposed(CONDITIONED), { requests: few, pages: 9 })).toEqual([
      expect.any(BigInt),
      'too_many',
    ]);
    expect(await reasons(proposed(CONDITIONED), { requests: 10_000, pages: 1 })).toEqual([
      expect.any(BigInt),
      'too_many',
    ]);
    expect(await reasons(proposed(images('other')))).toEqual(['unpriced', 'unpriced']);
    const other = { ...proposed(images(PRICE_KEY)), isOtherUnit: true };
    expect(await reasons(other)).toEqual(['other_unit', 'other_unit']);
    const yen = { ...FLAT, currency: 'CNY' as const };
    expect(await reasons(proposed(yen))).toEqual(['no_rate', 'no_rate']);
  });
}

function priceLists({ sql, named }: World): void {
  test(named('prices accounts on a price list by the prices of that list'), async () => {
    const setList = async (list: string | null) => {
      const update = 'UPDATE account SET price_list = ? WHERE id = ? RETURNING id';
      await sql().query({ sql: update, params: [list, 'bob'] });
    };
    const rows = await receiptsOf(sql());
    const of = (owner: string) => rows.filter(({ accountId }) => accountId === owner);
    const isLong = ({ usage }: LoggedRequest): boolean => promptTokens(usage) > LONG_OVER;
    const byRow = (row: LoggedRequest) => priced(row.usage, isLong(row) ? LONG : RATES);
    const flat = ({ usage }: LoggedRequest) => priced(usage, RATES);
    const onList = (card: OperatorPrices) => ({ ...proposed(card), list: 'partners' });
    const wanted = (picoOf: typeof flat) =>
      expected(of('bob'), picoOf).map((row) => ({ ...row, list: 'partners' }));
    await setList('partners');
    try {
      const both = new PricePreview(depsOf(sql()));
      expect(await both.of([proposed(CONDITIONED), onList(FLAT)], EVERY_DAY)).toEqual([
        ...expected(of('alice'), byRow),
        ...wanted(flat),
      ]);
      // If only one of the two prices is proposed, requests that paid the other price are not
      // counted.
      expect(await previewOf(sql(), proposed(FLAT))).toEqual(expected(of('alice'), flat));
      expect(await previewOf(sql(), onList(CONDITIONED))).toEqual(wanted(byRow));
      const none = new PricePreview(depsOf(sql()), undefined, 0);
      const unpriced = await none.of([proposed(FLAT)], EVERY_DAY);
      expect(unpriced.map((row) => row.proposed)).toEqual(['too_many_listed', 'too_many_listed']);
    } finally {
      await setList(null);
    }
  });
}
