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

test('without a query all are listed, group by group', () => {
  expect(found(' ')).toEqual([
    'Redeem codes',
    'Quick start',
    'Models',
    'Gen Opus 4.8',
    'Gen Sonnet 5',
    'Dark theme',
  ]);
});

test('what begins with the query comes before what only contains it', () => {
  const labels = ['Books', 'A model', 'Models', 'Remodel'].map((label) => command('pages', label));
  expect(findCommands(labels, 'mod').map(({ label }) => label)).toEqual([
    'Models',
    'A model',
    'Remodel',
  ]);
});

test('every word counts, in any order, in any capitals, in either language and in ids', () => {
  expect(found('START quick')).toEqual(['Quick start']);
  expect(found('兑换')).toEqual(['Redeem codes']);
  expect(found('opus-4')).toEqual(['Gen Opus 4.8']);
  expect(found('gen nothing')).toEqual([]);
});

test('no group fills the screen', () => {
  const many = Array.from({ length: 50 }, (_, at) => command('models', `Model ${at}`));
  expect(findCommands(many, 'model')).toHaveLength(8);
});
