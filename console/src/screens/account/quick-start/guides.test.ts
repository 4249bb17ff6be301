import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUIDES, guideFor, isGuide, sectionsOf } from './guides.ts';

const FOLDER = join(import.meta.dir, '../../../../../docs/guides');

test('every guide of the quick start exists', () => {
  for (const name of Object.keys(GUIDES))
    expect([name, existsSync(join(FOLDER, `${name}.md`))]).toEqual([name, true]);
});

test('a guide shows the address of the gateway instead of its title and example address', () => {
  const text = '# Title\n\nbaseURL: http://127.0.0.1:8787/v2\n';
  expect(guideFor(text, 'https://gate.example')).toBe('\nbaseURL: https://gate.example/v2\n');
});

test('only names of guides are accepted', () => {
  expect(['agents', 'proxy', 'toString'].map(isGuide)).toEqual([true, false, false]);
});

test('a guide is split at its headings, but not in code blocks', () => {
  const text =
    'First.\n\n## On @google/genai\n\n```sh\n## a comment\n```\n\n## Empty\n\n## Notes\nLast.\n';
  expect(sectionsOf(text)).toEqual([
    { id: '', title: '', text: 'First.' },
    { id: 'on-googlegenai', title: 'On @google/genai', text: '```sh\n## a comment\n```' },
    { id: 'notes', title: 'Notes', text: 'Last.' },
  ]);
});

test('no two sections of a guide have the same anchor', () => {
  for (const name of Object.keys(GUIDES)) {
    const ids = sectionsOf(readFileSync(join(FOLDER, `${name}.md`), 'utf8')).map(({ id }) => id);
    expect([name, new Set(ids).size]).toEqual([name, ids.length]);
  }
});
