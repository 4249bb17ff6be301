/**
 * Tests over HTTP that a person with several accounts sees and changes only the selected account.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { tokenOf } from '../people/people.fixture.ts';
import { joined, type Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

let gateway: Gateway;
let contract: Contract;
let bea: Visit;
let eve: Visit;
/** The id of Bea's main account. */
let main: string;
/** The id of Eve's account, which Bea joins. */
let further: string;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  contract = await contractOf(gateway);
  bea = await joined(gateway, 'owner', 'bea@example.com');
  eve = await joined(gateway, 'owner', 'eve@example.com', { account_name: 'Eve Ltd' });
  main = (await session(bea)).person.account.id;
  further = (await session(eve)).person.account.id;
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

async function ask(visit: Visit, route: string, body: object | null = null, headers = {}) {
  const answer = await visit.send(route, body, headers);
  expect(contract.disagreement(route, answer)).toBeNull();
  return answer;
}
/** Sends a playground request in the account of the person's session. */
async function play(visit = bea): Promise<void> {
  const chat = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Hi.' }] };
  await visit.send('POST /console/api/chat/completions', { ...chat, stream: false });
}
/**
 * Returns a person's playground keys as a map from account id to the key's status.
 * @param id the id of the person.
 */
async function playgroundKeys(id: string): Promise<Record<string, string>> {
  const { data } = (await ask(eve, `GET /admin/v1/keys?created_by=${id}`, null, ADMIN)).body;
  const keys = data.filter(({ purpose }: { purpose: string }) => purpose === 'playground');
  return Object.fromEntries(
    keys.map((key: { account_id: string; status: string }) => [key.account_id, key.status]),
  );
}
const session = async (visit: Visit) => (await ask(visit, 'GET /console/api/session')).body;
const choose = (account_id: string) =>
  ask(bea, 'POST /console/api/session/account', { account_id });
const keyNames = async (visit: Visit) =>
  (await ask(visit, 'GET /console/api/keys')).body.data.map(({ name }: { name: string }) => name);

async function join(role: string): Promise<void> {
  const invitation = await ask(eve, 'POST /console/api/invitations', { role });
  const token = tokenOf(invitation.body.url);
  const { status, body } = await ask(bea, 'POST /console/api/invitations/accept', { token });
  expect([status, body]).toEqual([200, { id: further, name: 'Eve Ltd', role }]);
}

test('a person joins a second account, and acts in one at a time with the role there', async () => {
  expect((await session(bea)).accounts).toEqual([{ id: main, name: 'default', role: 'owner' }]);
  await join('member');
  const { person, accounts } = await session(bea);
  expect(person).toMatchObject({ role: 'member', account: { id: further, name: 'Eve Ltd' } });
  expect(accounts).toEqual([
    { id: main, name: 'default', role: 'owner' },
    { id: further, name: 'Eve Ltd', role: 'member' },
  ]);
  await ask(bea, 'POST /console/api/keys', { name: 'of Bea' });
  expect(await keyNames(eve)).toEqual(['of Bea']);
  expect((await bea.send('GET /console/api/members')).status).toBe(403);
  const renamed = await ask(bea, 'PATCH /console/api/profile', { name: 'Bea B.' });
  expect(renamed.body).toMatchObject({ name: 'Bea B.', role: 'member', account: { id: further } });

  expect((await choose(main)).body).toEqual({ id: main, name: 'default', role: 'owner' });
  expect(await keyNames(bea)).not.toContain('of Bea');
  expect((await ask(bea, 'GET /console/api/members')).status).toBe(200);
  const missing = await choose('acc_of_nobody');
  expect([missing.status, missing.body.error.code]).toEqual([404, 'not_found']);
});

test('a tab with another account changes nothing', async () => {
  await choose(main);
  const shown = { 'x-account': further };
  const stale = await ask(bea, 'POST /console/api/keys', { name: 'of a stale tab' }, shown);
  expect([stale.status, stale.body.error.code]).toEqual([409, 'other_account']);
  await choose(further);
  await ask(bea, 'POST /console/api/keys', { name: 'of a new tab' }, shown);
  await play();
  expect(await keyNames(eve)).toContain('of a new tab');
  expect(await keyNames(eve)).not.toContain('of a stale tab');
});

test('a removed membership ends at once, and the main account stays', async () => {
  await choose(further);
  const { id } = (await session(bea)).person;
  await choose(main);
  await play();
  await choose(further);
  expect(await playgroundKeys(id)).toEqual({ [further]: 'active', [main]: 'active' });
  const members = (await ask(eve, 'GET /console/api/members?search=bea')).body.data;
  const shown = { id, role: 'member', account: { id: further }, other_accounts: null };
  expect(members).toMatchObject([shown]);
  const reset = await ask(eve, `POST /console/api/members/${id}/reset-link`);
  expect([reset.status, reset.body.error.code]).toEqual([403, 'not_allowed']);
  const removed = await ask(eve, `DELETE /console/api/members/${id}?keys=disable`);
  expect(removed.body.keys.map(({ status }: { status: string }) => status)).toEqual([
    'disabled',
    'disabled',
  ]);
  expect(await playgroundKeys(id)).toEqual({ [further]: 'revoked', [main]: 'active' });
  const { person, accounts } = await session(bea);
  expect(person).toMatchObject({ role: 'owner', account: { id: main } });
  expect(accounts).toHaveLength(1);
  const stale = await ask(bea, 'GET /console/api/keys', null, { 'x-account': further });
  expect(stale.body.error.code).toBe('other_account');
});

