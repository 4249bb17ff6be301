import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWellFormed } from '../accounts/api-key.ts';
import { Secret } from '../config/secret.ts';
import { ADMIN_TOKEN, openRoom } from '../http/caller/account-room.fixture.ts';
import { unavailable } from '../store/store-fault.ts';
import type { AdminSettings } from './admin-client.ts';
import { type CliDeps, runCli } from './cli.ts';

let room: ReturnType<typeof openRoom>;
let settings: AdminSettings;
let fetch: CliDeps['fetch'];
let served: unknown[];

beforeEach(async () => {
  room = openRoom();
  const dataDir = await mkdtemp(join(tmpdir(), 'modelgate-cli-'));
  settings = { baseUrl: 'http://gateway', dataDir, adminToken: new Secret(ADMIN_TOKEN) };
  fetch = async (request) => await room.edge.fetch(request);
  served = [];
});
afterEach(async () => {
  await rm(settings.dataDir, { recursive: true });
});

async function run(...argv: string[]) {
  let out = '';
  let err = '';
  const io = {
    stdout: (text: string) => {
      out += text;
    },
    stderr: (text: string) => {
      err += text;
    },
  };
  const process = (name: string) => async (options: object) => {
    served.push({ name, ...options });
    return 7;
  };
  const exit = await runCli(argv, io, {
    clock: room.clock,
    version: '1.2.3',
    fetch,
    settings: async () => settings,
    serve: process('serve'),
    check: process('check'),
    doctor: process('doctor'),
    migrate: process('migrate'),
    restore: process('restore'),
  });
  return { exit, out, err };
}

const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).out);

describe('process commands', () => {
  test('get their options and pass on their exit code', async () => {
    for (const argv of [[], ['serve'], ['--config', 'a.yaml'], ['check', '--json']]) {
      expect((await run(...argv)).exit).toBe(7);
    }
    expect(served).toEqual([
      { name: 'serve', configPath: null, json: false },
      { name: 'serve', configPath: null, json: false },
      { name: 'serve', configPath: 'a.yaml', json: false },
      { name: 'check', configPath: null, json: true },
    ]);
  });
});

describe('an invalid command line', () => {
  const cases: [string[], string][] = [
    [['servce'], 'Did you mean `modelgate serve`?'],
    [['key', 'craete'], 'Did you mean `modelgate key create`?'],
    [['frobnicate'], 'See `modelgate help`.'],
    [
      ['key'],
      '`key` needs one of create, list, show, update, rotate, disable, enable, revoke, generate after it.',
    ],
    [['key', 'create', 'ci', '--acount', 'x'], 'no option --acount. Did you mean --account?'],
    [['key', 'list', '-z'], 'has no option -z. It takes --account'],
    [['key', 'create'], 'NAME is missing.\nUsage: modelgate key create NAME'],
    [['key', 'create', 'two', 'words'], '"words" is one argument too many.'],
    [['key', 'list', '--account'], '--account needs a value: --account ID.'],
    [['key', 'list', '--account', '--json'], '--account needs a value'],
    [['key', 'list', '--json=yes'], '--json is a switch'],
    [['account', 'credit', 'acc_1', '1', 'USD'], '--reason TEXT is required.'],
    [['key', 'create', 'ci', '--expires', 'soon'], '--expires cannot read "soon"'],
    [['key', 'create', 'ci', '--scope', 'usage,all'], '--scope has "all". It takes one or more of'],
  ];
  for (const [argv, message] of cases) {
    test(`${argv.join(' ')}: exits 2 and suggests a correction`, async () => {
      const { exit, out, err } = await run(...argv);
      expect(err).toContain(message);
      expect({ exit, out }).toEqual({ exit: 2, out: '' });
    });
  }
});

describe('help', () => {
  test('lists all commands or a group, or explains one command', async () => {
    const overview = await run('help');
    expect(overview.exit).toBe(0);
    for (const words of [
      'serve',
      'check',
      'doctor',
      'migrate',
      'key create NAME',
      'ledger verify',
    ]) {
      expect(overview.out).toContain(`\n  ${words} `);
    }
    expect((await run('--help')).out).toBe(overview.out);
    const group = await run('key', '--help');
    expect(group.out).toContain('key revoke KEY_ID');
    expect(group.out).not.toContain('account list');
    const one = await run('account', 'credit', '--help');
    expect(one.out).toContain('account credit ACCOUNT AMOUNT CURRENCY --reason TEXT [--id ID]');
    expect((await run('help', 'account', 'credit')).out).toBe(one.out);
    expect((await run('key', 'list', '-h')).out).toContain('--account ID');
    expect((await run('--version')).out).toBe('1.2.3\n');
  });
});

