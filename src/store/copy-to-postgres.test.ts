import { afterAll, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { MAX_ANSWER_BYTES } from '../idempotency/idempotency-keys.ts';
import {
  adjust,
  applied,
  checkpoint,
  credit,
  creditLimit,
  EPOCH,
  exchange,
  extend,
  failureOf,
  furnish,
  hold,
  LEASE_MS,
  refund,
  repeated,
  settle,
  USD_CNY,
  voided,
} from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { newTestDatabase, openTestUrl } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { COUNTS } from '../routing/channel-figures.ts';
import { MAX_PROMPT_BYTES } from '../telemetry/prompts/prompt-log.ts';
import { ROUTE_AMOUNTS, ROUTE_COUNTS } from '../telemetry/route-figures.ts';
import { copyToPostgres, MADE, NOT_COPIED, type StoreCopy } from './copy-to-postgres.ts';
import type { SqlExecutor, SqlRow } from './sql.ts';

afterAll(removeFiles);

/** SQL that adds rows to the tables that the commands of the ledger never fill. */
const ROOMS = [
  'INSERT INTO idempotency_salt VALUES (1, randomblob(32))',
  "INSERT INTO redeem_batch VALUES ('rdb_1', 'USD', 5, 2, 'fair', 1, NULL, 9)",
  "INSERT INTO redeem_code VALUES (zeroblob(32), 'rdb_1', 'claimed', 'alice', 'key_alice', 3)",
  "INSERT INTO redeem_code (hash, batch_id) VALUES (randomblob(32), 'rdb_1')",
  `INSERT INTO top_up_order
     VALUES ('top_1', 'alice', 'key_alice', 'USD', 10000000, 1, 'paid', 'cs', 'pi',
       'https://x', 1, 2, 3)`,
  "INSERT INTO payment_event VALUES ('evt_1', 'paid', 'top_1', 'booked', '{}', 5)",
  "INSERT INTO payment_reversal VALUES ('re_1', 'top_1', 'refund', 1, NULL, 6)",
  "INSERT INTO low_balance VALUES ('alice', 'USD', 7, 1, 'alt_1')",
  "INSERT INTO alert VALUES ('alt_1', '{\"a\": \"ü\"}', 'pending', 2, 8, 9, 'alice')",
  "INSERT INTO reconciliation VALUES ('openai', 20777, 1, 2, '{}', NULL)",
  "INSERT INTO person VALUES ('usr_1', 'alice', 'owner', 'ada@example.com', 0, 'Ada', 1, 1, 2)",
  "INSERT INTO credential VALUES ('crd_1', 'usr_1', 'usr_1', 'credential', '$argon2id$', 1, 2)",
  "INSERT INTO identity VALUES ('idn_1', 'usr_1', 'https://sso.example', 'sub', 1, 'alice')",
  "INSERT INTO member_cap VALUES ('alice', 'usr_1', 5, NULL, 9, 'a1')",
  "INSERT INTO passkey VALUES ('psk_1', 'usr_1', 'ü', 'a-b_', randomblob(77), 3, 1, NULL)",
  "INSERT INTO session VALUES ('ses_1', 'usr_1', randomblob(32), '::1', 'curl', 1, 2, 3, NULL, 0, 'bob', 1)",
  "INSERT INTO membership VALUES ('usr_1', 'bob', 'owner', 3, 1)",
  "INSERT INTO verification VALUES ('ver_1', '2fa-x', 'usr_1', 1, 2, 3)",
  "INSERT INTO totp VALUES ('otp_1', 'usr_1', 'secret', 'codes', 1, 2, NULL, 58000000)",
  'INSERT INTO console_key VALUES (1, randomblob(32))',
  "INSERT INTO config_revision VALUES (1, 2, 'usr_1', 'a note', '{\"models\":{}}', 'sum', 'file', NULL, NULL, '[]')",
  "INSERT INTO config_revision VALUES (2, 3, 'admin', '', '{}', 'sum', 'restore', 1, 2, '[\"fx\"]')",
  "INSERT INTO secret VALUES ('OPENAI', randomblob(40), 'a1b2', 'wxyz', 1, 'usr_1')",
  "INSERT INTO refusal VALUES ('req_1', 'alice', 1, 'key_1', 'chat', NULL, 400, 'code', 'ü')",
  "INSERT INTO prompt_logging VALUES ('alice', 'alice', 1, 'usr_1')",
  "INSERT INTO prompt_record VALUES ('req_1', 'alice', 1, 'a1b2', randomblob(40), 40)",
  "INSERT INTO attempt_failure VALUES ('req_1', 1, 2, 'openai', 'gpt', 'upstream_failed', 'no')",
  "INSERT INTO refusal_count VALUES (20777, 'alice', 'invalid_value', 3)",
  "INSERT INTO notice VALUES ('ntc_1', 'incident', 'ü', '[]', 1, NULL, '[{\"text\": \"ü\"}]', 1, 2, 3)",
  "INSERT INTO route_state VALUES ('one', 'm', 'drained', 5, 'upgrade', 1, 'usr_1')",
  `INSERT INTO mail (id, kind, recipient, subject, sealed, next_at_ms, created_at_ms)
     VALUES ('mail_1', 'invitation', 'ü@example.com', 'ü', randomblob(32), 1, 2)`,
  "INSERT INTO account_webhook VALUES ('alice', 'https://ü.example', randomblob(40), 1, 2, NULL, NULL)",
  `INSERT INTO webhook_delivery
     VALUES ('alt_1', 'alice', 0, '{"a": "ü"}', 'pending', 2, 8, 9, NULL, 'ü')`,
  "INSERT INTO mail_preference VALUES ('usr_1', 'zh', 0)",
  "INSERT INTO moved_in VALUES ('one-api', 'user:1', 'acc_1', 1)",
  "INSERT INTO key_form VALUES ('sk-48')",
  "INSERT INTO archive VALUES ('arc_1', 20089, 'ü', 'a1b2', 1, 2)",
  "INSERT INTO archived_request VALUES ('req_ü', 'arc_1')",
  "INSERT INTO archived_sum VALUES ('arc_1', 'USD', 1, 0, 0, 0, 0)",
  "INSERT INTO archived_movement VALUES ('alice', 0, 13, 'USD', 'settle', 0, 0, 0, 1)",
  `INSERT INTO archived_day
     VALUES ('alice', 20089, 'key_1', 'ü', 'direct', 'USD', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
  'INSERT INTO usage_day SELECT * FROM archived_day',
  `INSERT INTO one_time_link (id, token_hash, kind, account_id, role, made_by, created_at_ms,
       expires_at_ms)
     VALUES ('lnk_1', randomblob(32), 'invitation', 'alice', 'member', 'usr_1', 1, 2)`,
];

/**
 * Creates a store with every kind of ledger row. It has more holds than the copy reads at a time.
 */
async function furnished(): Promise<Database> {
  const database = await openFile(newFile());
  const { ledger, sql } = database;
  await furnish(database);
  await ledger.apply([credit('c1', 100_000n), credit('c2', 500n, { currency: 'CNY' })]);
  await ledger.apply([adjust('a1', -5n), exchange('x1', 70n), creditLimit('l1', 1_000n)]);
  await ledger.apply(Array.from({ length: 510 }, (_, each) => hold(`many${each}`, 1n)));
  await ledger.apply([
    ...[hold('h1', 60n), hold('h2', 30n), hold('h3', 30n), hold('h4', 20n)],
    hold('h5', 900n, { currency: 'CNY', exchange: USD_CNY }),
    ...[extend('e1', 'h2', 10n, checkpoint('h2', 20n)), settle('h1', 24n), voided('h3')],
    refund('r1', 'h1', 4n),
  ]);
  await ledger.leave(EPOCH);
  await ledger.join({ epoch: 'epoch_2', name: 'second' }, LEASE_MS);
  for (let reaped = 1; reaped > 0; ) {
    const { settled, voided: freed } = await ledger.reap();
    reaped = settled + freed;
  }
  await ledger.apply([settle('h2', 41n), hold('h6', 7n, { epoch: 'epoch_2' })]);
  await ledger.apply([hold('h0', 7n, { epoch: 'epoch_2' }), settle('h0', 3n)]);
  for (const statement of ROOMS) await sql.query({ sql: statement, params: [] });
  await sql.query({
    sql: `INSERT INTO idempotency (owner_id, operation, key_hash, claim_id, meaning, request_id,
            state,
            epoch, lease_until_ms, created_at_ms, expires_at_ms, answer_bytes, answer)
          VALUES ('alice', 'chat', $1, 'claim', $1, 'h1', 'kept', 'epoch_2', 1, 1, 2, 3, $2)`,
    params: [new Uint8Array(32).fill(250), new Uint8Array([0, 128, 255])],
  });
  await sql.query({
    sql: `INSERT INTO channel_figures (span, start_ms, model, channel, ${COUNTS.join(', ')})
          VALUES ('day', 1, 'gen', 'direct', ${COUNTS.map((_, at) => at).join(', ')})`,
    params: [],
  });
  const route = [...ROUTE_COUNTS, ...ROUTE_AMOUNTS];
  await sql.query({
    sql: `INSERT INTO route_figures (span, start_ms, upstream, model, ${route.join(', ')})
          VALUES ('day', 1, 'one', 'm', ${route.map((_, at) => at).join(', ')})`,
    params: [],
  });
  return database;
}

const copyTo = (source: Database, url: string, dryRunAtMs: number | null = null) =>
  copyToPostgres({ source: source.sql, url: new Secret(url), clock: systemClock, dryRunAtMs });

const rowsOf = async ({ sql }: Database, table: string): Promise<string[]> => {
  const rows = await sql.query({ sql: `SELECT * FROM ${table}`, params: [] });
  const line = (row: SqlRow): string => Bun.inspect(Object.entries(row).toSorted());
  return rows.map(line).toSorted();
};

async function tablesOf({ sql }: Database): Promise<string[]> {
  const rows = await sql.query({
    sql: `SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
    params: [],
  });
  return rows.map(({ name }) => String(name)).toSorted();
}

