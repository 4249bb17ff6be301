/**
 * Tests two hundred concurrent requests of an account whose money pays for exactly N of them. N
 * requests are answered, and the others are refused.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type GatewayNodes, startNodes } from './support/gateways/gateway-nodes.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { type Client, openClients } from './support/history/history-load.ts';
import { admin, breaches, wallet } from './support/history/ledger-views.ts';
import { type Answer, ask, hello, IMAGES } from './support/wire.ts';

const ASKED = 200;
const SERVED = 20;
/**
 * The price of the smallest image, in nano-USD. A request for this image holds exactly its price.
 */
const PRICE_NANO = 16_000_000n;
const FUNDS = '0.320000000';

const started = new AsyncDisposableStack();
let alone: GatewayProcess;
let shared: GatewayNodes;
beforeAll(async () => {
  alone = started.use(await startGateway());
  shared = started.use(await startNodes(3));
});
afterAll(() => started.disposeAsync());

describe.each([
  ['SQLite', () => [alone]],
  ['PostgreSQL', () => shared.nodes.slice(0, 1)],
  ['three nodes on one PostgreSQL', () => shared.nodes],
] as const)('on %s', (_name, nodesOf) => {
  /** Sends all requests at once, distributed over the nodes. */
  const askAll = async ({ key }: Pick<Client, 'key'>): Promise<readonly Answer[]> => {
    const nodes = nodesOf();
    const asked = Array.from({ length: ASKED }, async (_, index) => {
      const { url } = nodes[index % nodes.length] ?? alone;
      return await ask({ url, key }, IMAGES, hello.image);
    });
    return await Promise.all(asked);
  };
  const first = (): GatewayProcess => nodesOf()[0] ?? alone;
  const opened = async (usd: string): Promise<Client> => {
    const [client] = await openClients(first(), { USD: usd }, 1);
    if (client === undefined) throw new Error('no client');
    return client;
  };
  const expectServed = (answers: readonly Answer[], code: string): void => {
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(SERVED);
    for (const { headers } of served) expect(headers.get('x-cost')).toBe('0.016000000 USD');
    const refused = answers.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(ASKED - SERVED);
    expect(new Set(refused.map(({ at }) => at('error.code')))).toEqual(new Set([code]));
  };

  test('serves exactly as many as the wallet covers, and leaves it at zero', async () => {
    const client = await opened(FUNDS);
    expectServed(await askAll(client), 'insufficient_balance');
    expect(await wallet({ ...first(), ...client })).toEqual({ balance: 0n, held: 0n });
    expect(await breaches(first())).toEqual([]);
  });

  test("serves exactly as many as the key's cap allows, and leaves the rest of the wallet", async () => {
    const client = await opened('10');
    const limits = { spend: { total: FUNDS } };
    const limited = await admin(first(), 'PATCH', `/keys/${client.keyId}`, { limits });
    expect(limited.status).toBe(200);
    expectServed(await askAll(client), 'spend_limit_reached');
    const spent = BigInt(SERVED) * PRICE_NANO;
    const left = { balance: 10_000_000_000n - spent, held: 0n };
    expect(await wallet({ ...first(), ...client })).toEqual(left);
    expect(await breaches(first())).toEqual([]);
  });
});
