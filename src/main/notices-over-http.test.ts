/** Tests incidents and maintenance over HTTP: administrators write, and the public reads. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Visit } from './console.fixture.ts';
import { contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

let gateway: Gateway;
let contract: Awaited<ReturnType<typeof contractOf>>;
beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  contract = await contractOf(gateway);
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

async function send(route: string, body: object | null = null, headers = {}) {
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const answer = await new Visit(gateway).send(route, body, { authorization, ...headers });
  const described = route.replace(/ntc_\w+/, '{id}');
  if (answer.status < 300) expect(contract.disagreement(described, answer)).toBeNull();
  return answer;
}

test('an incident is written, corrected, updated, resolved and deleted', async () => {
  const text = 'Some answers take minutes.';
  const written = await send('POST /admin/v1/notices', {
    ...{ kind: 'incident', title: ' Slow\nanswers ', text },
    affects: [{ model: 'gen-v4-pro' }, { channel: 'direct' }, { model: 'gen-v4-pro' }],
  });
  expect(written.status).toBe(201);
  const { id, etag, affects } = written.body;
  expect(affects).toMatchObject([
    { model: 'gen-v4-pro', channel: null },
    { model: null, name: null, channel: 'direct' },
  ]);
  expect((await send('GET /status.json')).body).toMatchObject({
    status: 'degraded',
    notices: [{ id, title: 'Slow answers', state: 'investigating' }],
  });
  const edit = { affects: [], text: 'Sorry.' };
  const edited = await send(`PATCH /admin/v1/notices/${id}`, edit, { 'if-match': etag });
  expect(edited.body).toMatchObject({ affects: [], updates: [{ text: 'Sorry.' }] });
  const stale = await send(`PATCH /admin/v1/notices/${id}`, edit, { 'if-match': etag });
  expect([stale.status, stale.body.error.code]).toEqual([412, 'revision_changed']);
  const end = { text: 'Fixed.', state: 'resolved' };
  expect((await send(`POST /admin/v1/notices/${id}/updates`, end)).body.state).toBe('resolved');
  expect((await send('GET /status.json')).body).toMatchObject({ status: 'unknown', notices: [] });
  expect((await send('GET /status/history.json')).body.notices).toMatchObject([
    { id, updates: [{ text: 'Fixed.' }, { text: 'Sorry.' }] },
  ]);
  expect((await send('GET /admin/v1/notices')).body.data).toHaveLength(1);
  expect((await send(`GET /admin/v1/notices/${id}`)).body.etag).not.toBe(etag);
  expect((await send(`DELETE /admin/v1/notices/${id}`)).status).toBe(200);
  expect((await send(`GET /admin/v1/notices/${id}`)).status).toBe(404);
});

test('says which field is wrong', async () => {
  const notice = { kind: 'incident', title: 'x', text: 'x' };
  const refusals = [
    [{ ...notice, text: ' ' }, 'text'],
    [{ ...notice, title: 'x'.repeat(121) }, 'title'],
    [{ ...notice, state: 'completed' }, 'state'],
    [{ ...notice, affects: [{}] }, 'affects.0'],
    [{ ...notice, affects: [{ model: 'none' }] }, 'affects'],
    [{ ...notice, starts_at: '2027' }, 'starts_at'],
    [{ ...notice, kind: 'maintenance' }, 'ends_at'],
  ] as const;
  for (const [body, param] of refusals) {
    const { status, body: answer } = await send('POST /admin/v1/notices', body);
    expect([answer.error.param, status < 500]).toEqual([param, true]);
  }
});
