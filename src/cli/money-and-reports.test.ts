/** Tests the commands for money and reports with the real HTTP edge and a real ledger. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ADMIN_TOKEN } from '../http/caller/reports/report-room.fixture.ts';
import { type CommandRoom, openCommandRoom } from './command-room.fixture.ts';

let commands: CommandRoom;
let room: CommandRoom['room'];

beforeAll(async () => {
  commands = await openCommandRoom();
  room = commands.room;
});
afterAll(() => commands.close());

const run = (...argv: string[]) => commands.run(...argv);
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).out);
const reason = ['--reason', 'as agreed'] as const;

async function balance(currency: 'USD' | 'CNY'): Promise<bigint> {
  const wallets = await room.database.ledger.wallets('alice');
  return wallets.find((it) => it.currency === currency)?.balance ?? 0n;
}

test('account adjust books either sign once per id', async () => {
  const before = await balance('USD');
  const words = [
    'account',
    'adjust',
    'alice',
    'usd',
    '--amount=-2.50',
    '--id',
    'adj_cli',
    ...reason,
  ];
  const { exit, out } = await run(...words);
  expect([exit, out]).toEqual([0, expect.stringContaining('-2.500000000 USD')]);
  expect(out).toContain('adj_cli');
  expect((await json(...words)).already_applied).toBe(true);
  expect(await balance('USD')).toBe(before - 2_500_000_000n);
  const refused = await run('account', 'adjust', 'alice', 'CNY', '--amount=-9999999', ...reason);
  expect([refused.exit === 0, refused.err]).toEqual([
    false,
    expect.stringContaining('below its credit limit'),
  ]);
});

test('account exchange buys at the pinned rate and names it', async () => {
  const before = [await balance('USD'), await balance('CNY')] as const;
  const { exit, out } = await run('account', 'exchange', 'alice', 'usd', 'cny', '7.10', ...reason);
  expect([exit, out]).toEqual([0, expect.stringContaining('7.100000000 CNY at 7.10 (fx_usd_cny)')]);
  const after = [before[0] - 1_000_000_000n, before[1] + 7_100_000_000n];
  expect([await balance('USD'), await balance('CNY')]).toEqual(after);
});

test('account credit-limit lets the wallet go below zero, and no further', async () => {
  const { exit } = await run('account', 'credit-limit', 'bob', '5', 'cny', ...reason);
  expect(exit).toBe(0);
  const take = (amount: string) =>
    run('account', 'adjust', 'bob', 'cny', `--amount=-${amount}`, ...reason);
  const wallets = await room.database.ledger.wallets('bob');
  expect(wallets.find((it) => it.currency === 'CNY')).toMatchObject({ floor: -5_000_000_000n });
  expect((await take('5.1')).exit).not.toBe(0);
  expect((await take('5')).exit).toBe(0);
});

test('request refund refunds the remaining charge', async () => {
  const { data } = (
    await room.get('/admin/v1/requests?account_id=alice&min_cost=0.001', ADMIN_TOKEN)
  ).body;
  const [{ id, cost, currency }] = data;
  const { exit, out } = await run('request', 'refund', id, 'all', ...reason);
  expect([exit, out]).toEqual([0, expect.stringContaining(`${cost} ${currency}`)]);
  const again = await run('request', 'refund', id, 'all', ...reason);
  expect([again.exit === 0, again.err]).toEqual([
    false,
    expect.stringContaining('Nothing can be refunded'),
  ]);
});

test('ledger list shows a statement and names the next page', async () => {
  const page = await json('ledger', 'list', 'alice', '--kind', 'adjust');
  expect(page.data).toEqual([
    expect.objectContaining({ id: 'adj_cli/1', amount: '-2.500000000', reason: 'as agreed' }),
  ]);
  const { exit, out } = await run('ledger', 'list', 'alice', '--limit', '2');
  const [header = '', first = ''] = out.split('\n');
  expect([exit, header.split(/ +/)]).toEqual([
    0,
    ['AT', 'KIND', 'AMOUNT', 'CURRENCY', 'BALANCE_AFTER', 'ID', 'REASON'],
  ]);
  expect(first).toContain('refund');
  const next = /add --after (\S+)/.exec(out)?.[1] ?? '';
  const rest = await json('ledger', 'list', 'alice', '--limit', '2', '--after', next);
  const whole = await json('ledger', 'list', 'alice', '--limit', '4');
  expect(rest.data).toEqual(whole.data.slice(2));
});

test('usage shows groups and a total for each currency', async () => {
  const answer = await json('usage', '--account', 'alice', '--by', 'model,channel');
  expect(answer.group_by).toEqual(['model', 'channel']);
  const { exit, out } = await run('usage', '--account', 'alice', '--by', 'model,channel');
  expect(exit).toBe(0);
  const [groups = '', totals = ''] = out.split('Total:');
  expect(groups).toMatch(/^MODEL +CHANNEL +CURRENCY +REQUESTS/);
  for (const row of answer.data) expect(groups).toContain(row.charge);
  for (const row of answer.total) expect(totals).toContain(row.charge);
  expect(answer.total).toHaveLength(2);
  const wrong = await run('usage', '--by', 'hour');
  expect([wrong.exit === 0, wrong.err]).toEqual([false, expect.stringContaining('--by')]);
});

test('audit list shows who did what, and whether the chain is intact', async () => {
  const { exit, out } = await run('audit', 'list', '--action', 'wallet.adjust', '--verify');
  expect(exit).toBe(0);
  expect(out).toContain('alice');
  expect(out).toContain('"reason":"as agreed"');
  expect(out).toContain('The hash chain is intact.');
  const { sql } = room.database;
  const change = (actor: string) =>
    sql.query({ sql: 'UPDATE audit SET actor = $1 WHERE id = 2', params: [actor] });
  const [entry] = await sql.query({ sql: 'SELECT actor FROM audit WHERE id = 2', params: [] });
  await change('mallory');
  expect((await run('audit', 'list', '--verify')).out).toContain(
    'The hash chain is broken: entry 2 ',
  );
  await change(String(entry?.['actor']));
  expect((await run('audit', 'list', '--verify')).out).toContain('The hash chain is intact.');
});
