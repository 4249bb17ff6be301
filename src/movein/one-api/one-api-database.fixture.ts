/**
 * Databases of one-api and new-api for tests. GORM 1.31 created the tables by `AutoMigrate`, from
 * the structs of one-api 0.6.11 (songquanpeng/one-api, commit 8df4a267) and of new-api
 * (QuantumNous/new-api, July 2026), with its drivers for SQLite, PostgreSQL and MySQL (MariaDB
 * 10.11). The files in `fixtures/` were written by `.schema`, `pg_dump --schema-only` and
 * `mariadb-dump`. The MariaDB file also contains the rows below.
 */
import { Database } from 'bun:sqlite';
import postgres from 'postgres';
import { newEmptyDatabase } from '../../ledger/postgres/postgres.fixture.ts';
import newApiPostgres from './fixtures/new-api.postgres.sql' with { type: 'text' };
import newApiSqlite from './fixtures/new-api.sqlite.sql' with { type: 'text' };
import oneApiPostgres from './fixtures/one-api.postgres.sql' with { type: 'text' };
import oneApiSqlite from './fixtures/one-api.sqlite.sql' with { type: 'text' };

const TABLES = {
  'one-api': { sqlite: oneApiSqlite, postgres: oneApiPostgres },
  'new-api': { sqlite: newApiSqlite, postgres: newApiPostgres },
} as const;
export type Maker = keyof typeof TABLES;

export const PASSWORD = 'correct horse 9';
/** The bcrypt hash of `PASSWORD`, in the format that Go's library writes. */
const HASH = '$2a$04$/YROTgW6fHcqC/khwxiO7O32pRnS4T.LPMjzF7TWLjfQk0aDN3mkS';
/** Returns a key of 48 characters, the length of one-api's keys. */
export const keyOf = (name: string): string => name.padEnd(48, '0Ab');
/** Returns the complete key of a token, as callers send it. */
export const sentKey = (name: string): string => `sk-${keyOf(name)}`;

