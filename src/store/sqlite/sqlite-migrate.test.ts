import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { failureOf } from '../../ledger/conformance/ledger.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { MIGRATIONS } from '../migrations.ts';
import { migrate, type SqliteStep } from './sqlite-migrate.ts';

afterAll(removeFiles);

const FIRST: SqliteStep = {
  id: 1,
  name: 'first',
  sqlite: 'CREATE TABLE one (a); CREATE TABLE two (b);',
};
const SECOND: SqliteStep = { id: 2, name: 'second', sqlite: 'ALTER TABLE one ADD COLUMN c;' };
const BROKEN: SqliteStep = {
  id: 2,
  name: 'broken',
  sqlite: 'CREATE TABLE three (d); SELECT nonsense;',
};

const memory = () => new SqliteFile(':memory:', { safeIntegers: true });
const tables = (file: SqliteFile) =>
  file
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    )
    .all()
    .map(({ name }) => name);

describe('migrate', () => {
  test('applies each step once, in order, and records it', () => {
    const file = memory();
    expect(migrate(file, [FIRST], 5)).toEqual(['first']);
    expect(migrate(file, [FIRST, SECOND], 6)).toEqual(['second']);
    expect(migrate(file, [FIRST, SECOND], 7)).toEqual([]);
    expect(file.query('SELECT * FROM schema_migration').all()).toEqual([
      { id: 1n, name: 'first', applied_at_ms: 5n },
      { id: 2n, name: 'second', applied_at_ms: 6n },
    ]);
    file.close();
  });

  test('applies no step when one fails', () => {
    const file = memory();
    expect(() => migrate(file, [FIRST, BROKEN], 5)).toThrow('nonsense');
    expect(tables(file)).toEqual(['schema_migration']);
    expect(migrate(file, [FIRST, SECOND], 6)).toEqual(['first', 'second']);
    file.close();
  });

  test('may build a table again to which others refer, but leaves no reference without its row', () => {
    const file = memory();
    const tree = `CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE child (id INTEGER PRIMARY KEY REFERENCES parent (id)) STRICT;
      INSERT INTO parent VALUES (1), (2); INSERT INTO child VALUES (2);`;
    const again = (rows: string): string => `CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT;
      INSERT INTO other ${rows}; DROP TABLE parent; ALTER TABLE other RENAME TO parent;`;
    const first = { ...FIRST, sqlite: tree };
    migrate(file, [first], 5);
    const losing = { ...SECOND, sqlite: again('SELECT 1') };
    expect(() => migrate(file, [first, losing], 6)).toThrow(
      'A row of child refers to a missing row of parent. The schema was not updated.',
    );
    expect(file.query('SELECT COUNT(*) AS n FROM parent').get()).toEqual({ n: 2n });
    const keeping = { ...SECOND, sqlite: again('SELECT id FROM parent') };
    expect(migrate(file, [first, keeping], 6)).toEqual(['second']);
    expect(() => file.run('INSERT INTO child VALUES (3)')).toThrow('FOREIGN KEY');
    file.close();
  });

  test('refuses a schema newer than it knows', async () => {
    const path = newFile();
    const database = await openFile(path);
    const known = MIGRATIONS.at(-1)?.id ?? 0;
    await database.sql.query({
      sql: 'INSERT INTO schema_migration (id, name, applied_at_ms, oldest) VALUES ($1, $2, 1, $1)',
      params: [known + 1, 'from the future'],
    });
    await database.close();
    expect(String(await failureOf(openFile(path)))).toContain(
      `written by a newer modelgate (schema ${known + 1}; this one knows ${known})`,
    );
  });

  test('numbers its steps from the last development step, without a gap', () => {
    expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, at) => at + 10));
  });
});
