/**
 * For tests: kills and pauses gateways under load at random moments. Afterwards, the ledger must
 * agree with the answers that the clients received.
 */

import { eventually } from '../eventually.ts';
import { type Fault, faultsOf, type LedgerRecords, orderFaults } from '../history/history.ts';
import { type Load, mixedClients, startLoad, tally } from '../history/history-load.ts';
import { admin, breaches, nanoOf } from '../history/ledger-views.ts';
import { between, oneOf, seededRandom, shuffled } from '../random.ts';
import { at, listAt } from '../wire.ts';
import type { GatewayProcess } from './gateway-process.ts';

/**
 * The minimum and maximum number of requests that end between two disruptions. Counting requests
 * instead of time ensures that the gateways are under load on any machine.
 */
const ENDED_BETWEEN = [15, 50] as const;
/**
 * The minimum and maximum of an additional random delay, so that a disruption may hit any phase of
 * a request.
 */
const MOMENT_MS = [0, 120] as const;
/**
 * The time limit until no hold is pending. Holds of a killed gateway are pending until its lease
 * expires and, some heartbeats later, the reaper runs.
 */
const RESOLVED_WITHIN_MS = 40_000;
const LOAD_WITHIN_MS = 30_000;

export type CrashPlan = {
  readonly seed: number;
  /** The number of gateways that run at the same time. */
  readonly nodes: number;
  readonly kills: number;
  readonly stops: number;
  /** How long a gateway is paused, in ms. */
  readonly stopMs: number;
  /** Starts the n-th gateway on the same store. Called again after the gateway was killed. */
  readonly start: (node: number) => Promise<GatewayProcess>;
  /** Returns the content of the store. Called after all gateways have ended. */
  readonly records: () => Promise<LedgerRecords>;
};

export type CrashReport = {
  readonly faults: readonly Fault[];
  readonly tally: Readonly<Record<string, number>>;
  /** The number of late receipts. Each late receipt corrects a settlement of the reaper. */
  readonly late: number;
  /** The number of logged messages about a lease that was lost during a pause and then replaced. */
  readonly newLeases: number;
  readonly holds: number;
};

export async function crashLoop(plan: CrashPlan): Promise<CrashReport> {
  const random = seededRandom(plan.seed);
  const logs: string[] = [];
  const servers = [await plan.start(0)];
  for (let node = 1; node < plan.nodes; node += 1) servers.push(await plan.start(node));
  const standing = new Map<GatewayProcess, Promise<void>>();
  const load = startLoad({
    seed: plan.seed,
    clients: await mixedClients(firstOf(servers)),
    urls: () => servers.filter((server) => !standing.has(server)).map(({ url }) => url),
  });
  for (const disruption of shuffled(random, disruptionsOf(plan))) {
    await someLoad(load, between(random, ...ENDED_BETWEEN));
    await Bun.sleep(between(random, ...MOMENT_MS));
    const server = oneOf(
      random,
      servers.filter((each) => !standing.has(each)),
    );
    if (disruption === 'stop') {
      const stood = standStill(server, plan.stopMs).then(() => void standing.delete(server));
      // If another gateway is running, the loop continues with that gateway. Otherwise it waits
      // until the paused gateway resumes.
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
  const records = await plan.records();
  return {
    faults: [...faultsOf(load.history, records), ...orderFaults(load.history, records)],
    tally: tally(load.history),
    late: records.charges.filter(({ kind }) => kind === 'late').length,
    newLeases: logs.join('').split('the node has a new lease').length - 1,
    holds: records.holds.length,
  };
}

const disruptionsOf = ({ kills, stops }: CrashPlan): readonly ('kill' | 'stop')[] => [
  ...Array.from({ length: kills }, () => 'kill' as const),
  ...Array.from({ length: stops }, () => 'stop' as const),
];

function firstOf(servers: readonly GatewayProcess[]): GatewayProcess {
  const [first] = servers;
  if (first === undefined) throw new Error('no server');
  return first;
}

/** Waits until `count` more requests have ended, successful or not. */
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

/** Waits until no wallet of any account has money held for requests. */
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

/** Returns a line for the test's log that counts the requests by how they ended. */
export const summary = ({ tally: ends, late, newLeases, holds }: CrashReport): string =>
  `${Object.entries(ends)
    .toSorted()
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}; ${holds} holds, ${late} corrected late, ${newLeases} new leases`;
