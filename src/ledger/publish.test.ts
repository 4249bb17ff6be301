import { expect, test } from 'bun:test';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { changedFile, settingsOf } from '../config/file.fixture.ts';
import { flatTerms } from '../money/card-terms.ts';
import { NO_RATES, picoRate } from '../money/price.ts';
import { BUCKET_COLUMNS } from '../money/usage.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { publishCards, publishedCards, publishedTerms } from './publish.ts';

const FLAT = 'price: { input: "5.00", output: "25.00" }';
const published = (price: string) => {
  const catalogue = loadCatalogue(settingsOf(changedFile(FLAT, price)), 0);
  const [card] = publishedCards(catalogue);
  const chat = catalogue.models.get('gen-x')?.channels.get('direct')?.card;
  if (card === undefined || chat?.unit !== 'token') throw new Error('gen-x has a chat card');
  return { card, chat };
};

test('a card with conditions is published with its terms, and read again', () => {
  const rows = '[{ when: { tier: priority }, scale: "2" }]';
  const { card, chat } = published(`price: { input: "5.00", output: "25.00", rows: ${rows} }`);
  expect(publishedTerms({ terms: card.terms })).toEqual(chat.terms);
});

test('a flat card has no terms but its rates', () => {
  const { card, chat } = published(FLAT);
  expect(card.terms).toBeNull();
  const row = Object.fromEntries(
    BUCKET_COLUMNS.map((column, at) => [column, Object.values(chat.rates)[at] ?? null]),
  );
  expect(publishedTerms({ ...row, terms: null })).toEqual(flatTerms(chat.rates));
});

test('a card of an earlier version has derived rates for the buckets that it does not know', () => {
  const unknown = Object.fromEntries(BUCKET_COLUMNS.map((column) => [column, null]));
  const row = { ...unknown, terms: null, input: 5n, cache_read: 1n, output: 25n };
  expect(publishedTerms(row)).toEqual(
    flatTerms({
      ...NO_RATES,
      ...{ input: picoRate(5n), cacheRead: picoRate(1n), output: picoRate(25n) },
      ...{ cacheWrite5m: picoRate(5n), cacheWrite1h: picoRate(10n), reasoning: picoRate(25n) },
      ...{ audioInput: picoRate(5n), audioOutput: picoRate(25n) },
      ...{ imageInput: picoRate(5n), imageOutput: picoRate(25n) },
    }),
  );
});

test('publishing asks for the given cards only, 500 at a time', async () => {
  const { card } = published(FLAT);
  const cards = Array.from({ length: 1_001 }, (_, at) => ({ ...card, id: `card_${at}` }));
  const asked: number[] = [];
  const added: unknown[] = [];
  const sql: SqlExecutor = {
    query: async ({ params }) => {
      asked.push(params.length);
      return params.filter((id) => id !== 'card_7').map((id) => ({ id }));
    },
    transaction: async ([statement]) => {
      added.push(statement?.params[0]);
      return [];
    },
  };
  await publishCards(sql, cards, []);
  expect(asked).toEqual([500, 500, 1]);
  expect(added).toEqual(['card_7']);
});
