import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { failureOf, furnish } from '../../ledger/conformance/ledger.fixture.ts';
import {
  newEmptyDatabase,
  newTestDatabase,
  openTestUrl,
} from '../../ledger/postgres/postgres.fixture.ts';
import { raw } from '../sql.ts';
import { copyToEmptyPostgres, readPostgresCopy } from './postgres-copy.ts';

/** The number of rows: enough to exceed the buffers of the driver and of the copy. */
const ROWS = 6_000;
/** Characters that COPY escapes, and others that resemble the end of a line or a table. */
const ODD = 'a\tb\\c\\.\nd\re\u2028名\u0085';

test('copies every byte of large tables, and continues the numbers of rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-copy-'));
  const path = join(folder, 'copy');
  writeFileSync(path, '');
  const database = await openTestUrl(await newTestDatabase());
  await furnish(database);
  const columns = 'status, allow_exchange, created_at_ms, limits, revision, careful';
  await database.sql.query({
    sql: `INSERT INTO account (id, name, ${columns})
          SELECT id || '-' || n, $1 || REPEAT($2, 40) || n, ${columns}
          FROM account, GENERATE_SERIES(1, ${ROWS}) n WHERE id NOT LIKE '%:%'`,
    params: ['\\N', ODD],
  });
  const digest = raw(
    `SELECT COUNT(*) AS n, MD5(STRING_AGG(name || created_at_ms, '|' ORDER BY id)) AS hash
     FROM account`,
  );
  const before = await database.sql.query(digest);
  expect(Number(before[0]?.['n'])).toBeGreaterThan(ROWS);
  await database.sql.query(raw("CREATE TABLE added_by_operator AS SELECT 'a row' AS note"));
  await database.sql.query(raw("ALTER TABLE account ADD COLUMN added TEXT DEFAULT 'a\tb'"));
  await database.backup(path);
  await database.close();

  expect((await readPostgresCopy(path)).breaches).toBe(0);
  const url = new Secret(await newEmptyDatabase());
  const { others } = await copyToEmptyPostgres(path, { url, clock: systemClock });
  expect(others.toSorted()).toEqual(['account.added', 'added_by_operator']);
  const restored = await openTestUrl(url.reveal());
  expect(await restored.sql.query(digest)).toEqual(before);
  expect(await restored.ledger.verify()).toEqual([]);
  await restored.close();

  // This copy contains the same wallet twice, with a matching hash.
  const text = readFileSync(path, 'latin1');
  const [line = ''] = /^\{"table":"wallet".*\n.*\n/m.exec(text) ?? [];
  const [, wallet = ''] = line.split('\n');
  const doubled = text.replace(line, () => `${line}${wallet}\n`).replace(/\{"sha256.*\n$/, '');
  const sha256 = createHash('sha256').update(doubled, 'latin1').digest('hex');
  const end = `${JSON.stringify({ sha256, breaches: 0 })}\n`;
  writeFileSync(path, `${doubled}${end}`, 'latin1');
  const empty = new Secret(await newEmptyDatabase());
  const refused = copyToEmptyPostgres(path, { url: empty, clock: systemClock });
  expect(String(await failureOf(refused))).toContain('PostgreSQL refused a row of wallet');
  rmSync(folder, { recursive: true });
}, 180_000);

test('leaves out tables that the role of the gateway may not read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-copy-'));
  const path = join(folder, 'copy');
  writeFileSync(path, '');
  const url = new URL(await newEmptyDatabase());
  const admin = postgres(url.href, { max: 1 });
  const role = `copier_${process.pid}`;
  await admin.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'copier'`);
  await admin.unsafe(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}`);
  url.username = role;
  url.password = 'copier';
  const database = await openTestUrl(url.href);
  await admin.unsafe("CREATE TABLE added_by_other AS SELECT 'a row' AS note");
  await database.backup(path);
  await database.close();
  await admin.end();
  expect((await readPostgresCopy(path)).breaches).toBe(0);
  expect(readFileSync(path, 'latin1')).not.toContain('added_by_other');
  rmSync(folder, { recursive: true });
}, 180_000);
