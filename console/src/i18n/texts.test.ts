import { describe, expect, test } from 'bun:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { allTexts } from '../../texts-plugin.ts';
import { defineTexts, useTexts } from './texts.ts';

/** The names, units, keys and commands that are the same in both languages. */
const SAME_IN_CHINESE: ReadonlySet<string> = new Set(
  'API Base CSV Chat completions Ctrl Enter ID JSON Lines Messages P Responses Token Top URL USD acc app ci delete key laptop modelgate my s tok token yaml'.split(
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

test('a count selects the plural form, and values fill the placeholders', () => {
  const table = defineTexts('test-of-plurals', {
    en: { days_one: '1 day of {{month}}', days_other: '{{count}} days of {{month}}' },
    zh: { days_one: '{{month}}的 1 天', days_other: '{{month}}的 {{count}} 天' },
  });
  const Days = ({ count }: { readonly count: number }) =>
    useTexts(table)('days', { count, month: '<May' });
  const shown = (count: number) => renderToStaticMarkup(createElement(Days, { count }));
  expect([0, 1, 2].map(shown)).toEqual([
    '0 days of &lt;May',
    '1 day of &lt;May',
    '2 days of &lt;May',
  ]);
});
