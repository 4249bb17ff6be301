import { describe, expect, test } from 'bun:test';
import { flatTerms, NO_NAMES } from './card-terms.ts';
import { formatPico } from './price.ts';
import {
  ASTRA,
  factsWith,
  IMAGE,
  ratesOf,
  rowOf,
  servedWith,
  termsWith,
  usageOf,
} from './price-of.fixture.ts';
import { factsOf, NO_FACTS, type PriceFacts, priceOf } from './price-of.ts';

const amount = (priced: { readonly costPico: bigint }): string => formatPico(priced.costPico);

describe('the size and quality of images', () => {
  const card = termsWith(
    [
      rowOf({}, { imageOutput: '30' }),
      rowOf({ quality: ['high'] }, { imageOutput: '40' }),
      rowOf({ quality: ['high'], size: ['1536x1024'] }, { imageOutput: '45' }),
    ],
    {
      names: { ...NO_NAMES, quality: new Map([['hd', 'high']]) },
      admits: { ...ASTRA.admits, size: ['1024x1024', '1536x1024'], quality: ['low', 'high'] },
    },
  );
  const tokens = usageOf({ imageOutput: 1_000_000 });
  const asked = (size: string | null, quality: string | null, served: PriceFacts['served']) =>
    priceOf(card, tokens, factsWith({ requested: { ...NO_FACTS, size, quality }, served }));

  test.each([
    ['as requested', '1024x1024', 'low', {}, '30', []],
    ['as requested', '1536x1024', 'high', {}, '45', []],
    ['as served', '1024x1024', 'high', { quality: 'low' }, '30', []],
    ['as served, by its name', '1024x1024', 'low', { quality: 'HD' }, '40', []],
    ['the most expensive', null, 'high', {}, '45', ['size: 1536x1024']],
    ['the most expensive', '1024x1024', 'auto', {}, '40', ['quality: high']],
    ['the most expensive', null, null, { size: '1024x1024' }, '40', ['quality: high']],
  ])('%s: %p %p %p', (_, size, quality, served, price, assumed) => {
    const priced = asked(size, quality, { ...NO_FACTS, ...served });
    expect(amount(priced)).toBe(`${price}.000000000000`);
    expect(priced.assumed).toEqual(assumed);
    expect(priced.unpriced).toEqual([]);
  });

  test('that the card does not name are flagged, and charged as requested', () => {
    const priced = asked('1024x1024', 'low', { ...NO_FACTS, size: '8192x8192', quality: 'max' });
    expect(amount(priced)).toBe('30.000000000000');
    expect(priced.unpriced).toEqual(['size: 8192x8192', 'quality: max']);
  });

  test('do not matter on a card without conditions on them', () => {
    const facts = servedWith({ size: '8192x8192', quality: 'max' });
    expect(priceOf(IMAGE, tokens, facts).unpriced).toEqual([]);
    expect(factsOf(flatTerms(ratesOf({ imageOutput: '30' })), tokens, facts)).toBeNull();
  });
});
