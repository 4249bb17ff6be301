/** Tests the commands for people with the real HTTP edge and a real store. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Secret } from '../config/secret.ts';
import { adminPeopleRoutes } from '../http/admin/admin-people-routes.ts';
import { edgeOf } from '../http/edge/edge.fixture.ts';
import { furnish } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { PASSWORD, type PeopleRoom, roomOf, tokenOf } from '../people/people.fixture.ts';
import { runCli } from './cli.ts';

let database: Database;
let room: PeopleRoom;

beforeAll(async () => {
  database = await openFile(newFile());
  await furnish(database);
  room = roomOf(database);
});
afterAll(async () => {
  await database.close();
  removeFiles();
});

/**
 * Throws if a route uses API keys. Only the route that removes a person uses them, and no test in
 * this file calls it.
 */
const NO_KEYS = {
  keysOf: () => {
    throw new Error('no keys are expected');
  },
};

async function run(...argv: string[]) {
  const written = { out: '', err: '' };
  const io = {
    stdout: (text: string) => {
      written.out += text;
    },
    stderr: (text: string) => {
      written.err += text;
    },
  };
  const edge = edgeOf(adminPeopleRoutes({ ...room, accounts: NO_KEYS }));
  const notHere = () => Promise.reject(new Error('not a command of these tests'));
  const exit = await runCli(argv, io, {
    clock: room.clock,
    version: '1.2.3',
    fetch: async (request) => await edge.fetch(request),
    settings: async () => ({
      baseUrl: 'http://gateway',
      dataDir: '',
      adminToken: new Secret('admin'),
    }),
    serve: notHere,
    check: notHere,
    doctor: notHere,
    migrate: notHere,
    restore: notHere,
  });
  return { exit, ...written };
}

test('people setup-link prints a link while there is no administrator', async () => {
  const { exit, out } = await run('people', 'setup-link');
  expect([exit, out]).toEqual([0, expect.stringContaining('http://gateway/console/setup#token=')]);
  const [url = ''] = out.split('\n');
  const ada = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };
  await room.signUp.setUp(tokenOf(url), ada);
  const refused = await run('people', 'setup-link');
  expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('reset-link')]);
});

test('people list filters by account and email', async () => {
  await room.join('bob@example.com', 'member', 'bob');
  const { out } = await run('people', 'list');
  expect(out).toMatch(/ada@example\.com +Ada +administrator +alice +no +no session/);
  expect(out).toContain('bob@example.com');
  expect((await run('people', 'list', '--account', 'bob')).out).not.toContain('ada@example.com');
  const { out: json } = await run('people', 'list', '--email', 'BOB@example.com', '--json');
  expect(JSON.parse(json).data).toMatchObject([{ email: 'bob@example.com', role: 'member' }]);
});

test('people reset-link prints a link, and clears the authenticator on request', async () => {
  const browser = await room.browserOf('bob@example.com');
  const { person } = (await room.sessions.of(browser.cookie)) ?? { person: null };
  if (person === null) throw new Error('nobody is signed in');
  await database.sql.query({
    sql: 'UPDATE person SET totp_enabled = 1 WHERE id = $1',
    params: [person.id],
  });
  await run('people', 'reset-link', 'bob@example.com');
  expect((await room.people.get(person.id)).totpEnabled).toBe(true);
  const { exit, out } = await run('people', 'reset-link', 'Bob@example.com', '--clear-totp');
  expect(exit).toBe(0);
  const [url = ''] = out.split('\n');
  expect(await room.credentials.resetPassword(tokenOf(url), 'seven green lanterns')).toBe(
    'bob@example.com',
  );
  expect((await room.people.get(person.id)).totpEnabled).toBe(false);
  const nobody = await run('people', 'reset-link', 'nobody@example.com');
  expect([nobody.exit, nobody.err]).toEqual([1, expect.stringContaining('people list')]);
});

test('people limit sets what a person may spend, and shows it', async () => {
  const [{ id = '' } = {}] = (
    await room.people.list({ accountId: null, email: 'bob@example.com' }, { limit: 1, after: null })
  ).items;
  const none = await run('people', 'limit', 'bob@example.com');
  expect([none.exit, none.out]).toEqual([
    0,
    expect.stringMatching(/month +0\.0+ +none +unlimited/),
  ]);
  const options = ['--limit-month', '50', '--limit-day', '5'];
  const { exit, out } = await run('people', 'limit', 'Bob@example.com', ...options);
  expect([exit, out]).toEqual([0, expect.stringContaining(`${id} (bob)`)]);
  expect(out).toMatch(/month +0\.0+ +50\.0+ +50\.0+/);
  const by = await run('people', 'limit', id, '--account', 'bob', '--limit-day', 'none', '--json');
  expect(JSON.parse(by.out).limits.spend).toEqual({ day: null, week: null, month: '50.000000000' });
  const wrong = await run('people', 'limit', id, '--limit-month', '5 USD');
  expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining('--limit-month must be')]);
  const elsewhere = await run('people', 'limit', id, '--account', 'alice');
  expect([elsewhere.exit, elsewhere.err]).toEqual([1, expect.stringContaining('no person')]);
});
