import { describe, expect, test } from 'bun:test';
import { allTexts } from '../../texts-plugin.ts';

/** The names, units, keys and commands that are the same in both languages. */
const SAME_IN_CHINESE: ReadonlySet<string> = new Set(
  'API Base CSV Chat completions Ctrl Enter ID Messages P Responses Token Top URL USD app ci laptop modelgate my s tok token yaml'.split(
    ' ',
  ),
);
const PLACEHOLDER = /\{\{(\w+)\}\}/g;

const wordsOf = (text: string): readonly string[] =>
  text.replace(PLACEHOLDER, '').match(/\p{L}+/gu) ?? [];

const texts = await allTexts();
const entries = texts.flatMap(({ namespace, texts: { en, zh } }) =>
  Object.keys(en).map((key) => ({
    name: `${namespace}.${key}`,
    en: en[key] ?? '',
    zh: zh[key] ?? '',
  })),
);

test('the screens have texts', () => {
  expect(texts.length).toBeGreaterThan(50);
});

test('namespaces are unique', () => {
  const names = texts.map(({ namespace }) => namespace);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

describe('the Chinese texts', () => {
  test('are Chinese except for names and signs', () => {
    const forgotten = entries.filter(
      ({ zh }) =>
        !/\p{Script=Han}/u.test(zh) && !wordsOf(zh).every((word) => SAME_IN_CHINESE.has(word)),
    );
    expect(forgotten).toEqual([]);
  });

  test('have the same keys and placeholders as the English ones', () => {
    const valuesOf = (text: string): readonly string[] =>
      [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).toSorted();
    const different = entries.filter(
      ({ name, en, zh }) =>
        (en !== '' && zh === '') ||
        // The singular form, such as "1 day", may lack the placeholder for the number.
        (!name.endsWith('_one') && !Bun.deepEquals(valuesOf(en), valuesOf(zh))),
    );
    expect(different).toEqual([]);
  });

  test('use Chinese punctuation beside Chinese characters', () => {
    const western = entries.filter(({ zh }) => /\p{Script=Han}[,;:?!]/u.test(zh));
    expect(western).toEqual([]);
  });
});

test('the English texts contain no Chinese', () => {
  expect(entries.filter(({ en }) => /\p{Script=Han}/u.test(en))).toEqual([]);
});
