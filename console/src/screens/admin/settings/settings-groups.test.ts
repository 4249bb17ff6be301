import { expect, test } from 'bun:test';
import { groupsOf, sourceKind } from './settings-groups.ts';

const SETTINGS = [
  { name: 'admin_token', value: '***', source: 'environment MODELGATE_ADMIN_TOKEN' },
  { name: 'limits.drain', value: '30s', source: 'default' },
  { name: 'limits.first_event_hold', value: '5s', source: 'modelgate.yaml:12' },
  { name: 'listen', value: '127.0.0.1:8787', source: 'flag --listen' },
];

test('settings are grouped as in the file', () => {
  const names = groupsOf(SETTINGS, '').map(({ name, settings }) => [name, settings.length]);
  expect(names).toEqual([
    ['general', 2],
    ['limits', 2],
  ]);
});

test('every search word must occur in name, value or source', () => {
  const found = (wanted: string) =>
    groupsOf(SETTINGS, wanted).flatMap(({ settings }) => settings.map(({ name }) => name));
  expect(found('LIMITS yaml')).toEqual(['limits.first_event_hold']);
  expect(found('8787')).toEqual(['listen']);
  expect(found('limits 8787')).toEqual([]);
});

test('the source of a value is recognized', () => {
  expect(SETTINGS.map(({ source }) => sourceKind(source))).toEqual([
    'environment',
    'default',
    'file',
    'flag',
  ]);
});
