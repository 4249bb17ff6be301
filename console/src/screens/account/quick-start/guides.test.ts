import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GUIDES, guideFor, isGuide } from './guides.ts';

const FOLDER = join(import.meta.dir, '../../../../../docs/guides');

test('every guide of the quick start exists', () => {
  for (const name of Object.keys(GUIDES))
    expect([name, existsSync(join(FOLDER, `${name}.md`))]).toEqual([name, true]);
});

test('a guide shows the address of the gateway instead of its title and example address', () => {
  const text = '# Title\n\nbaseURL: http://127.0.0.1:8787/v2\n';
  expect(guideFor(text, 'https://gate.example')).toBe('\nbaseURL: https://gate.example/v2\n');
});

test('only the names of guides are guides', () => {
  expect(['agents', 'proxy', 'toString'].map(isGuide)).toEqual([true, false, false]);
});