test('a person leaves an account, with the keys that they made there', async () => {
  await join('member');
  await ask(bea, 'POST /console/api/keys', { name: 'left behind' });
  const leave = (id: string) => ask(bea, `DELETE /console/api/profile/accounts/${id}?keys=disable`);
  expect((await leave('acc_of_nobody')).body.error.code).toBe('not_found');
  const { status, body } = await leave(further);
  expect([status, body.id]).toEqual([200, further]);
  const found = body.keys.find(({ name }: { name: string }) => name === 'left behind');
  expect(found.status).toBe('disabled');
  const { person, accounts } = await session(bea);
  expect([person.account.id, accounts.length]).toEqual([main, 1]);
  const only = await leave(main);
  expect([only.status, only.body.error.code]).toEqual([409, 'conflict']);
});

test('administrators change a person in the account that they name', async () => {
  await join('member');
  const { id } = (await session(bea)).person;
  const there = `/admin/v1/people/${id}?account_id=${further}`;
  const found = await ask(eve, `GET /admin/v1/people?account_id=${further}`, null, ADMIN);
  expect(found.body.data.map(({ email }: { email: string }) => email)).toEqual([
    'bea@example.com',
    'eve@example.com',
  ]);
  const changed = await ask(eve, `PATCH ${there}`, { role: 'read_only' }, ADMIN);
  expect(changed.body).toMatchObject({ role: 'read_only', account: { id: further } });
  expect(changed.body.other_accounts).toBe(1);
  const elsewhere = async () => (await ask(eve, `GET /admin/v1/people/${id}`, null, ADMIN)).body;
  expect(await elsewhere()).toMatchObject({
    ...{ role: 'owner', account: { id: main }, other_accounts: 1 },
  });
  const misspelled = `/admin/v1/people/${id}?acount_id=${further}`;
  for (const [route, body] of [
    [`PATCH ${misspelled}`, { role: 'owner' }],
    [`PUT ${misspelled.replace('?', '/limits?')}`, { limits: { spend: { day: '5' } } }],
    [`POST ${misspelled.replace('?', '/reset-link?')}`, null],
    [`GET ${misspelled}`, null],
  ] as const) {
    const refused = await ask(eve, route, body, ADMIN);
    expect([route, refused.status, refused.body.error?.param]).toEqual([route, 400, 'acount_id']);
  }
  expect((await ask(eve, `DELETE ${there}`, null, ADMIN)).status).toBe(200);
  expect((await elsewhere()).other_accounts).toBe(0);
  expect((await ask(eve, `GET ${there}`, null, ADMIN)).status).toBe(404);
  expect((await session(bea)).person.account.id).toBe(main);
});

test('an administrator who deletes a person ends their keys in all accounts', async () => {
  await join('member');
  const { id } = (await session(bea)).person;
  await play();
  await ask(bea, 'POST /console/api/keys', { name: 'of a further account' });
  expect(await playgroundKeys(id)).toEqual({ [further]: 'active', [main]: 'active' });
  await ask(eve, `PATCH /admin/v1/people/${id}`, { role: 'member' }, ADMIN);
  // The first call stands for one that failed before it had disabled the keys.
  const kept = await ask(eve, `DELETE /admin/v1/people/${id}`, null, ADMIN);
  expect(kept.body.keys.some(({ status }: { status: string }) => status === 'active')).toBe(true);
  expect((await ask(eve, `DELETE /admin/v1/people/${id}`, null, ADMIN)).status).toBe(404);
  const gone = await ask(eve, `DELETE /admin/v1/people/${id}?keys=disable`, null, ADMIN);
  const found = gone.body.keys.find(({ name }: { name: string }) => name.includes('further'));
  expect([gone.status, found?.status]).toEqual([200, 'disabled']);
  expect(await playgroundKeys(id)).toEqual({ [further]: 'revoked', [main]: 'revoked' });
});

test('a person who is moved to another account leaves no playground key behind', async () => {
  const cid = await joined(gateway, 'member', 'cid@example.com');
  const { id } = (await session(cid)).person;
  await play(cid);
  expect(await playgroundKeys(id)).toEqual({ [main]: 'active' });
  const change = { account_id: further };
  const moved = await ask(eve, `PATCH /admin/v1/people/${id}`, change, ADMIN);
  expect([moved.status, moved.body.account.id]).toEqual([200, further]);
  expect(await playgroundKeys(id)).toEqual({ [main]: 'revoked' });
});
