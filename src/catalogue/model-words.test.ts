import { expect, test } from 'bun:test';
import { loadConfig } from '../config/config.ts';
import { changedFile, SMALL_FILE, settingsOf } from '../config/file.fixture.ts';
import { loadCatalogue } from './load-catalogue.ts';

const first = (file: string) => [...loadCatalogue(settingsOf(file), 0).models.values()][0];

test('a description is one text for all languages, or one for each', () => {
  expect(first(SMALL_FILE)?.description).toBeNull();
  expect(
    first(changedFile('maker: gen', 'maker: gen\n    description: Fast.'))?.description,
  ).toEqual({ en: 'Fast.', zh: 'Fast.' });
  const both = changedFile('maker: gen', 'maker: gen\n    description: { en: Fast., zh: 快。 }');
  expect(first(both)?.description).toEqual({ en: 'Fast.', zh: '快。' });
});

test('tags are few and short', () => {
  const tags = (list: string) => changedFile('maker: gen', `maker: gen\n    tags: ${list}`);
  expect(first(tags('[code]'))?.tags).toEqual(['code']);
  expect(() => first(tags('[a, b, c, d, e, f, g, h, i]'))).toThrow('must have at most 8 entries');
  expect(() => first(tags(`[${'x'.repeat(25)}]`))).toThrow('must have at most 24 characters');
});

test('every shipped model has a description in both languages, and tags', () => {
  const { models } = loadCatalogue(loadConfig({ path: null, env: {} }), 0);
  for (const { id, description, tags } of models.values()) {
    expect([id, description?.en === description?.zh, tags.length > 0]).toEqual([id, false, true]);
  }
});