describe('keys', () => {
  test('are created for the only account, listed aligned, and revoked', async () => {
    await run('account', 'create', 'Acme');
    const created = await run('key', 'create', 'ci', '--expires', '90d');
    expect(created.exit).toBe(0);
    const [secret = '', , note] = created.out.split('\n');
    expect(isWellFormed(secret)).toBe(true);
    expect(note).toContain('expires 2027-02-19T12:00:00.000Z');
    expect((await room.send('GET', '/v1/key', secret)).status).toBe(200);

    const list = (await run('key', 'list')).out.split('\n');
    expect(list[0]).toMatch(/^ID +NAME {2}KEY +STATUS {2}SCOPES +LAST USED +EXPIRES +ACCOUNT$/);
    const column = list[0]?.indexOf('STATUS') ?? -1;
    expect(list[1]?.slice(column)).toStartWith('active');
    expect(list.join()).not.toContain(secret);

    const [key] = (await json('key', 'list')).data;
    const revoked = await run('key', 'revoke', key.id);
    expect(revoked.out).toBe(`Revoked ${key.id} (ci, ${key.masked}).\n`);
    expect((await room.send('GET', '/v1/key', secret)).status).toBe(401);
  });

  test('get and change their scopes with --scope', async () => {
    await run('account', 'create', 'Acme');
    const created = await run('key', 'create', 'ci', '--scope', 'usage, inference');
    const [secret = ''] = created.out.split('\n');
    const [key] = (await json('key', 'list')).data;
    expect(key.scopes).toEqual(['inference', 'usage']);
    expect((await room.send('GET', '/v1/credits', secret)).status).toBe(200);
    const changed = await run('key', 'update', key.id, '--scope', 'inference');
    expect(changed.out).toContain('\nscopes: inference\n');
    expect((await room.send('GET', '/v1/credits', secret)).status).toBe(403);
  });

  test('need --account unless there is exactly one account', async () => {
    expect((await run('key', 'create', 'ci')).err).toContain('There is no account yet.');
    await run('account', 'create', 'one');
    const { id } = await json('account', 'create', 'two');
    expect((await run('key', 'create', 'ci')).err).toContain('Name one with --account ID');
    expect((await json('key', 'create', 'ci', '--account', id)).account_id).toBe(id);
  });

  test('are generated without a server or configuration', async () => {
    settings = { ...settings, baseUrl: 'http://nowhere' };
    fetch = () => Promise.reject(new Error('must not be asked'));
    const { exit, out } = await run('key', 'generate');
    expect(exit).toBe(0);
    expect(isWellFormed(out.trim())).toBe(true);
    expect(isWellFormed((await json('key', 'generate')).secret)).toBe(true);
  });
});

describe('accounts and their money', () => {
  test('credits a wallet once per id', async () => {
    const { id } = await json('account', 'create', 'Acme');
    const credit = ['account', 'credit', id, '100', 'usd', '--reason', '-5% deal', '--id', 'inv-7'];
    expect((await run(...credit)).out).toBe(
      'Booked 100.000000000 USD as inv-7. Available: 100.000000000 USD.\n',
    );
    expect((await run(...credit)).out).toStartWith('Already booked 100.000000000 USD as inv-7.');
    expect(room.books.credits.get('inv-7')?.reason).toBe('-5% deal');
  });

  test('says how to repeat a credit safely when the connection broke', async () => {
    const { id } = await json('account', 'create', 'Acme');
    const answer = fetch;
    fetch = async (request) => {
      await answer(request);
      throw new Error('connection reset');
    };
    const { exit, err } = await run('account', 'credit', id, '5', 'CNY', '--reason', 'gift');
    expect(exit).toBe(1);
    const creditId = /add --id (crd_\w+)/.exec(err)?.[1] ?? '';
    fetch = answer;
    const again = await json(
      'account',
      'credit',
      id,
      '5',
      'CNY',
      '--reason',
      'gift',
      '--id',
      creditId,
    );
    expect(again).toMatchObject({ already_applied: true, available: '5.000000000' });
  });

  test('pages name the next page, and names cannot inject control characters', async () => {
    for (const name of ['a', 'b']) {
      await run('account', 'create', name);
      room.clock.advance(1);
    }
    const { next } = await json('account', 'list', '--limit', '1');
    const first = await run('account', 'list', '--limit', '1');
    expect(first.out).toEndWith(`There are more rows: add --after ${next}\n`);
    const [second] = (await json('account', 'list', '--after', next)).data;
    expect(second.name).toBe('b');
    const update = "UPDATE account SET name = 'evil' || char(27) || '[2J'";
    await room.sql.query({ sql: update, params: [] });
    expect((await run('account', 'list')).out).not.toContain('\u001b');
  });

  test('prints a refusal of the server and exits 1', async () => {
    const refused = await run('account', 'credit', 'acc_none', '5', 'USD', '--reason', 'x');
    expect(refused).toMatchObject({ exit: 1, out: '' });
    expect(refused.err).toStartWith('modelgate: There is no account "acc_none"');
    expect(refused.err).not.toContain('--id crd');
    const asJson = await run(
      'account',
      'credit',
      'acc_none',
      '5',
      'EUR',
      '--reason',
      'x',
      '--json',
    );
    expect(JSON.parse(asJson.err).error).toMatchObject({ code: 'invalid_value' });
  });
});

