/** For tests: gateway processes that share one PostgreSQL. */
import { newTestDatabase } from '../src/ledger/postgres.fixture.ts';
import { type GatewayOptions, type GatewayProcess, startGateway } from './gateway-process.ts';

export type GatewayNodes = {
  /** The address of their database. */
  readonly database: string;
  readonly nodes: readonly GatewayProcess[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** A gateway on the database at this address. */
export const startNode = (
  database: string,
  options: GatewayOptions = {},
): Promise<GatewayProcess> =>
  startGateway({ ...options, env: { ...options.env, MODELGATE_DATABASE: database } });

/** The first is there before the others start: it makes the first account. */
export async function startNodes(
  count: number,
  options: GatewayOptions = {},
  database?: string,
): Promise<GatewayNodes> {
  const address = database ?? (await newTestDatabase());
  const first = await startNode(address, options);
  const others = Array.from({ length: count - 1 }, () => startNode(address, options));
  const nodes = [first, ...(await Promise.all(others))];
  return {
    database: address,
    nodes,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    },
  };
}
