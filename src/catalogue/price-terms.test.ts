import { describe, expect, test } from 'bun:test';
import { changedFile, settingsOf } from '../config/file.fixture.ts';
import { formatPico, picoRate } from '../money/price.ts';
import { during, factsWith, servedWith, usageOf } from '../money/price-of.fixture.ts';
import { type PriceFacts, priceOf } from '../money/price-of.ts';
import { readTerms, termsJson } from '../money/terms-json.ts';
import type { Usage } from '../money/usage.ts';
import type { TokenCard } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

const FLAT = 'price: { input: "5.00", output: "25.00" }';

function cardOf(price: string, file?: string): TokenCard {
  const wide = changedFile('context_window: 1000\n', 'context_window: 1000000\n', file);
  const settings = settingsOf(
    changedFile(FLAT, `price: { ${price.replaceAll(/\s*\n\s*/g, ' ')} }`, wide),
  );
  const model = loadCatalogue(settings, 0).models.get('gen-x');
  const card = model?.channels.get('direct')?.card;
  if (card?.unit !== 'token') throw new Error('gen-x has a chat card');
  return card;
}

const priceBy = ({ terms }: TokenCard, usage: Usage, facts: PriceFacts): string =>
  formatPico(priceOf(terms, usage, facts).costPico);

const ASTRA = `input: "10", output: "50", cache_read: "1", cache_write: "12.5", rows: [
  { when: { prompt_over: 272000 }, input: "20", output: "75", cache_read: "2", cache_write: "25" },
  { when: { tier: priority }, input: "20", output: "100", cache_read: "2", cache_write: "25" },
  { when: { tier: priority, prompt_over: 272000 }, input: "40", output: "150", cache_read: "4", cache_write: "50" },
  { when: { tier: flex }, scale: "0.5" } ],
  times: [{ when: { geo: [us, eu] }, tokens: "1.1" }],
  fees: { web_search: "0.01" },
  names: { tier: { FAST: priority } },
  admit: { tier: [priority, flex], geo: [eu], tools: [web_search] },
  models: { other: { input: "1", output: "2" } }`;

test('a file prices an answer to the last digit', () => {
  const card = cardOf(ASTRA);
  const long = usageOf({ input: 10_000, cacheRead: 250_000, cacheWrite5m: 50_000, output: 4_000 });
  expect(priceBy(card, long, servedWith({ tier: 'Fast' }))).toBe('4.500000000000');
  expect(priceBy(card, long, servedWith({ geo: 'eu' }))).toBe('2.475000000000');
  expect(priceBy(card, long, servedWith({ tier: 'flex' }))).toBe('1.125000000000');
  const searched = factsWith({ uses: { web_search: 3 }, model: 'other' });
  expect(priceBy(card, usageOf({ input: 1_000_000 }), searched)).toBe('1.030000000000');
});

test('hours, days and holidays come from the file', () => {
  const file = changedFile(
    'fx:',
    'calendars: { cn: { until: 2026-12-31, dates: [2026-10-01] } }\nfx:',
  );
  const card = cardOf(
    `input: "0.66", output: "1.98", clock: { zone: Asia/Shanghai, at: start }, rows: [
      { when: { hours: ["09:00-12:00", "14:00-18:00"], days: [mon, tue, wed, thu, fri], not_on: cn }, scale: "2" } ]`,
    file,
  );
  const million = usageOf({ input: 1_000_000 });
  expect(priceBy(card, million, during('2026-09-24T10:00:00+08:00'))).toBe('1.320000000000');
  expect(priceBy(card, million, during('2026-10-01T10:00:00+08:00'))).toBe('0.660000000000');
});

test('the terms survive the ledger', () => {
  const { terms } = cardOf(ASTRA);
  expect(readTerms(termsJson(terms))).toEqual(terms);
});

describe('the id of a card', () => {
  test('covers its terms', () => {
    const flat = cardOf('input: "5.00", output: "25.00"');
    const ids = [
      flat,
      cardOf('input: "5.00", output: "25.00", fees: { request: "0.1" }'),
      cardOf('input: "5.00", output: "25.00", fees: { request: "0.2" }'),
      cardOf('input: "5.00", output: "25.00", times: [{ tokens: "1.1" }]'),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(cardOf('output: "25.00", input: "5.0"').id).toBe(flat.id);
  });
});

describe('a bucket that is not sold', () => {
  test('costs as much as the highest of its side and is flagged', () => {
    const card = cardOf('input: "5.00", output: "25.00", cache_write: "6.25", cache_read: "-"');
    expect(card.rates.cacheRead).toBe(picoRate(10_000_000n));
    const priced = priceOf(card.terms, usageOf({ cacheRead: 1 }), factsWith());
    expect(priced.unpriced).toEqual(['cache_read']);
  });
});