describe('ledger verify', () => {
  test('exits 0 on a sound ledger and 1 on any breach', async () => {
    expect(await run('ledger', 'verify')).toMatchObject({ exit: 0 });
    room.books.breaches = [{ invariant: 'zero_sum', subject: 'tx_1', detail: 'off by 1' }];
    const { exit, out } = await run('ledger', 'verify');
    expect(exit).toBe(1);
    expect(out).toBe(
      'INVARIANT  SUBJECT  DETAIL\nzero_sum   tx_1     off by 1\n\nBreaches in total: 1.\n',
    );
    expect((await run('ledger', 'verify', '--json')).exit).toBe(1);
  });
});

test('ledger reset-windows names the time that decides', async () => {
  const { exit, out } = await run('ledger', 'reset-windows');
  expect(exit).toBe(0);
  expect(out).toMatch(
    /^No spending period begins in the future \(after \d{4}-\d\d-\d\dT[\d:.]+Z\)\. Nothing was reset\.\n$/,
  );
  const { changed } = JSON.parse((await run('ledger', 'reset-windows', '--json')).out);
  expect(changed).toBe(0);
});

describe('a server that cannot be used', () => {
  test('that is not running: says how to start it', async () => {
    fetch = () => Promise.reject(new TypeError('ConnectionRefused'));
    const { exit, err } = await run('key', 'list');
    expect(exit).toBe(1);
    expect(err).toContain('No server answers at http://gateway. Start it with `modelgate serve`');
  });

  test('does not answer in time', async () => {
    fetch = async (request) => {
      const aborted = Promise.withResolvers<never>();
      request.signal.addEventListener('abort', () => aborted.reject(request.signal.reason));
      room.clock.advance(30_000);
      return await aborted.promise;
    };
    expect((await run('key', 'list')).err).toContain('did not answer in time');
  });

  test('that has another token: names the source of ours without showing it', async () => {
    settings = { ...settings, adminToken: new Secret('wrong-token') };
    const fromEnv = await run('key', 'list');
    expect(fromEnv.err).toContain('refused the token in MODELGATE_ADMIN_TOKEN');
    expect(fromEnv.err).not.toContain('wrong-token');
    settings = { ...settings, adminToken: null };
    await writeFile(join(settings.dataDir, 'admin-token'), 'other-wrong-token\n');
    const fromFile = await run('key', 'list');
    expect(fromFile.err).toContain(`refused the token in ${settings.dataDir}/admin-token`);
    expect(fromFile).toMatchObject({ exit: 1 });
  });

  test('that is another program is recognized', async () => {
    fetch = async () => new Response('<html>hello</html>');
    expect((await run('key', 'list')).err).toContain('does not run this version of Modelgate');
    fetch = async () => Response.json({ detail: 'Not Found' }, { status: 404 });
    expect((await run('key', 'list')).err).toContain('does not run this version of Modelgate');
  });

  test('keeps its token in the data folder, which is read when none is set', async () => {
    settings = { ...settings, adminToken: null };
    expect((await run('key', 'list')).err).toContain(`There is no admin token at`);
    await writeFile(join(settings.dataDir, 'admin-token'), `${ADMIN_TOKEN}\n`);
    expect((await run('key', 'list')).exit).toBe(0);
  });
});