test('copies every row unchanged into a sound ledger that keeps selling', async () => {
  const source = await furnished();
  const url = await newTestDatabase();
  const { tables: copied, wallets }: StoreCopy = await copyTo(source, url);
  const target = await openTestUrl(url);
  for (const { table } of copied) {
    expect(await rowsOf(target, table)).toEqual(await rowsOf(source, table));
  }
  const empty = copied.filter(({ rows }) => rows === 0).map(({ table }) => table);
  // If a migration adds a table, add a row for it above, or list the table in `NOT_COPIED`.
  expect(empty).toEqual([]);
  const known = [...copied.map(({ table }) => table), ...NOT_COPIED, ...MADE];
  const embedded = ['checkpoint', 'receipt_tail'];
  expect(known.filter((table) => !embedded.includes(table)).toSorted()).toEqual(
    await tablesOf(target),
  );
  expect(wallets).toHaveLength(2);
  expect(await target.ledger.verify()).toEqual([]);

  const before = await target.ledger.wallets('alice');
  expect(await target.ledger.reap()).toEqual({ settled: 0, voided: 0 });
  const left = (before[0]?.balance ?? 0n) - (before[0]?.floor ?? 0n);
  expect(await target.ledger.apply([credit('c9', 1n)])).toEqual([applied(1n, left + 1n)]);
  expect((await target.ledger.apply([settle('h1', 24n)]))[0]).toEqual(
    (await source.ledger.apply([settle('h1', 24n)]))[0],
  );
  expect((await target.ledger.apply([settle('h1', 24n)]))[0]?.status).toBe(
    repeated(24n, 0n).status,
  );
  // After the copy, new movements get sequence numbers after those of the copied movements.
  await target.ledger.join({ epoch: EPOCH, name: EPOCH }, LEASE_MS);
  await target.ledger.apply([hold('h7', 3n), settle('h7', 3n), credit('c10', 1n)]);
  const places = 'SELECT command_id FROM movement ORDER BY seq DESC LIMIT 3';
  expect(await target.sql.query({ sql: places, params: [] })).toEqual(
    ['c10', 'h7', 'c9'].map((id) => ({ command_id: id })),
  );
  expect(await target.ledger.verify()).toEqual([]);
  await source.close();
  await target.close();
}, 180_000);

