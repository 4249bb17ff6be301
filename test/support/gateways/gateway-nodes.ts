/** For tests: gateway processes that share one PostgreSQL database. */
import { newTestDatabase } from '../../../src/ledger/postgres/postgres.fixture.ts';
import { type GatewayOptions, type GatewayProcess, startGateway } from './gateway-process.ts';

export type GatewayNodes = {
  readonly database: string;
  readonly nodes: readonly GatewayProcess[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Starts a gateway on the database at this URL. */
export const startNode = (
  database: string,
  options: GatewayOptions = {},
): Promise<GatewayProcess> =>
  startGateway({ ...options, env: { ...options.env, MODELGATE_DATABASE: database } });

/** Starts several nodes. The first node must start alone, because it creates the first account. */
export async function startNodes(
  count: number,
  options: GatewayOptions = {},
  database?: string,
): Promise<GatewayNodes> {
  const address = database ?? (await newTestDatabase());
  // If one node fails to start, this stack stops all nodes that have started.
  await using started = new AsyncDisposableStack();
  const start = async (): Promise<GatewayProcess> => started.use(await startNode(address, options));
  const first = await start();
  const others = await Promise.all(Array.from({ length: count - 1 }, start));
  const kept = started.move();
  return {
    database: address,
    nodes: [first, ...others],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
