/**
 * Tests that several nodes on one PostgreSQL database share one configuration, and that any node
 * can change it.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { systemClock } from '../src/clock.ts';
import { eventually } from './support/eventually.ts';
import { type GatewayNodes, startNode, startNodes } from './support/gateways/gateway-nodes.ts';
import { type GatewayProcess, shippedConfig } from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { ask, CHAT, get } from './support/wire.ts';

setDefaultTimeout(180_000);

const CONFIG = shippedConfig().replace(/^config: file/m, 'config: database');

const started = new AsyncDisposableStack();
let fleet: GatewayNodes;
beforeAll(async () => {
  fleet = started.use(await startNodes(3, { config: CONFIG }));
});
afterAll(() => started.disposeAsync());

type Json = Awaited<ReturnType<Response['json']>>;

async function send(node: GatewayProcess, route: string, body?: object, revision?: number) {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(`${node.url}/admin/v1/config${path}`, {
    method,
    headers: {
      authorization: `Bearer ${node.adminToken}`,
      'content-type': 'application/json',
      ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: Json = await response.json();
  return { status: response.status, body: answer };
}

const nodeAt = (at: number): GatewayProcess => {
  const node = fleet.nodes[at];
  if (node === undefined) throw new Error(`no node ${at}`);
  return node;
};
const newest = async (node: GatewayProcess): Promise<number> =>
  (await send(node, 'GET ')).body.revision;
const running = async (node: GatewayProcess): Promise<number> =>
  (await send(node, 'GET ')).body.running_revision;

const statusOf = async (node: GatewayProcess, model: string): Promise<number> => {
  const key = nodeAt(0).key;
  const body = { model, stream: false, messages: [{ role: 'user', content: 'Hello' }] };
  return (await ask({ url: node.url, key }, CHAT, body)).status;
};

/** Returns the settings of `gen-v4-flash` with this input price, for a new model. */
async function modelWith(input: string): Promise<object> {
  const { body } = await send(nodeAt(0), 'GET /models/gen-v4-flash');
  const { channels, ...model } = body.value;
  const { price, ...direct } = channels.direct;
  return { ...model, channels: { direct: { ...direct, price: { ...price, input } } } };
}

test('a model that is added on one node sells on all, at one price', async () => {
  const [first, second] = [nodeAt(0), nodeAt(1)];
  expect(await Promise.all(fleet.nodes.map((node) => statusOf(node, 'new-1')))).toEqual([
    404, 404, 404,
  ]);
  const made = await send(second, 'PUT /models/new-1', { value: await modelWith('0.35') }, 1);
  expect(made).toMatchObject({ status: 200, body: { revision: 2, in_force: true } });
  expect(await statusOf(second, 'new-1')).toBe(200);
  for (const node of fleet.nodes) {
    await eventually(
      'the node sells it',
      () => statusOf(node, 'new-1'),
      (it) => it === 200,
    );
  }
  // A node may use a new revision before it reports the revision, so the test waits.
  await eventually(
    'each node reports the revision',
    async () => (await send(first, 'GET /nodes')).body.data,
    (data: readonly { revision: number }[]) => data.every(({ revision }) => revision === 2),
  );
  expect(await metricsText(first)).toContain('\nmodelgate_config_revision 2\n');
});

test('changes of a price under load refuse no request', async () => {
  const results: number[] = [];
  let isLoaded = true;
  const load = fleet.nodes.map(async (node) => {
    while (isLoaded) results.push(await statusOf(node, 'new-1'));
  });
  for (const input of ['0.40', '0.45', '0.50']) {
    const base = await newest(nodeAt(2));
    const patch = { value: { channels: { direct: { price: { input } } } } };
    const made = await send(nodeAt(2), 'PATCH /models/new-1', patch, base);
    expect(made.status).toBe(200);
    for (const node of fleet.nodes) {
      await eventually(
        'the node follows',
        () => running(node),
        (it) => it === base + 1,
      );
    }
  }
  isLoaded = false;
  await Promise.all(load);
  expect(new Set(results)).toEqual(new Set([200]));
  expect(await breaches(nodeAt(0))).toEqual([]);
});

