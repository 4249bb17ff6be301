/** Tests `move-in openrouter` with exported files, against a complete gateway. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_FILE } from '../../config/file.fixture.ts';
import { newFolder, openGatewayOf, removeFolders } from '../gateway.fixture.ts';
import type { Gateway } from '../gateway.ts';
import { admin, cli } from '../stored-secrets.fixture.ts';

setDefaultTimeout(180_000);
afterAll(removeFolders);

let gateway: Gateway;
afterEach(() => gateway.close());

const FIXTURES = join(import.meta.dir, '../../movein/openrouter/fixtures');
const [ACTIVITY, MODELS, KEYS] = ['activity.csv', 'models.json', 'keys.json'].map((name) =>
  join(FIXTURES, name),
) as [string, string, string];
/** Options of an import. One of the imported models is free, so the import needs `--confirm`. */
const FILES = [
  '--activity',
  ACTIVITY,
  '--models',
  MODELS,
  '--keys',
  KEYS,
  '--confirm',
  'price_zero',
];

const open = async (): Promise<void> => {
  ({ gateway } = await openGatewayOf(`config: database\n${SMALL_FILE}`));
};
async function moveIn(...options: string[]) {
  const ran = await cli(gateway, 'move-in', 'openrouter', '--json', ...options);
  return { ...ran, report: ran.exit === 0 ? JSON.parse(ran.out) : null };
}
const get = async (path: string) => (await admin(gateway, `GET /admin/v1${path}`)).body;
const statusOf = async (key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'gen-x', messages: [{ role: 'user', content: 'Hi' }] });
  const url = 'http://gateway/v1/chat/completions';
  return (await gateway.edge.fetch(new Request(url, { method: 'POST', headers, body }))).status;
};
const counts = ({ totals }: { totals: { kind: string; moved: number; present: number }[] }) =>
  Object.fromEntries(totals.map(({ kind, moved, present }) => [kind, [moved, present]]));

describe('move-in openrouter', () => {
  test('moves models and keys; new keys are in a file, and buy; a second run adds none', async () => {
    await open();
    const file = join(newFolder(), 'new-keys.csv');
    const tried = await moveIn(...FILES, '--credit', '5', '--dry-run');
    expect(tried.err).toBe('');
    const moved = await moveIn(...FILES, '--credit', '5', '--new-keys', file);
    expect(moved.err).toBe('');
    expect({ ...tried.report, dry_run: false }).toEqual(moved.report);
    expect(counts(moved.report)).toMatchObject({
      ...{ upstream: [1, 0], model: [2, 0], account: [1, 0], key: [3, 0], credit: [1, 0] },
    });

    const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    expect(header).toBe('name,key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const keys = lines.map((line) => /^"(.*)",(sk-mg-\w+)$/.exec(line)?.slice(1) ?? []);
    expect(keys.map(([name]) => name)).toEqual([
      'Search, production',
      'Trial',
      'sk-or-v1-3b9...4f29',
    ]);
    const [first = [], disabled = []] = keys;
    expect([await statusOf(first[1] ?? ''), await statusOf(disabled[1] ?? '')]).toEqual([200, 401]);
    expect(moved.out).not.toContain(first[1] ?? '');
    const { data } = await get('/keys');
    expect(data.find(({ name }: { name: string }) => name === 'Search, production')).toMatchObject({
      limits: { spend: { month: '100.000000000' } },
    });

    const second = join(newFolder(), 'second.csv');
    const again = await moveIn(...FILES, '--credit', '5', '--new-keys', second);
    expect(counts(again.report)).toMatchObject({ model: [0, 2], key: [0, 3], credit: [0, 1] });
    expect(existsSync(second)).toBe(false);
    const { out } = await cli(gateway, 'ledger', 'verify', '--json');
    expect(JSON.parse(out)).toMatchObject({ ok: true });
  });

  test('leaves no file of keys if the settings are refused', async () => {
    await open();
    const file = join(newFolder(), 'new-keys.csv');
    const files = ['--activity', ACTIVITY, '--models', MODELS, '--keys', KEYS];
    const { err } = await moveIn(...files, '--new-keys', file);
    expect([err.includes('price_zero'), existsSync(file)]).toEqual([true, false]);
  });

  test.each([
    [[], 'Name the activity export of OpenRouter with --activity'],
    [['--keys', KEYS], 'Name a new file for the secrets with --new-keys'],
    [['--keys', KEYS, '--new-keys', KEYS], 'cannot be written (EEXIST). Name a new file.'],
    [['--keys', MODELS, '--new-keys', '/nowhere/x'], 'The --keys file is not the list from'],
    [['--keys', ACTIVITY, '--dry-run'], 'is not JSON'],
    [['--activity', ACTIVITY], 'Save https://openrouter.ai/api/v1/models'],
  ])('with %p says what is wrong, and changes nothing', async (options, message) => {
    await open();
    const { exit, err } = await moveIn(...options);
    expect([exit === 0, err]).toEqual([false, expect.stringContaining(message)]);
    expect((await get('/accounts')).data).toHaveLength(1);
  });
});

test('an invalid email address of an account is named by its place', async () => {
  await open();
  const account = { ref: 'a', name: 'A', suspended: false, price_list: null, limits: {} };
  const person = { ref: 'p', name: 'P', password_hash: null };
  const people = ['ada@example.com', 'ada'].map((email) => ({ ...person, email }));
  const body = {
    source: 's',
    dry_run: true,
    accounts: [{ ...account, people, keys: [], credits: [] }],
  };
  const { status, body: refused } = await admin(gateway, 'POST /admin/v1/move-in', body);
  expect([status, refused.error.param]).toEqual([400, 'accounts.0.people.1.email']);
});
