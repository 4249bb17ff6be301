import { expect, test } from 'bun:test';
import { CODE_LANGUAGES, codeLanguageOf, tokenizerFor } from './highlighter.ts';
import { LineTokens } from './line-tokens.ts';

test('languages have their common aliases', () => {
  expect(['TS', 'sh', 'python', 'yml', 'brainfuck', 'constructor', ''].map(codeLanguageOf)).toEqual(
    ['typescript', 'bash', 'python', 'yaml', null, null, null],
  );
});

/**
 * The timeout for loading all fifteen grammars, which takes longer than the default five seconds on
 * a loaded machine.
 */
const ALL_GRAMMARS_MS = 180_000;

test(
  'every grammar loads and preserves the text',
  async () => {
    const code = 'import os\n\n<b>"a" # b</b>\t';
    for (const language of CODE_LANGUAGES) {
      const { lines } = (await tokenizerFor(language))(code, null);
      expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toBe(code);
    }
  },
  ALL_GRAMMARS_MS,
);

test('tokens are classified, also inside a comment from an earlier step', async () => {
  const tokens = new LineTokens(await tokenizerFor('typescript'));
  const code = '/* one\ntwo */ const three = "four";\n';
  for (let end = 1; end <= code.length; end += 1) tokens.step(code.slice(0, end));
  const [first, second] = tokens.linesOf(code);
  expect(first).toEqual([{ text: '/* one', kind: 'comment' }]);
  const kindOf = (word: string) => second?.find(({ text }) => text.includes(word))?.kind;
  expect(['two */', 'const', 'four'].map(kindOf)).toEqual([
    'comment',
    'keyword',
    'string-expression',
  ]);
});
