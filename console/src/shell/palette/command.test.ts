import { expect, test } from 'bun:test';
import { type CommandGroup, findCommands } from './command.ts';

const command = (group: CommandGroup, label: string, keywords: readonly string[] = []) => ({
  group,
  label,
  keywords,
});
const COMMANDS = [
  command('actions', 'Dark theme'),
  command('pages', 'Redeem codes', ['兑换码']),
  command('pages', 'Quick start'),
  command('pages', 'Models', ['模型']),
  command('models', 'Gen Opus 4.8', ['gen-opus-4-8']),
  command('models', 'Gen Sonnet 5', ['gen-sonnet-5']),
];
const found = (query: string): readonly string[] =>
  findCommands(COMMANDS, query).map(({ label }) => label);

test('an empty query lists all commands by group', () => {
  expect(found(' ')).toEqual([
    'Redeem codes',
    'Quick start',
    'Models',
    'Gen Opus 4.8',
    'Gen Sonnet 5',
    'Dark theme',
  ]);
});

test('commands that start with the query come first', () => {
  const labels = ['Books', 'A model', 'Models', 'Remodel'].map((label) => command('pages', label));
  expect(findCommands(labels, 'mod').map(({ label }) => label)).toEqual([
    'Models',
    'A model',
    'Remodel',
  ]);
});

test('every word must match, in any order, case and language, and in ids', () => {
  expect(found('START quick')).toEqual(['Quick start']);
  expect(found('兑换')).toEqual(['Redeem codes']);
  expect(found('opus-4')).toEqual(['Gen Opus 4.8']);
  expect(found('gen nothing')).toEqual([]);
});

test('the size of a group is limited', () => {
  const many = Array.from({ length: 50 }, (_, at) => command('models', `Model ${at}`));
  expect(findCommands(many, 'model')).toHaveLength(8);
});
