import { expect, test } from 'bun:test';
import { type ImportedFile, importSteps } from './imported-file.ts';
import { finish } from './steps.ts';

const importedFile = (text: string, name: string): ImportedFile => finish(importSteps(text, name));

const problemsOf = (file: ImportedFile): readonly string[] =>
  'problems' in file ? file.problems.map(({ where, message }) => `${where} ${message}`) : [];

test('the settings of the database are read, and those of the node are left out', () => {
  const file = importedFile('listen: 0.0.0.0:1\nfx:\n  USD/CNY: "7.1"\n', 'f.yaml');
  if (!('document' in file)) throw new Error('the file is refused');
  expect(file.document).toEqual({ fx: { 'USD/CNY': '7.1' } });
  expect(file.locate(['fx', 'USD/CNY'])).toBe('f.yaml:3');
});

test('what is not a map of settings is refused with its line', () => {
  expect(problemsOf(importedFile('a: 1\n\nb: [c', 'f.yaml'))[0]).toStartWith('f.yaml:3');
  expect(problemsOf(importedFile('a: 1\na: 2', 'f.yaml'))[0]).toContain('f.yaml:2 appears twice');
  expect(problemsOf(importedFile('- a', 'f.yaml'))).toEqual(['f.yaml is not a map of settings']);
  expect(problemsOf(importedFile('['.repeat(100_000), 'f.yaml'))[0]).toContain('Nesting');
});

test('aliases that stand for gigabytes are refused before they are written out', () => {
  const levels = Array.from(
    { length: 30 },
    (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`)}]`,
  );
  const text = ['l0: &l0 lol', ...levels].join('\n');
  const tooLarge = ['f.yaml is too large or too deeply nested after its aliases are expanded'];
  expect(problemsOf(importedFile(text, 'f.yaml'))).toEqual(tooLarge);
  const chain = Array.from({ length: 5000 }, (_, at) => `l${at + 1}: &l${at + 1} [*l${at}]`);
  const deep = ['l0: &l0 x', ...chain].join('\n');
  expect(problemsOf(importedFile(deep, 'f.yaml'))).toEqual(tooLarge);
});
