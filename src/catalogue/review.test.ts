import { expect, test } from 'bun:test';
import { changedFile, problemsIn, settingsOf } from '../config/file.fixture.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { reviewsDue } from './review.ts';

const PRICE = 'price: { input: "5.00", output: "25.00" }';
const noted = (notes: string) => PRICE.replace(' }', `, ${notes} }`);
const SOURCE = 'https://gen.example/prices';
const NOTES = `source: "${SOURCE}", review: 2026-11-21`;
const load = (price: string) => loadCatalogue(settingsOf(changedFile(PRICE, price)), 0);

test('a price is due for a review after its date, not on it', () => {
  const catalogue = load(noted(NOTES));
  expect(reviewsDue(catalogue, Date.parse('2026-11-21T23:59:59Z'))).toEqual([]);
  expect(reviewsDue(catalogue, Date.parse('2026-11-22T00:00:00Z'))).toEqual([
    { model: 'gen-x', channel: 'direct', review: '2026-11-21', source: SOURCE },
  ]);
  expect(reviewsDue(load(PRICE), Date.parse('2036-11-22T00:00:00Z'))).toEqual([]);
});

test('notes make no new card, and a date that does not exist is refused', () => {
  const id = (price: string) => load(price).models.get('gen-x')?.channels.get('direct')?.card.id;
  expect(id(noted(NOTES))).toBe(id(PRICE) ?? '');
  expect(problemsIn(changedFile(PRICE, noted('review: 2026-02-30')))[0]).toContain(
    'price.review: write the date as YYYY-MM-DD',
  );
  const row =
    'rows: [{ when: { tier: flex }, input: "1", output: "1" }, { when: { tier: flex }, input: "2", output: "2" }]';
  expect(problemsIn(changedFile(PRICE, noted(`${NOTES}, ${row}`)))).not.toEqual([]);
});
