/** Tests reports from a PostgreSQL streaming replica that falls behind, dies and comes back. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { MAX_AGE_MS } from '../../src/store/postgres/replica-reads.ts';
import { eventually } from '../support/eventually.ts';
import { nothingHeld } from '../support/gateways/crash-loop.ts';
import { startNode } from '../support/gateways/gateway-nodes.ts';
import { metricsText } from '../support/metrics-text.ts';
import { ask, CHAT, hello, read } from '../support/wire.ts';
import { startArchivedServer } from './archived-server.ts';

setDefaultTimeout(180_000);
const WITHIN_MS = 30_000;

const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

test('reports come from a replica that is close behind, and else from the database itself', async () => {
  const server = started.use(await startArchivedServer());
  const replica = started.use(await server.follow());
  const env = { MODELGATE_DATABASE_REPLICA: replica.url };
  const node = started.use(await startNode(server.url, { env }));
  const sell = async (): Promise<void> => {
    expect((await ask(node, CHAT, hello.chat)).status).toBe(200);
    await nothingHeld(node);
  };
  const report = async () => {
    const headers = { authorization: `Bearer ${node.adminToken}` };
    const response = await fetch(`${node.url}/admin/v1/requests`, { headers });
    const asOf = response.headers.get('x-data-as-of');
    const list = (await read(response)).at('data');
    return { asOf, sold: Array.isArray(list) ? list.length : null };
  };

  const refusals = (count: number) =>
    eventually(
      'the log says so',
      () => node.stderr().split('not its replica').length - 1,
      (said) => said === count,
    );

  await sell();
  const first = await eventually(
    'the replica answers',
    report,
    ({ asOf, sold }) => asOf !== null && sold === 1,
    WITHIN_MS,
  );
  expect(Date.now() - Date.parse(String(first.asOf))).toBeLessThan(MAX_AGE_MS);
  expect(await metricsText(node)).toMatch(/modelgate_report_age_seconds [0-9.]*[1-9]/);

  await replica.ask('SELECT pg_wal_replay_pause()');
  await sell();
  // The replica does not have the second request yet. The report still works, and states until
  // which time its data is complete.
  const behind = await report();
  expect(behind).toMatchObject({ asOf: expect.any(String), sold: 1 });
  await eventually('the database answers', report, ({ asOf }) => asOf === null, WITHIN_MS);
  expect(await report()).toEqual({ asOf: null, sold: 2 });
  await refusals(1);
  await replica.ask('SELECT pg_wal_replay_resume()');
  await eventually('the replica answers again', report, ({ asOf }) => asOf !== null, WITHIN_MS);
  expect((await report()).sold).toBe(2);

  await replica.kill();
  for (let each = 0; each < 5; each++) expect((await report()).sold).toBe(2);
  await eventually('the database answers', report, ({ asOf }) => asOf === null, WITHIN_MS);
  await refusals(2);
});
