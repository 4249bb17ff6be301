/**
 * Tests that nodes on one PostgreSQL database charge the same price, even if their configurations
 * differ.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { eventually } from './support/eventually.ts';
import { type GatewayNodes, startNode, startNodes } from './support/gateways/gateway-nodes.ts';
import { type GatewayProcess, shippedConfig } from './support/gateways/gateway-process.ts';
import { breaches } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { ask, CHAT, get, hello, IMAGES } from './support/wire.ts';

const OURS = shippedConfig();
const CHEAP = shippedConfig({
  'price: { input: "5.00", output: "25.00", cache_read: "0.50", cache_write: "6.25" }':
    'price: { input: "0.05", output: "0.25", cache_read: "0.01", cache_write: "0.07" }',
});
const LIMIT_MS = 180_000;

const started = new AsyncDisposableStack();
let fleet: GatewayNodes;
let wrong: GatewayProcess;
beforeAll(async () => {
  fleet = started.use(await startNodes(2, { config: OURS }));
  wrong = started.use(
    await startNode(fleet.database, { config: CHEAP, env: { MODELGATE_NODE_NAME: 'wrong' } }),
  );
}, LIMIT_MS);
afterAll(() => started.disposeAsync());

/**
 * Sends a request to a node with the key of the first node. The key is valid on every node, because
 * the nodes share one database.
 */
const chatAt = ({ url }: GatewayProcess) =>
  ask({ url, key: fleet.nodes[0]?.key ?? '' }, CHAT, hello.chat);
const statusesOf = async (nodes: readonly GatewayProcess[]) =>
  (await Promise.all(nodes.map(chatAt))).map(({ status }) => status);

test(
  'a node with other prices refuses to sell, and every node reports it',
  async () => {
    const key = fleet.nodes[0]?.key ?? '';
    const refused = await chatAt(wrong);
    expect([refused.status, refused.at('error.code')]).toEqual([503, 'config_mismatch']);
    expect(refused.headers.get('retry-after')).toBe('1');
    const image = await ask({ url: wrong.url, key }, IMAGES, hello.image);
    expect([image.status, image.at('error.code')]).toEqual([503, 'config_mismatch']);
    expect(refused.text).not.toContain('wrong');
    expect(await statusesOf(fleet.nodes)).toEqual([200, 200]);
    for (const node of fleet.nodes) {
      await eventually('the log names the node', node.stderr, (log) =>
        /"others":\["wrong"\].*refuse requests/.test(log),
      );
    }
    expect(wrong.stderr()).toContain('this node refuses requests');
    const [one] = fleet.nodes;
    if (one !== undefined) {
      expect(await metricsText(one)).toContain('\nmodelgate_nodes_with_other_prices 1\n');
    }
    expect((await get({ url: wrong.url, key }, '/readyz')).status).toBe(200);
  },
  LIMIT_MS,
);

test(
  'new prices sell once most nodes have them, and the last node follows',
  async () => {
    const [one, two] = fleet.nodes;
    if (one === undefined || two === undefined) throw new Error('two nodes');
    writeFileSync(two.configPath, CHEAP);
    const sold = (nodes: readonly GatewayProcess[], statuses: readonly number[]) =>
      eventually(
        `the nodes answer ${statuses}`,
        () => statusesOf(nodes),
        (seen) => String(seen) === String(statuses),
      );
    await sold([one, two, wrong], [503, 200, 200]);
    writeFileSync(one.configPath, CHEAP);
    await sold([one, two, wrong], [200, 200, 200]);
    const cards = await Promise.all([one, two, wrong].map(chatAt));
    expect(new Set(cards.map(({ headers }) => headers.get('x-price-card'))).size).toBe(1);
    expect(await breaches(one)).toEqual([]);
  },
  LIMIT_MS,
);
