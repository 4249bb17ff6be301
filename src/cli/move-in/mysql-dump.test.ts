import { describe, expect, test } from 'bun:test';
import { isMysqlDump, tablesInDump } from './mysql-dump.ts';

const HEAD = '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n\n';
const CREATE =
  'CREATE TABLE `users` (\n  `id` int NOT NULL,\n  `name` longtext,\n  PRIMARY KEY (`id`)\n);\n';
const NAMES = { read: ['users'], counted: ['logs'] };
const read = (dump: string) =>
  tablesInDump(`${HEAD}${dump}\n-- Dump completed on 2026-11-23\n`, NAMES);

describe('a dump of MySQL', () => {
  test('is known by its first lines', () => {
    expect(isMysqlDump(HEAD)).toBe(true);
    expect(isMysqlDump(`/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19`)).toBe(
      true,
    );
    expect(isMysqlDump('CREATE TABLE users;')).toBe(false);
  });

  test('has rows on one line or many, with or without columns, and all escapes', () => {
    const dump = String.raw`INSERT INTO ${'`users`'} VALUES (1,'a;\'b\'\\'),(-2,NULL);
-- don't stop here
INSERT INTO ${'`users`'} (${'`name`'}, ${'`id`'}) VALUES
(_binary 'it''s \n\0 (1,2)',0x1F);
INSERT INTO ${'`other`'} VALUES (1);`;
    expect(read(CREATE + dump).get('users')).toEqual({
      columns: ['id', 'name'],
      rows: [
        { id: '1', name: `a;'b'\\` },
        { id: '-2', name: null },
        { id: '0x1F', name: "it's \n\u0000 (1,2)" },
      ],
    });
  });

  test('counts the rows of a table that is only counted', () => {
    const logs = 'CREATE TABLE `logs` (\n  `id` int\n);\nINSERT INTO `logs` VALUES (1),(2),(3);\n';
    expect(read(logs).get('logs')).toEqual({ columns: ['count'], rows: [{ count: 3 }] });
    expect(read(logs).has('users')).toBe(false);
  });

  test.each([
    ["INSERT INTO `users` VALUES (1,'a", 'ends within a string'],
    ["INSERT INTO `users` VALUES (1,'a')", 'ends within a statement'],
    ["INSERT INTO `users` VALUES (1,'a',3);", 'a row of users has 3 values for 2 columns'],
    ['INSERT INTO `users` VALUES (1,now());', 'a value is invalid: now()'],
  ])('that is damaged is refused: %s', (dump, problem) => {
    expect(() => read(CREATE + dump)).toThrow(problem);
  });

  test('that was cut between two statements is refused', () => {
    const cut = `${HEAD}${CREATE}INSERT INTO \`users\` VALUES (1,'-- Dump completed');\n`;
    expect(() => tablesInDump(cut, NAMES)).toThrow('is missing, so it is incomplete');
  });
});
