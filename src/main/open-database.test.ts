import { expect, test } from 'bun:test';
import { ConfigError } from '../config/problem.ts';
import { Secret } from '../config/secret.ts';
import { databaseFile } from './open-database.ts';

test('SQLite keeps its books in one file of the data folder', () => {
  expect(databaseFile({ database: 'sqlite', data_dir: '/data' })).toBe('/data/modelgate.db');
});

test('a store without an engine is refused, and its address is not shown', () => {
  const database = new Secret('postgres://user:hunter2@db/books');
  const refused = (): string => databaseFile({ database, data_dir: '/data' });
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow('this version keeps its books in SQLite only');
  expect(refused).not.toThrow('hunter2');
});
