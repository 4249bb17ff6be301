/**
 * For tests: makes a PostgreSQL cluster lose its primary many times under load. Afterwards, the
 * ledger must agree with the answers that the clients of two gateways received.
 */
import { eventually } from '../eventually.ts';
import { nothingHeld } from '../gateways/crash-loop.ts';
import { type GatewayNodes, startNodes } from '../gateways/gateway-nodes.ts';
import { type Fault, faultsOf, type Invocation } from '../history/history.ts';
import { type Load, mixedClients, startLoad, tally } from '../history/history-load.ts';
import { recordsOfServer } from '../history/ledger-records.ts';
import { breaches } from '../history/ledger-views.ts';
import { between, type Random, seededRandom, shuffled } from '../random.ts';
import { type Cluster, type Server, signalAll } from './patroni.ts';

export const LOSSES = {
  'server killed': (server) => signalAll([server.postmaster()], 'SIGKILL'),
  'machine killed': (server) => signalAll(server.processes(), 'SIGKILL'),
  /**
   * Kills only Patroni. The PostgreSQL server that it managed keeps running as a second primary,
   * which no standby follows.
   */
  'manager killed': (server) => signalAll([server.patroni()], 'SIGKILL'),
  /**
   * Freezes the server. Its connections stay open and silent. When it resumes, it acts as if it
   * were still the primary.
   */
  'machine frozen': (server) => signalAll(server.processes(), 'SIGSTOP'),
} as const satisfies Record<string, (server: Server) => void>;
export type Loss = keyof typeof LOSSES;

/**
 * The number of requests that end before a loss. Counting requests instead of time ensures that the
 * cluster is under load on any machine.
 */
const ENDED_BEFORE = 40;
const MOMENT_MS = [0, 1_000] as const;
const LOAD_WITHIN_MS = 60_000;
/**
 * The time limit for each of two steps. First, Patroni elects another leader, after the old
 * leader's lock has expired. Then a gateway becomes ready again.
 */
const SELLING_WITHIN_MS = 120_000;
/**
 * The time limit for resolving all holds. In this time, the reaper resolves the holds of lost
 * leases, and the nodes write their spooled charges.
 */
const RESOLVED_WITHIN_MS = 60_000;

export type FailOver = {
  readonly loss: Loss;
  /** The time in ms from the loss until Patroni reports another server as the primary. */
  readonly electedMs: number;
  /** The time in ms from the loss until both gateways write to the new primary. */
  readonly tookMs: number;
  /** The longest period in ms without a successful answer. */
  readonly silentMs: number;
};

export type FailOverReport = {
  readonly failOvers: readonly FailOver[];
  readonly faults: readonly Fault[];
  readonly breaches: unknown;
  readonly tally: Readonly<Record<string, number>>;
  readonly exits: readonly number[];
  /**
   * The number of corrections. A correction replaces the charge that the reaper computed for a
   * request of a node that had lost its lease.
   */
  readonly late: number;
};

export async function failOverLoop(
  cluster: Cluster,
  losses: readonly Loss[],
  options: { readonly seed: number; readonly config: string },
): Promise<FailOverReport> {
  const random = seededRandom(options.seed);
  await using fleet = await startNodes(2, { config: options.config }, cluster.url);
  const [first] = fleet.nodes;
  if (first === undefined) throw new Error('no gateway');
  const load = startLoad({
    seed: options.seed,
    clients: await mixedClients(first),
    urls: () => fleet.nodes.map(({ url }) => url),
  });
  const failOvers: FailOver[] = [];
  for (const loss of shuffled(random, losses)) {
    const failOver = await lose(loss, cluster, { fleet, load, random }).catch(async (thrown) => {
      const logs = fleet.nodes.map((node) => node.stderr());
      throw new Error(`${loss}: ${await cluster.state()}\n${logs.join('\n')}`, { cause: thrown });
    });
    console.log(
      `${loss}: another primary after ${failOver.electedMs} ms, gateways write to it after ` +
        `${failOver.tookMs} ms, no success for ${failOver.silentMs} ms`,
    );
    failOvers.push(failOver);
  }
  await someLoad(load);
  const history = await load.stop();
  await nothingHeld(first, RESOLVED_WITHIN_MS);
  const found = await breaches(first);
  const exits = await Promise.all(fleet.nodes.map((node) => node.stop()));
  const leader = await cluster.leader();
  if (leader === null) throw new Error('no primary');
  const records = await recordsOfServer(cluster.urlOf(leader));
  return {
    ...{ failOvers, exits, breaches: found, tally: tally(history) },
    // The order of a client's charges is not checked, because spooled charges are booked later.
    faults: faultsOf(history, records),
    late: records.charges.filter(({ kind }) => kind === 'late').length,
  };
}

type Trial = { readonly fleet: GatewayNodes; readonly load: Load; readonly random: Random };

async function lose(
  loss: Loss,
  cluster: Cluster,
  { fleet, load, random }: Trial,
): Promise<FailOver> {
  await someLoad(load);
  await Bun.sleep(between(random, ...MOMENT_MS));
  const lost = await cluster.leader();
  if (lost === null) throw new Error('no primary');
  const lostAtMs = Date.now();
  LOSSES[loss](lost);
  await eventually(
    `selling after "${loss}"`,
    async () => (await cluster.leader().catch(() => null))?.name,
    (name) => name !== undefined && name !== lost.name,
    SELLING_WITHIN_MS,
  );
  const electedAtMs = Date.now();
  await Promise.all(fleet.nodes.map(({ url }) => writing(url)));
  const sellsAtMs = Date.now();
  await someLoad(load);
  const silentMs = longestSilence(load.history, lostAtMs);
  if (loss === 'machine frozen') signalAll(lost.processes(), 'SIGCONT');
  else if (loss !== 'server killed') lost.start();
  await cluster.complete();
  return { loss, electedMs: electedAtMs - lostAtMs, tookMs: sellsAtMs - lostAtMs, silentMs };
}

/** Waits until a gateway can write to its database again. */
async function writing(url: string): Promise<void> {
  await eventually(
    'the gateway is ready',
    () => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null),
    (answer) => answer?.ok === true,
    SELLING_WITHIN_MS,
  );
}

function longestSilence(history: readonly Invocation[], sinceMs: number): number {
  const ends = history
    .filter(({ end, endedAtMs }) => end.as === 'ok' && endedAtMs > sinceMs)
    .map(({ endedAtMs }) => endedAtMs)
    .toSorted((one, other) => one - other);
  return Math.max(0, ...ends.map((endedAtMs, at) => endedAtMs - (ends[at - 1] ?? sinceMs)));
}

async function someLoad({ history }: Load): Promise<void> {
  const begun = history.length;
  await eventually(
    'load',
    () => history.slice(begun).filter(({ end }) => end.as === 'ok').length,
    (ended) => ended >= ENDED_BEFORE,
    LOAD_WITHIN_MS,
  );
}