test('of changes on all nodes at once, one is made', async () => {
  const base = await newest(nodeAt(0));
  const answers = await Promise.all(
    fleet.nodes.map((node, at) =>
      send(node, 'PATCH /settings/health', { value: { probe_after: `${at + 40}s` } }, base),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  expect(await newest(nodeAt(0))).toBe(base + 1);
});

test('a node that was stopped or killed meanwhile comes back with the newest revision', async () => {
  const [first, , third] = [nodeAt(0), nodeAt(1), nodeAt(2)];
  const seen: number[] = [];
  third.signal('SIGSTOP');
  let base = await newest(first);
  for (const drain of ['31s', '32s', '33s']) {
    const made = await send(first, 'PATCH /settings/limits', { value: { drain } }, base);
    base = made.body.revision;
  }
  await using killed = await startNode(fleet.database, { config: CONFIG });
  const patch = { value: { probe_after: '59s' } };
  const lost = send(killed, 'PATCH /settings/health', patch, base).catch(() => null);
  await killed.kill9();
  await lost;
  // The interrupted change was either stored together with its audit entry, or not stored at all.
  base = await newest(first);
  expect(await auditedChanges(first)).toBe(base);
  third.signal('SIGCONT');
  const untilMs = systemClock.monotonicMs() + 60_000;
  for (let at = 0; at !== base && systemClock.monotonicMs() < untilMs; ) {
    at = await running(third);
    seen.push(at);
  }
  expect(seen.at(-1)).toBe(base);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  await using back = await startNode(fleet.database, { config: shippedConfigInDatabase() });
  expect(await running(back)).toBe(base);
  expect(await statusOf(back, 'new-1')).toBe(200);
});

test('nodes sell on after a failover that lost the newest prices, and follow the next ones', async () => {
  const [first, , third] = [nodeAt(0), nodeAt(1), nodeAt(2)];
  const priced = (input: string) => ({ value: { channels: { direct: { price: { input } } } } });
  const base = await newest(first);
  await send(first, 'PATCH /models/new-1', priced('0.60'), base);
  for (const node of fleet.nodes) {
    await eventually(
      'the node follows',
      () => running(node),
      (it) => it === base + 1,
    );
  }
  const sql = postgres(fleet.database, { max: 1 });
  // These are the rows of the change: its card, its revision and their entries in the audit log.
  await sql.unsafe(`DELETE FROM config_revision WHERE revision = ${base + 1};
    DELETE FROM card WHERE id = (SELECT subject FROM audit WHERE action = 'card.publish'
      ORDER BY id DESC LIMIT 1);
    DELETE FROM audit WHERE id > (SELECT MAX(id) - 2 FROM audit)`);
  await sql.end();
  for (const node of fleet.nodes) {
    await eventually(
      'the node sells',
      () => statusOf(node, 'new-1'),
      (it) => it === 200,
    );
  }
  const made = await send(third, 'PATCH /models/new-1', priced('0.70'), base);
  expect(made).toMatchObject({ status: 200, body: { revision: base + 1, in_force: true } });
  const priceAt = async (node: GatewayProcess) =>
    (await get(node, '/v1/models/new-1')).text.includes('"0.70"');
  for (const node of fleet.nodes)
    await eventually('its price is in force', () => priceAt(node), Boolean);
  expect(await breaches(first)).toEqual([]);
});

async function auditedChanges(node: GatewayProcess): Promise<number> {
  const response = await fetch(`${node.url}/admin/v1/audit?action=config.change&limit=100`, {
    headers: { authorization: `Bearer ${node.adminToken}` },
  });
  const { data }: Json = await response.json();
  return data.length;
}

/**
 * Returns the shipped configuration file with another price. This price must have no effect,
 * because nodes ignore the file once the database has a revision.
 */
const shippedConfigInDatabase = (): string =>
  CONFIG.replace(
    'input: "5.00", output: "25.00", cache_read',
    'input: "4.00", output: "25.00", cache_read',
  );