const texts = (...values: readonly (string | number | boolean | null)[]): string =>
  values
    .map((value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`))
    .join(', ');

const user = (
  id: number,
  name: string,
  row: { email?: string; role?: number; status?: number; quota?: number; group?: string },
): string =>
  `INSERT INTO users (id, username, password, display_name, role, status, email, quota, "group",
    aff_code, access_token) VALUES (${texts(
      ...[id, name, HASH, `${name} ${id}`, row.role ?? 1, row.status ?? 1, row.email ?? ''],
      ...[row.quota ?? 0, row.group ?? 'default', `aff${id}`, `token${id}`],
    )});`;

type TokenRow = { status?: number; expires?: number; quota?: number; more?: object };
const token = (id: number, userId: number, name: string, row: TokenRow): string => {
  const more = Object.entries(row.more ?? {});
  const columns = more.map(([column]) => `, "${column}"`).join('');
  const values = more.map(([, value]) => `, ${texts(value)}`).join('');
  return `INSERT INTO tokens (id, user_id, "key", status, name, expired_time, remain_quota,
    unlimited_quota${columns}) VALUES (${texts(
      ...[id, userId, keyOf(name), row.status ?? 1, name, row.expires ?? -1],
      ...[row.quota ?? 0, row.quota === undefined],
    )}${values});`;
};

/** 2030-01-01 in Unix seconds. `PAST` is 2020-01-01. */
export const FUTURE = 1_893_456_000;
const PAST = 1_577_836_800;

const users: readonly string[] = [
  user(1, 'root', { role: 100, quota: 500_000_000_000_000 }),
  user(2, 'ada', { email: 'Ada@Example.com', quota: 1_234_567, group: 'vip' }),
  user(3, 'ben', { status: 2, quota: 500_000 }),
  user(4, 'gone', { status: 3, email: 'gone@example.com' }),
  user(5, 'twin', { email: 'ada@example.com', quota: -1 }),
];
const tokens: readonly string[] = [
  token(1, 2, 'plain', {}),
  token(3, 2, 'expired', { status: 3, expires: PAST }),
  token(4, 2, 'exhausted', { status: 4, quota: 0 }),
  token(5, 3, 'ofBen', { status: 2 }),
  token(6, 4, 'ofGone', {}),
  token(7, 99, 'orphan', {}),
];
const NARROW: Readonly<Record<Maker, readonly string[]>> = {
  'one-api': [
    token(2, 2, 'narrow', {
      ...{ expires: FUTURE, quota: 2_500_000 },
      more: { models: 'gen-x,gen-y', subnet: '10.0.0.0/8,192.168.1.7' },
    }),
  ],
  'new-api': [
    token(2, 2, 'narrow', {
      ...{ expires: FUTURE, quota: 2_500_000 },
      more: {
        ...{ model_limits_enabled: true, model_limits: 'gen-x,gen-y' },
        allow_ips: '10.0.0.0/8\n192.168.1.7',
      },
    }),
    token(8, 2, 'deleted', { more: { deleted_at: '2026-01-01 00:00:00+00' } }),
    token(9, 2, 'grouped', { more: { group: 'svip', model_limits: 'ignored' } }),
  ],
};
/** A name with all characters that a dump must escape. */
export const ODD_NAME = 'gift\'s \\\n"组"';
const CODES = `INSERT INTO redemptions (id, user_id, "key", status, name, quota) VALUES
  (1, 1, '00000000000000000000000000000001', 1, ${texts(ODD_NAME)}, 500000),
  (2, 1, '00000000000000000000000000000002', 3, 'used', 500000);`;

const OPTIONS = `INSERT INTO options ("key", value) VALUES
  ('GroupRatio', '{"default":1,"vip":0.8,"svip":0.1}'),
  ('ModelRatio', '{"gpt-4o":1.25,"gpt-4.1-nano":0.05,"odd":0.0000003,"claude-3-5-sonnet":1.5,"text-embedding-3-small":0.01}'),
  ('CompletionRatio', '{"gpt-4.1-nano":4}');`;

/** The address of the first channel's provider. No server listens on it. */
const PROVIDER = 'http://127.0.0.1:9';

type ChannelRow = {
  readonly status?: number;
  readonly url?: string;
  readonly group?: string;
  readonly mapping?: string;
  readonly priority?: number;
  readonly weight?: number;
};
const channel = (id: number, kind: number, name: string, models: string, row: ChannelRow = {}) =>
  `INSERT INTO channels (id, type, "key", status, name, base_url, models, "group", model_mapping,
    priority, weight) VALUES (${texts(
      ...[id, kind, `sk-provider-${id}`, row.status ?? 1, name, row.url ?? '', models],
      ...[row.group ?? 'default', row.mapping ?? '', row.priority ?? 0, row.weight ?? 0],
    )});`;

const channelsOf = (maker: Maker): readonly string[] => [
  channel(1, 1, 'OpenAI 主', 'gpt-4o,gpt-4.1-nano,odd,text-embedding-3-small,unpriced', {
    ...{
      url: PROVIDER,
      group: 'default,vip',
      mapping: '{"gpt-4o":"gpt-4o-2024"}',
      priority: 5,
      weight: 3,
    },
  }),
  channel(2, 20, 'router', 'gpt-4o', { priority: 1 }),
  channel(3, 14, 'Claude', 'claude-3-5-sonnet'),
  channel(4, 1, 'off', 'gpt-4o', { status: 2 }),
  channel(5, 3, 'azure', 'gpt-4o', { url: 'https://x.openai.azure.com' }),
  channel(6, 1, 'vip only', 'gpt-4o', { group: 'vip' }),
  ...(maker === 'one-api'
    ? []
    : [
        `${channel(7, 43, 'many keys', 'odd')}
        UPDATE channels SET "key" = 'sk-a\nsk-b\nsk-c', channel_info =
          '{"is_multi_key":true,"multi_key_status_list":{"1":2}}' WHERE id = 7;`,
      ]),
];

/** A saved answer of one-api's `/api/option/`. It has a price that is not in the database. */
export const OPTIONS_ANSWER = JSON.stringify({
  success: true,
  data: [{ key: 'ModelRatio', value: '{"unpriced":2}' }],
});

/** A saved answer of new-api's `/api/pricing`. */
export const PRICING = JSON.stringify({
  data: [
    {
      model_name: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      completion_ratio: 4,
      cache_ratio: 0.5,
    },
    { model_name: 'gpt-4.1-nano', quota_type: 0, model_ratio: 0.05, completion_ratio: 4 },
    { model_name: 'odd', quota_type: 0, model_ratio: 0.0000003, completion_ratio: 1 },
    {
      ...{ model_name: 'claude-3-5-sonnet', quota_type: 0, model_ratio: 1.5, completion_ratio: 5 },
      ...{ cache_ratio: 0.1, create_cache_ratio: 1.25, supported_endpoint_types: ['anthropic'] },
    },
    { model_name: 'unpriced', quota_type: 1, model_price: 0.04 },
  ],
});

const rowsOf = (maker: Maker): string =>
  [...users, ...tokens, ...NARROW[maker], CODES, OPTIONS, ...channelsOf(maker)].join('\n');

/** Writes a SQLite file with the tables and rows of `maker`, and runs `more` in it. */
export function writeSqlite(path: string, maker: Maker, more = ''): void {
  const database = new Database(path, { create: true });
  database.run(TABLES[maker].sqlite + rowsOf(maker) + more);
  database.close();
}

/**
 * Creates a PostgreSQL database with the rows of `maker`, runs `more` in it, and returns its URL.
 */
export async function newPostgres(maker: Maker, more = ''): Promise<string> {
  const url = await newEmptyDatabase();
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client.unsafe(TABLES[maker].postgres + rowsOf(maker) + more);
  await client.end();
  return url;
}
