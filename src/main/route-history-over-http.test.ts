/** Tests the history of routes over HTTP. A request must count for the route that answered it. */
import { afterAll, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Visit } from './console.fixture.ts';
import { contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { openGateway } from './gateway.ts';

const TODAY = '2026-11-23';
/** The clock stands still, because the history is asked for one day. */
const clock = { ...systemClock, nowMs: () => Date.parse(`${TODAY}T12:00:00Z`) };

afterAll(removeFolders);

test('a request counts for its route, also after a restart', async () => {
  const folder = newFolder();
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  const open = () => openGateway({ ...depsOn({ path: null, env }), clock });
  const first = await open();
  const key = first.firstStart?.key.reveal() ?? '';
  const body = { model: 'gen-opus-4-8', messages: [{ role: 'user', content: 'Hi' }] };
  const headers = { authorization: `Bearer ${key}` };
  const answer = await new Visit(first).send('POST /v1/chat/completions', body, headers);
  expect(answer.status).toBe(200);
  await first.close();

  const gateway = await open();
  const contract = await contractOf(gateway);
  const ask = async (query: string) => {
    const route = `GET /admin/v1/routes/history?${query}`;
    const asAdmin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const found = await new Visit(gateway).send(route, null, asAdmin);
    if (found.status === 200) expect(contract.disagreement(route, found)).toBeNull();
    return found;
  };
  const { body: hours } = await ask(`upstream=builtin&from=${TODAY}`);
  expect(hours).toMatchObject({ by: 'hour', model: null, total: { successes: 1 } });
  expect(hours.points).toHaveLength(1);
  expect(hours.total.duration_ms.p50).toBeGreaterThan(0);
  const { body: days } = await ask('upstream=builtin&model=gen-opus-4-8');
  expect(days).toMatchObject({ by: 'day', total: { successes: 1, success_rate: 1 } });
  expect((await ask('upstream=other')).body.points).toEqual([]);
  expect((await ask('model=x')).body.error.param).toBe('upstream');
  await gateway.close();
});
