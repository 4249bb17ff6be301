/**
 * Tests over HTTP that the playground requests of each person are charged to the person's own
 * playground key.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { joined, type Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);
const CHAT = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Say hello.' }] };

let gateway: Gateway;
let contract: Contract;
let owner: Visit;
let member: Visit;
let reader: Visit;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  contract = await contractOf(gateway);
  owner = await joined(gateway, 'owner');
  member = await joined(gateway, 'member');
  reader = await joined(gateway, 'read_only');
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

/** Sends a request below `/console/api`, and checks the answer against `/openapi.json`. */
async function ask(visit: Visit, route: string, body: object | null = null) {
  const whole = route.replace(' /', ' /console/api/');
  const answer = await visit.send(whole, body);
  expect(contract.disagreement(whole, answer)).toBeNull();
  return answer;
}

/** Sends a playground request, and waits until the request is in the request log. */
async function played(visit: Visit): Promise<string> {
  const answer = await ask(visit, 'POST /chat/completions', { ...CHAT, stream: false });
  expect(answer.status).toBe(200);
  const id = answer.headers.get('x-request-id') ?? '';
  expect((await ask(visit, `GET /requests/${id}`)).status).toBe(200);
  return id;
}

/** Returns the playground keys of a person, oldest first. */
async function playgroundKeys(visit: Visit, of: string) {
  const { data } = (await ask(visit, `GET /keys?created_by=${of}`)).body;
  return data.filter((key: { purpose: string | null }) => key.purpose === 'playground');
}

const personOf = async (visit: Visit) => (await ask(visit, 'GET /session')).body.person;

test('each person has a playground key of their own, created once', async () => {
  const ids = await Promise.all([owner, owner, member].map(played));
  const [boss, mate] = [await personOf(owner), await personOf(member)];
  const own = await playgroundKeys(reader, boss.id);
  expect(own).toHaveLength(1);
  expect(own[0]).toMatchObject({ name: `Playground · ${boss.name}`, status: 'active' });
  const [theirs] = await playgroundKeys(reader, mate.id);
  expect(theirs).toMatchObject({ created_by: mate.id, created_by_name: mate.name });
  const { data } = (await ask(owner, 'GET /requests')).body;
  const keyOf = (id: string) => data.find((each: { id: string }) => each.id === id).key_id;
  expect(ids.map(keyOf)).toEqual([own[0].id, own[0].id, theirs.id]);
  const refused = await ask(reader, 'POST /chat/completions', CHAT);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'not_allowed']);
  await ask(owner, `POST /keys/${own[0].id}/disable`, {});
  const disabled = await ask(owner, 'POST /chat/completions', CHAT);
  expect([disabled.status, disabled.body.error.message]).toEqual([
    401,
    'This API key is disabled. Enable it in the console, or use another key.',
  ]);
  await played(member);
  await ask(owner, `DELETE /keys/${own[0].id}`);
  await played(owner);
  expect(await playgroundKeys(reader, boss.id)).toHaveLength(2);
});

test('a playground key is renamed with its person, unless an owner renamed it', async () => {
  await played(member);
  const { id, name } = await personOf(member);
  const rename = async (to: string) => {
    await ask(member, 'PATCH /profile', { name: to });
    return (await playgroundKeys(reader, id))[0];
  };
  const renamed = await rename('Mia');
  expect(renamed.name).toBe('Playground · Mia');
  await ask(owner, `PATCH /keys/${renamed.id}`, { name: 'Mia plays' });
  expect((await rename(name)).name).toBe('Mia plays');
});
