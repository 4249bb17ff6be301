/** Tests the history of routes over HTTP. A request must count for the route that answered it. */
import { afterAll, expect, test } from 'bun:test';
import { Visit } from './console.fixture.ts';
import { contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';

afterAll(removeFolders);

test('a request counts for its route, also after a restart', async () => {
  const folder = newFolder();
  const first = await openTestGateway(folder);
  const key = first.firstStart?.key.reveal() ?? '';
  const body = { model: 'gen-opus-4-8', messages: [{ role: 'user', content: 'Hi' }] };
  const headers = { authorization: `Bearer ${key}` };
  const answer = await new Visit(first).send('POST /v1/chat/completions', body, headers);
  expect(answer.status).toBe(200);
  await first.close();

  const gateway = await openTestGateway(folder);
  const contract = await contractOf(gateway);
  const ask = async (query: string) => {
    const route = `GET /admin/v1/routes/history?${query}`;
    const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const found = await new Visit(gateway).send(route, null, asAdmin);
    if (found.status === 200) expect(contract.disagreement(route, found)).toBeNull();
    return found;
  };
  const today = new Date().toISOString().slice(0, 10);
  const { body: hours } = await ask(`upstream=builtin&from=${today}`);
  expect(hours).toMatchObject({ by: 'hour', model: null, total: { successes: 1 } });
  expect(hours.points).toHaveLength(1);
  expect(hours.total.duration_ms.p50).toBeGreaterThan(0);
  const { body: days } = await ask('upstream=builtin&model=gen-opus-4-8');
  expect(days).toMatchObject({ by: 'day', total: { successes: 1, success_rate: 1 } });
  expect((await ask('upstream=other')).body.points).toEqual([]);
  expect((await ask('model=x')).body.error.param).toBe('upstream');
  await gateway.close();
});
