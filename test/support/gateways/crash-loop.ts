/**
 * For tests: servers under load are killed, and stopped for a while, at moments that chance draws; whatever
 * their clients saw, the books must agree with it.
 */

import { between, chanceOf, oneOf, shuffled } from '../random.ts';
import { eventually } from '../eventually.ts';
import { admin, breaches, nanoOf } from '../history/ledger-views.ts';
import { type Books, type Fault, faultsOf, orderFaults } from '../history/history.ts';
import { type Load, mixedClients, startLoad, tally } from '../history/history-load.ts';
import { at, listAt } from '../wire.ts';
import type { GatewayProcess } from './gateway-process.ts';

/** Requests that end between two blows, so that each falls into the load however fast the machine is. */
const ENDED_BETWEEN = [15, 50] as const;
/** And then a moment more, which may be in the middle of anything. */
const MOMENT_MS = [0, 120] as const;
/** A lease, the beats after which the reaper comes, and a machine with other work. */
const RESOLVED_WITHIN_MS = 40_000;
const LOAD_WITHIN_MS = 30_000;

export type CrashPlan = {
  readonly seed: number;
  /** Servers at a time. */
  readonly nodes: number;
  readonly kills: number;
  readonly stops: number;
  /** How long a server stands still. */
  readonly stopMs: number;
  /** Starts the n-th server on the same store; called again when it was killed. */
  readonly start: (node: number) => Promise<GatewayProcess>;
  /** What is in the store once its last server has ended. */
  readonly books: () => Promise<Books>;
};

export type CrashReport = {
  readonly faults: readonly Fault[];
  readonly tally: Readonly<Record<string, number>>;
  /** Corrections of what the reaper had settled. */
  readonly late: number;
  /** What standing still was told of in the logs. */
  readonly newLeases: number;
  readonly holds: number;
};

export async function crashLoop(plan: CrashPlan): Promise<CrashReport> {
  const chance = chanceOf(plan.seed);
  const logs: string[] = [];
  const servers = [await plan.start(0)];
  for (let node = 1; node < plan.nodes; node += 1) servers.push(await plan.start(node));
  const standing = new Map<GatewayProcess, Promise<void>>();
  const load = startLoad({
    seed: plan.seed,
    clients: await mixedClients(firstOf(servers)),
    urls: () => servers.filter((server) => !standing.has(server)).map(({ url }) => url),
  });
  for (const blow of shuffled(chance, blowsOf(plan))) {
    await someLoad(load, between(chance, ...ENDED_BETWEEN));
    await Bun.sleep(between(chance, ...MOMENT_MS));
    const server = oneOf(
      chance,
      servers.filter((each) => !standing.has(each)),
    );
    if (blow === 'stop') {
      const stood = standStill(server, plan.stopMs).then(() => void standing.delete(server));
      // Others go on meanwhile, and may be killed; the last one of all has to be waited for.
      if (servers.length - standing.size > 1) standing.set(server, stood);
      else await stood;
      continue;
    }
    await server.kill9();
    logs.push(server.stderr());
    const node = servers.indexOf(server);
    servers[node] = await plan.start(node);
  }
  await Promise.all(standing.values());
  await someLoad(load, ENDED_BETWEEN[0]);
  await load.stop();
  await nothingHeld(firstOf(servers));
  const found = await breaches(firstOf(servers));
  if (!Array.isArray(found) || found.length > 0) throw new Error(JSON.stringify(found));
  await Promise.all(servers.map((server) => server.stop()));
  logs.push(...servers.map((server) => server.stderr()));
  const books = await plan.books();
  return {
    faults: [...faultsOf(load.history, books), ...orderFaults(load.history, books)],
    tally: tally(load.history),
    late: books.charges.filter(({ kind }) => kind === 'late').length,
    newLeases: logs.join('').split('goes on under a new one').length - 1,
    holds: books.holds.length,
  };
}

const blowsOf = ({ kills, stops }: CrashPlan): readonly ('kill' | 'stop')[] => [
  ...Array.from({ length: kills }, () => 'kill' as const),
  ...Array.from({ length: stops }, () => 'stop' as const),
];

function firstOf(servers: readonly GatewayProcess[]): GatewayProcess {
  const [first] = servers;
  if (first === undefined) throw new Error('no server');
  return first;
}

/** Waits until so many more requests have had an answer of some kind. */
async function someLoad({ history }: Load, count: number): Promise<void> {
  const begun = history.length;
  await eventually(
    'load',
    () => history.slice(begun).filter(({ end }) => end.as !== 'unsent').length,
    (ended) => ended >= count,
    LOAD_WITHIN_MS,
  );
}

async function standStill(server: GatewayProcess, forMs: number): Promise<void> {
  server.signal('SIGSTOP');
  await Bun.sleep(forMs);
  server.signal('SIGCONT');
}

/** Waits until no wallet of any account has anything set aside. */
export async function nothingHeld(
  target: Pick<GatewayProcess, 'url' | 'adminToken'>,
  limitMs: number = RESOLVED_WITHIN_MS,
): Promise<void> {
  const accounts = listAt(JSON.parse((await admin(target, 'GET', '/accounts')).text), 'data');
  const ids = accounts.map((account) => String(at(account, 'id')));
  const held = async (): Promise<bigint> => {
    const wallets = await Promise.all(
      ids.map(async (id) =>
        listAt(JSON.parse((await admin(target, 'GET', `/accounts/${id}`)).text), 'wallets'),
      ),
    );
    return wallets.flat().reduce<bigint>((sum, wallet) => sum + nanoOf(at(wallet, 'held')), 0n);
  };
  await eventually('nothing is held', held, (sum) => sum === 0n, limitMs);
}

/** For a test's log: what a run was made of. */
export const summary = ({ tally: ends, late, newLeases, holds }: CrashReport): string =>
  `${Object.entries(ends)
    .toSorted()
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}; ${holds} holds, ${late} corrected late, ${newLeases} new leases`;
