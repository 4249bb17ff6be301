// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the configuration.
/** Tests `move-in` with databases of one-api and new-api, against complete gateways. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import OpenAI from 'openai';
import { patchedDocument } from '../../config/document/edits.ts';
import { yamlText } from '../../config/document/yaml-text.ts';
import { SMALL_FILE } from '../../config/file.fixture.ts';
import {
  FUTURE,
  type Maker,
  newPostgres,
  PASSWORD,
  PRICING,
  sentKey,
  writeSqlite,
} from '../../movein/one-api/one-api-database.fixture.ts';
import { Visit } from '../console.fixture.ts';
import { newFolder, openGatewayOf, removeFolders } from '../gateway.fixture.ts';
import type { Gateway } from '../gateway.ts';
import { admin, cli, provider, seen } from '../stored-secrets.fixture.ts';

setDefaultTimeout(180_000);
// The test provider is not stopped here, because other test files in this folder use it in the same
// process.
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

const dumpOf = (maker: Maker): string =>
  join(import.meta.dir, `../../movein/one-api/fixtures/${maker}.mysql.sql`);

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
  { maker, engine: 'a dump of MySQL', source: async () => dumpOf(maker) },
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
    '1 redemption code gift\'s \\ "组"',
  ])
    expect(left).toContain(line);
  expect(left.includes('1 token deleted')).toBe(maker === 'new-api');
  expect(left.includes('1 token grouped')).toBe(maker === 'new-api');
}

test('says which sign-ins and rewards of users stay behind', async () => {
  await open();
  const rewarded = "UPDATE users SET github_id = 'ada', aff_quota = 750000 WHERE id = 2;";
  const { report } = await moveIn(sqliteOf('new-api', rewarded), '--dry-run');
  const left = report.left.map(({ what, names }: Left) => [what, ...names].join(' '));
  expect(left).toContain('other sign-in ada 2: github');
  expect(left).toContain('invitation reward ada 2: 1.500000000 USD');
});

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
    // A key that was rotated after its import is not imported again.
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
    expect(await refused(text)).toContain('is neither a SQLite database');
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
    expect(await refused(odd)).toContain('has a value that is not a whole number: much');
    const nowhere = 'postgres://u:hidden@127.0.0.1:1/x';
    const message = await refused(nowhere);
    expect(message).toContain('postgres://***@127.0.0.1:1/x cannot be read');
    expect(message).not.toContain('hidden');
    expect((await moveIn('mysql://u:p@host/x')).err).toContain('mysqldump');
    for (const address of ['u:hid%den@h/x', 'u:hidden@h:port/x', 'u:hidden@a,b/x', 'u:hid/den@h/x'])
      for (const kind of ['one-api', 'litellm']) {
        const ran = await cli(
          gateway,
          'move-in',
          kind,
          '--from',
          `postgres://${address}`,
          '--json',
        );
        expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining('with one host')]);
        expect(ran.err).not.toContain('hid');
      }
  });
});

test('users cannot keep others from moving, nor be credited twice', async () => {
  await open();
  const plain = 'UPDATE users SET aff_code = NULL WHERE id = 2;';
  const odd = `UPDATE tokens SET expired_time = 99999999999999 WHERE name = 'plain';
    UPDATE tokens SET models = 'gen-x,${'x'.repeat(300)}' WHERE name = 'narrow';
    UPDATE tokens SET models = '${'y'.repeat(300)}' WHERE name = 'expired';`;
  const { report, err } = await moveIn(sqliteOf('one-api', plain + odd));
  expect([err, report.credited_usd]).toEqual(['', '3.469134000']);
  expect(counts(report)).toMatchObject({ account: [4, 0], key: [5, 0] });
  const { data } = await get('/keys');
  const keyOf = (wanted: string) => data.find(({ name }: { name: string }) => name === wanted);
  expect(keyOf('plain').expires_at).toBeNull();
  expect(keyOf('narrow').limits.models).toEqual(['gen-x']);
  expect(keyOf('expired').limits.models).toEqual([]);
  // Since the first import, the user has bought more quota and has opened the invitation page of
  // the old gateway, which created an invitation code.
  const coded = sqliteOf('one-api', 'UPDATE users SET quota = quota + 500000 WHERE id = 2;');
  const again = (await moveIn(coded)).report;
  expect(again.credited_usd).toBe('0.000000000');
  expect(counts(again)['account']).toEqual([0, 3]);
  const left = again.left.find(({ reason }: { reason: string }) => reason.includes('invitation'));
  expect(left.names).toEqual(['ada 2']);
});

describe('channels and prices', () => {
  const pricing = (): string => {
    const path = join(newFolder(), 'pricing.json');
    writeFileSync(path, PRICING);
    return path;
  };

  test('become upstreams, secrets, models and exact prices, by which old keys buy', async () => {
    await open();
    const url = provider.url.href.replace(/\/$/, '');
    const from = sqliteOf('one-api', `UPDATE channels SET base_url = '${url}' WHERE id = 1;`);
    const { report } = await moveIn(from);
    expect(counts(report)).toMatchObject({
      ...{ upstream: [3, 0], model: [4, 0], 'price list': [1, 0], secret: [3, 0] },
    });
    const { document } = await get('/config');
    expect(document.upstreams['openai-1']).toEqual({
      ...{ protocol: 'openai', make: 'openai', base_url: `${url}/v1` },
      ...{ api_key: '${secret:channel-openai-1}', allow_private: true },
    });
    const { direct } = document.models['gpt-4o'].channels;
    expect(direct).toEqual({
      price: { input: '2.5', output: '10', cache_read: '2.5', cache_write: '2.5' },
      routes: [
        { upstream: 'openai-1', model: 'gpt-4o-2024', weight: 3, priority: 1 },
        { upstream: 'router-2', model: 'gpt-4o', weight: 1, priority: 2 },
      ],
    });
    expect(document.models['gpt-4.1-nano'].channels.direct.price).toMatchObject({
      ...{ input: '0.1', output: '0.4' },
    });
    expect(document.models.odd.channels.direct.price.input).toBe('0.000001');
    expect(document.models['claude-3-5-sonnet']).toMatchObject({
      ...{ maker: 'anthropic', max_output: 8192 },
      channels: { direct: { price: { input: '3', output: '15' } } },
    });
    expect(document.price_lists).toEqual({ vip: { factor: '0.8' } });
    const left = report.left.map(({ what, names }: Left) => [what, ...names].join(' '));
    for (const line of ['channel off', 'channel azure', 'channel vip only', 'price odd'])
      expect(left).toContain(line);
    for (const line of ['model unpriced', 'model text-embedding-3-small'])
      expect(left).toContain(line);
    const before = Number((await get('/accounts?search=ada')).data[0].wallets[0].balance);
    seen.length = 0;
    expect((await ask(sentKey('plain'), 'gpt-4o')).choices[0]?.message.content).toBe('ok');
    expect(seen).toEqual(['Bearer sk-provider-1']);
    const after = Number((await get('/accounts?search=ada')).data[0].wallets[0].balance);
    // One input token at $2.5 and one output token at $10 per 1M tokens, multiplied by the factor
    // 0.8 of the price list.
    expect((before - after).toFixed(9)).toBe('0.000010000');
    const again = (await moveIn(from)).report;
    expect(counts(again)).toMatchObject({
      ...{ upstream: [0, 3], model: [0, 4], 'price list': [0, 1], secret: [0, 3] },
    });
    expect(again.left.some(({ what }: Left) => what === 'upstream')).toBeFalse();
    const moved = sqliteOf('one-api', `UPDATE channels SET base_url = '${url}/b' WHERE id = 1;`);
    expect((await moveIn(moved, '--dry-run')).report.left).toContainEqual({
      ...{ what: 'upstream', count: 1, names: ['openai-1'] },
      reason:
        'An upstream of this name has another address here. The imported models use the one here.',
    });
  });

  test('of new-api come from its price list, and each enabled key is an upstream', async () => {
    await open();
    const without = await moveIn(sqliteOf('new-api'), '--dry-run');
    expect(counts(without.report)['model']).toEqual([0, 0]);
    const { report } = await moveIn(sqliteOf('new-api'), '--prices', pricing());
    expect(counts(report)).toMatchObject({ upstream: [5, 0], model: [4, 0], secret: [5, 0] });
    const { document } = await get('/config');
    expect(Object.keys(document.upstreams)).toContain('many-keys-7-2');
    expect(document.models['claude-3-5-sonnet'].channels.direct.price).toEqual({
      ...{ input: '3', output: '15', cache_read: '0.3', cache_write: '3.75', cache_write_1h: '6' },
    });
    expect(document.models['gpt-4o'].channels.direct.price.cache_read).toBe('1.25');
    expect(document.models.unpriced).toBeUndefined();
  });
});

test('settings that are kept in a file are printed, and accounts wait for them', async () => {
  await open(SMALL_FILE);
  const from = sqliteOf('one-api');
  const { report } = await moveIn(from);
  expect(report.yaml).toContain("price_lists:\n  vip:\n    factor: '0.8'\n");
  expect(counts(report)['account']).toEqual([3, 0]);
  const waiting = report.left.find(
    ({ names }: Left) => names.includes('ada 2') && names.length === 1,
  );
  expect(waiting.reason).toContain('The price list "vip" is not configured');
  await gateway.close();
  const merged = patchedDocument(Object(load(SMALL_FILE)), Object(load(report.yaml)));
  await open(yamlText(merged));
  expect(counts((await moveIn(from)).report)['account']).toEqual([4, 0]);
});
