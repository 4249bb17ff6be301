import { expect, test } from 'bun:test';
import { nameOfPath } from './setting-names.ts';
import { groupsOf, sourceKind } from './settings-groups.ts';

const SETTINGS = [
  { name: 'admin_token', value: '***', source: 'environment MODELGATE_ADMIN_TOKEN' },
  { name: 'limits.drain', value: '30s', source: 'default' },
  { name: 'limits.first_event_hold', value: '5s', source: 'modelgate.yaml:12' },
  { name: 'listen', value: '127.0.0.1:8787', source: 'flag --listen' },
] as const;

const find = (wanted: string, onlyChanged = false) =>
  groupsOf(SETTINGS, { wanted, onlyChanged }, nameOfPath);

test('settings are grouped by topic', () => {
  const names = find('').map(({ name, settings }) => [name, settings.length]);
  expect(names).toEqual([
    ['general', 1],
    ['signIn', 1],
    ['requests', 2],
  ]);
});

test('settings with default values can be left out', () => {
  expect(find('limits', true).flatMap(({ settings }) => settings)).toEqual([SETTINGS[2]]);
});

test('a setting without a name of its own is named by its path', () => {
  expect(nameOfPath('upstreams.azure.base_url')).toBe('Base url (azure)');
  expect(nameOfPath('share_port')).toBe('Share port');
});

test('every search word must occur in name, value or source', () => {
  const found = (wanted: string) =>
    find(wanted).flatMap(({ settings }) => settings.map(({ name }) => name));
  expect(found('LIMITS yaml')).toEqual(['limits.first_event_hold']);
  expect(found('8787')).toEqual(['listen']);
  expect(found('First event')).toEqual(['limits.first_event_hold']);
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