test('says why the store failed, and throws on a bug', async () => {
  const errors: string[] = [];
  const io = { stdout: () => {}, stderr: (text: string) => void errors.push(text) };
  const never = async () => 0;
  const deps = (thrown: Error): CliDeps => ({
    ...{ clock: room.clock, version: '1', fetch },
    settings: () => Promise.reject(thrown),
    ...{ serve: never, check: never, doctor: never, migrate: never, restore: never },
  });
  expect(await runCli(['key', 'list'], io, deps(unavailable('full')))).toBe(1);
  expect(errors).toEqual(['modelgate: the store is unavailable: full\n']);
  await expect(runCli(['key', 'list'], io, deps(new RangeError('bug')))).rejects.toThrow('bug');
});

test('creates a key with limits, then updates, shows and rotates it', async () => {
  await run('account', 'create', 'Acme');
  const key = await json(
    'key',
    'create',
    'limited',
    '--limit-day',
    '5',
    '--rpm',
    '60',
    '--ip',
    '10.0.0.0/8',
  );
  await run('key', 'update', key.id, '--rpm', 'none', '--concurrency', '3', '--name', 'renamed');
  const shown = await run('key', 'show', key.id);
  expect(shown.out).toContain('renamed');
  expect(shown.out).toContain('concurrency: 3');
  expect(shown.out).toContain('ip_ranges: 10.0.0.0/8');
  expect(shown.out).not.toContain('requests_per_minute');
  const { previous_secret_until: until } = await json('key', 'rotate', key.id);
  expect((await run('key', 'show', key.id)).out).toContain(
    `The previous secret works until ${until}.`,
  );
  const rotated = await json('key', 'rotate', key.id, '--overlap', '0s');
  expect(isWellFormed(rotated.secret)).toBe(true);
  expect([rotated.id, rotated.previous_secret_until]).toEqual([key.id, null]);
  expect((await run('key', 'disable', key.id)).out).toContain('is disabled.');
  expect((await json('key', 'enable', key.id)).status).toBe('active');
  const account = await json(
    'account',
    'update',
    key.account_id,
    '--limit-total',
    '9',
    '--status',
    'suspended',
  );
  expect([account.status, account.limits.spend.total]).toEqual(['suspended', '9.000000000']);
  expect((await run('account', 'show', key.account_id)).out).toContain('suspended');
});

test('shows an account with its wallets, and sets its expiry and exchange', async () => {
  const { id } = await json('account', 'create', 'Acme', '--allow-exchange', 'no');
  await run('account', 'credit', id, '10', 'USD', '--reason', 'r');
  const shown = (await run('account', 'show', id)).out;
  expect(shown).toContain('active, never expires. Each wallet pays only for requests');
  expect(shown).toMatch(/WALLET +BALANCE +HELD +CREDIT LIMIT +AVAILABLE/);
  expect(shown).toMatch(/USD +10\.000000000 +0\.250000000 +0\.000000000 +9\.750000000/);
  const dated = ['--allow-exchange', 'yes', '--expires', '2027-01-31'];
  const changed = await json('account', 'update', id, ...dated);
  expect([changed.allow_exchange, changed.expires_at]).toEqual([true, '2027-01-31T00:00:00.000Z']);
  expect((await json('account', 'update', id, '--expires', 'none')).expires_at).toBeNull();
  const listed = await run('account', 'update', id, '--price-list', 'partners');
  expect(listed.out).toContain('The account pays the prices of the price list partners.');
  const unknown = await run('account', 'update', id, '--price-list', 'partner');
  expect([unknown.exit, unknown.err]).toEqual([1, expect.stringContaining('Use one of partners')]);
  const off = await json('account', 'update', id, '--price-list', 'none');
  expect(off.price_list).toBeNull();
  const typo = await run('account', 'update', id, '--allow-exchange', 'true');
  expect([typo.exit, typo.err]).toEqual([2, 'modelgate: --allow-exchange must be yes or no.\n']);
});

test('refuses an unknown usage group before calling the server', async () => {
  const { exit, err } = await run('usage', '--by', 'model,upstream');
  expect(exit).toBe(2);
  expect(err).toContain(
    '--by cannot group by "upstream", only by day, account, model, key, channel',
  );
});
