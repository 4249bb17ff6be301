import { expect, test } from 'bun:test';
import { codeLanguageOf, highlighterOf } from './highlighter.ts';

test('colours change no letter of the text, and follow the theme', async () => {
  const code = 'import os\n\nprint("<b>", os.environ["KEY"])  # a comment\n';
  const highlight = await highlighterOf('python');
  const lines = highlight(code);
  expect(lines.map((line) => line.map(({ text }) => text).join('')).join('\n')).toBe(code);
  const comment = lines.flat().find(({ text }) => text.includes('# a comment'));
  expect(comment?.color).toMatch(/^light-dark\(#\w{6}, #\w{6}\)$/);
});

test('a text that nobody reads whole stays without colours', async () => {
  const highlight = await highlighterOf('json');
  const long = '[1]\n'.repeat(20_000);
  expect(
    highlight(long)
      .flat()
      .every(({ color }) => color === null),
  ).toBe(true);
});

test('languages are known by the names people give them', () => {
  expect(['TS', 'sh', 'python', 'yml', 'brainfuck', 'constructor', ''].map(codeLanguageOf)).toEqual(
    ['typescript', 'bash', 'python', 'yaml', null, null, null],
  );
});
