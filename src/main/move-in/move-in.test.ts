/** Tests the command `move-in` with databases of one-api and new-api against whole gateways. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { SMALL_FILE } from '../../config/file.fixture.ts';
import {
  FUTURE,
  type Maker,
  newPostgres,
  PASSWORD,
  sentKey,
  writeSqlite,
} from '../../movein/one-api/one-api-database.fixture.ts';
import { Visit } from '../console.fixture.ts';
import { newFolder, openGatewayOf, removeFolders } from '../gateway.fixture.ts';
import type { Gateway } from '../gateway.ts';
import { admin, cli } from '../stored-secrets.fixture.ts';

setDefaultTimeout(60_000);
afterAll(removeFolders);

let gateway: Gateway;
afterEach(() => gateway.close());

const FILE = `config: database\n${SMALL_FILE}`;
const open = async (file = FILE): Promise<void> => {
  ({ gateway } = await openGatewayOf(file));
};

async function moveIn(from: string, ...options: string[]) {
  const ran = await cli(gateway, 'move-in', 'one-api', '--from', from, '--json', ...options);
  return { ...ran, report: ran.exit === 0 ? JSON.parse(ran.out) : null };
}

const sqliteOf = (maker: Maker, more = ''): string => {
  const path = join(newFolder(), `${maker}.db`);
  writeSqlite(path, maker, more);
  return path;
};

const client = (apiKey: string): OpenAI =>
  new OpenAI({
    ...{ apiKey, baseURL: 'http://gateway/v1', maxRetries: 0 },
    fetch: async (url, init) => await gateway.edge.fetch(new Request(url, init)),
  });

const ask = (apiKey: string, model = 'gen-x') =>
  client(apiKey).chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] });

const statusOf = async (asked: Promise<unknown>): Promise<number> =>
  await asked.then(
    () => 200,
    (thrown: unknown) => (thrown instanceof OpenAI.APIError ? (thrown.status ?? 0) : 0),
  );

const get = async (path: string) => (await admin(gateway, `GET /admin/v1${path}`)).body;
const counts = ({ totals }: { totals: { kind: string; moved: number; present: number }[] }) =>
  Object.fromEntries(totals.map(({ kind, moved, present }) => [kind, [moved, present]]));

const SOURCES = (['one-api', 'new-api'] as const).flatMap((maker) => [
  { maker, engine: 'SQLite', source: async () => sqliteOf(maker) },
  { maker, engine: 'PostgreSQL', source: () => newPostgres(maker) },
]);

describe.each(SOURCES)('a database of $maker in $engine', ({ maker, source }) => {
  test('moves users, tokens and balances; old keys buy; a second run adds nothing', async () => {
    await open();
    const from = await source();
    const tried = await moveIn(from, '--dry-run');
    expect(tried.report.dry_run).toBe(true);
    expect((await get('/accounts')).data).toHaveLength(1);
    const moved = await moveIn(from);
    expect(moved.err).toBe('');
    const more = maker === 'new-api' ? 1 : 0;
    expect(counts(moved.report)).toMatchObject({
      ...{ account: [4, 0], person: [1, 0], key: [5 + more, 0], credit: [2, 0] },
    });
    expect({ ...tried.report, dry_run: false }).toEqual(moved.report);
    expect(moved.report.credited_usd).toBe('3.469134000');

    const answer = await ask(sentKey('plain'));
    expect(answer.choices[0]?.message.content).not.toBe('');
    const { data } = await get('/accounts?search=ada');
    expect(data[0]).toMatchObject({ name: 'ada 2', status: 'active', price_list: 'vip' });
    expect(Number(data[0].wallets[0].balance)).toBeLessThan(2.469134);
    expect(await statusOf(ask(sentKey('ofBen')))).toBe(401);
    expect(await statusOf(ask(sentKey('ofGone')))).toBe(401);
    expect(await statusOf(ask(sentKey('expired')))).toBe(401);

    const again = await moveIn(from);
    expect(counts(again.report)).toMatchObject({
      ...{ account: [0, 4], person: [0, 1], key: [0, 5 + more], credit: [0, 2] },
    });
    expect(again.report.credited_usd).toBe('0.000000000');
    const { out } = await cli(gateway, 'ledger', 'verify', '--json');
    expect(JSON.parse(out)).toMatchObject({ ok: true });
    expectLeft(tried.report.left, maker);
    const { data: keys } = await get('/keys');
    expect(keys.find(({ name }: { name: string }) => name === 'narrow')).toMatchObject({
      masked: `sk-narr...${sentKey('narrow').slice(-4)}`,
      expires_at: new Date(FUTURE * 1000).toISOString(),
      limits: {
        ...{ models: ['gen-x', 'gen-y'], ip_ranges: ['10.0.0.0/8', '192.168.1.7'] },
        spend: { total: '5.000000000' },
      },
    });
  });
});

type Left = { readonly what: string; readonly count: number; readonly names: readonly string[] };

function expectLeft(reported: readonly Left[], maker: Maker): void {
  const left = reported.map(({ what, count, names }) => [count, what, ...names].join(' '));
  for (const line of [
    '1 administrator root 1',
    '1 balance root 1: 1000000000.000000000 USD',
    '1 balance twin 5: -0.000002000 USD',
    '2 sign-in root 1 ben 3',
    '1 sign-in twin 5',
    '1 user gone 4',
    '1 token ofGone',
    '1 token orphan',
    '1 redemption code gift',
  ])
    expect(left).toContain(line);
  expect(left.includes('1 token deleted')).toBe(maker === 'new-api');
  expect(left.includes('1 token grouped')).toBe(maker === 'new-api');
}

describe('a key that moved', () => {
  test('works in every header, is rotated to one of our form, and is refused in other forms', async () => {
    await open();
    await moveIn(sqliteOf('one-api'));
    const key = sentKey('plain');
    const called = async (headers: Record<string, string>): Promise<number> =>
      (await new Visit(gateway).send('GET /v1/key', null, headers)).status;
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      { 'x-goog-api-key': key },
      { 'api-key': key },
    ])
      expect(await called(headers)).toBe(200);
    for (const other of [`${key}-7`, key.slice(3), `${key.slice(0, -1)}z`, `${key} `.repeat(2)])
      expect(await called({ authorization: `Bearer ${other}` })).toBe(401);
    const { data } = await get('/keys');
    const { id } = data.find(({ name }: { name: string }) => name === 'plain');
    const { body } = await admin(gateway, `POST /admin/v1/keys/${id}/rotate`, { overlap: '1h' });
    expect(body.secret).toStartWith('sk-mg-');
    expect(await called({ 'x-api-key': body.secret })).toBe(200);
    expect(await called({ 'x-api-key': key })).toBe(200);
    // A rotated secret is not moved in again.
    expect(counts((await moveIn(sqliteOf('one-api'))).report)['key']).toEqual([0, 5]);
  });

  test('belongs to a person who signs in with the old password', async () => {
    await open();
    const visit = new Visit(gateway);
    expect((await visit.signIn('ada@example.com', PASSWORD)).status).toBe(401);
    await moveIn(sqliteOf('new-api'));
    expect((await visit.signIn('ada@example.com', PASSWORD)).status).toBe(200);
    const { body } = await visit.send('GET /console/api/session');
    expect(body.person).toMatchObject({ email: 'ada@example.com', role: 'owner' });
  });
});

describe('a source that cannot be moved', () => {
  const refused = async (from: string): Promise<string> => {
    const { exit, err } = await moveIn(from);
    expect(exit).toBe(1);
    expect((await get('/accounts')).data).toHaveLength(1);
    return JSON.parse(err).error.message;
  };

  test('is named with the reason, and nothing is changed', async () => {
    await open();
    const folder = newFolder();
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database');
    expect(await refused(text)).toContain('is not a SQLite database');
    expect(await refused(join(folder, 'missing.db'))).toContain('cannot be read');
    const other = join(folder, 'other.db');
    writeSqlite(other, 'one-api', 'DROP TABLE tokens;');
    expect(await refused(other)).toContain('has no table `tokens`');
    const older = join(folder, 'older.db');
    writeSqlite(older, 'one-api', 'ALTER TABLE tokens DROP COLUMN remain_quota;');
    expect(await refused(older)).toContain('lacks `remain_quota`');
    const broken = sqliteOf('one-api');
    truncateSync(broken, 9_000);
    expect(await refused(broken)).toContain('cannot be read');
    const odd = sqliteOf('one-api', "UPDATE users SET quota = 'much' WHERE id = 2;");
    expect(await refused(odd)).toContain('has no whole number: much');
    const nowhere = 'postgres://u:hidden@127.0.0.1:1/x';
    const message = await refused(nowhere);
    expect(message).toContain('postgres://***@127.0.0.1:1/x cannot be read');
    expect(message).not.toContain('hidden');
    expect((await moveIn('mysql://u:p@host/x')).err).toContain('mysqldump');
  });
});

test('settings that are kept in a file are printed, and accounts wait for them', async () => {
  await open(SMALL_FILE);
  const from = sqliteOf('one-api');
  const { report } = await moveIn(from);
  expect(report.yaml).toBe("price_lists:\n  vip:\n    factor: '0.8'\n");
  expect(counts(report)['account']).toEqual([3, 0]);
  const waiting = report.left.find(
    ({ names }: Left) => names.includes('ada 2') && names.length === 1,
  );
  expect(waiting.reason).toContain('The price list "vip" is not configured');
  await gateway.close();
  await open(`${SMALL_FILE}${report.yaml}`);
  expect(counts((await moveIn(from)).report)['account']).toEqual([4, 0]);
});