test('reads large rows in small parts', async () => {
  const source = await openFile(newFile());
  await furnish(source);
  const rows = (columns: string, table: string, bytes: number) =>
    source.sql.query({
      sql: `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 40)
        INSERT INTO ${table} SELECT ${columns.replace('LARGE', `zeroblob(${bytes})`)} FROM many`,
      params: [],
    });
  await rows("'req_' || n, 'alice', 1, 'a1b2', LARGE, 1", 'prompt_record', MAX_PROMPT_BYTES * 2);
  await rows(
    "'alice', 'chat', randomblob(32), n, zeroblob(32), n, 'kept', 'e', 1, 1, 2, 3, LARGE",
    'idempotency',
    MAX_ANSWER_BYTES,
  );
  let most = 0;
  const counted: SqlExecutor = {
    ...source.sql,
    query: async (asked) => {
      const answered = await source.sql.query(asked);
      const values = answered.flatMap((row) => Object.values(row));
      const bytes = values.map((value) => (value instanceof Uint8Array ? value.byteLength : 0));
      most = Math.max(
        most,
        bytes.reduce((sum, each) => sum + each, 0),
      );
      return answered;
    },
  };
  await copyTo({ ...source, sql: counted }, await newTestDatabase());
  expect(most).toBeGreaterThan(MAX_ANSWER_BYTES);
  expect(most).toBeLessThan(9 * 1024 * 1024);
  await source.close();
}, 180_000);

test('refuses a database with rows, and leaves it unchanged', async () => {
  const source = await furnished();
  const url = await newTestDatabase();
  const target = await openTestUrl(url);
  await furnish(target);
  const failure = await failureOf(copyTo(source, url));
  expect(String(failure)).toContain('is not empty');
  expect(await target.ledger.wallets('alice')).toHaveLength(2);
  await source.close();
  await target.close();
});

test('no gateway opens a dry run, and the move replaces it', async () => {
  const source = await furnished();
  const url = await newTestDatabase();
  await copyTo(source, url, Date.UTC(2026, 10, 21));
  expect(String(await failureOf(openTestUrl(url)))).toContain('copied at 2026-11-21T00:00:00.000Z');
  await source.ledger.apply([credit('c8', 5n)]);
  await copyTo(source, url);
  const target = await openTestUrl(url);
  const wallets = await source.ledger.wallets('alice');
  expect(wallets[0]?.held).toBe(nano(7n));
  // SQLite keeps holds only in its process's memory, so they are not copied.
  expect(await target.ledger.wallets('alice')).toEqual(
    wallets.map((wallet) => ({ ...wallet, held: nano(0n) })),
  );
  expect(await target.ledger.verify()).toEqual([]);
  expect(String(await failureOf(copyTo(source, url)))).toContain('is not empty');
  await source.close();
  await target.close();
}, 180_000);
