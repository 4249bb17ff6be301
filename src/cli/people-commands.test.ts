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

/** No command of these tests removes a person, which lists the keys of that person. */
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
