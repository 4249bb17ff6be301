/**
 * For tests: a server under load is killed, and stopped for a while, at moments that chance draws; whatever
 * its clients saw, the books must agree with it.
 */
import { admin, breaches, nanoOf } from './books.ts';
import { between, chanceOf, shuffled } from './chance.ts';
import { eventually } from './eventually.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { type Books, type Fault, faultsOf, type Invocation, orderFaults } from './history.ts';
import { type Load, mixedClients, startLoad, tally } from './history-load.ts';
import { at, listAt } from './wire.ts';

/** How long the load runs between two disturbances. */
const LULL_MS = [150, 700] as const;
/** A lease, the beats after which the reaper comes, and a machine with other work. */
const RESOLVED_WITHIN_MS = 40_000;

export type CrashPlan = {
  readonly seed: number;
  readonly kills: number;
  readonly stops: number;
  /** How long the server stands still. */
  readonly stopMs: number;
  /** Starts the server on the same store, each time it is called. */
  readonly start: () => Promise<GatewayProcess>;
  /** What is in the store once its last server has ended. */
  readonly books: () => Promise<Books>;
};

export type CrashReport = {
  readonly faults: readonly Fault[];
  readonly tally: Readonly<Record<string, number>>;
  /** Corrections of what the reaper had settled. */
  readonly late: number;
  /** What standing still was told of in the log. */
  readonly newLeases: number;
  readonly holds: number;
};

export async function crashLoop(plan: CrashPlan): Promise<CrashReport> {
  const chance = chanceOf(plan.seed);
  const logs: string[] = [];
  let server = await plan.start();
  const clients = await mixedClients(server);
  const load = startLoad({ seed: plan.seed, clients, urls: () => [server.url] });
  const blows = shuffled(chance, [
    ...Array.from({ length: plan.kills }, () => 'kill' as const),
    ...Array.from({ length: plan.stops }, () => 'stop' as const),
  ]);
  for (const blow of blows) {
    await Bun.sleep(between(chance, ...LULL_MS));
    if (blow === 'stop') {
      await standStill(server, plan.stopMs);
      continue;
    }
    await server.kill9();
    logs.push(server.stderr());
    server = await plan.start();
  }
  await settledLoad(load, server, chance());
  const found = await breaches(server);
  if (!Array.isArray(found) || found.length > 0) throw new Error(JSON.stringify(found));
  await server.stop();
  logs.push(server.stderr());
  const books = await plan.books();
  return {
    faults: [...faultsOf(load.history, books), ...orderFaults(load.history, books)],
    tally: tally(load.history),
    late: books.charges.filter(({ kind }) => kind === 'late').length,
    newLeases: logs.join('').split('goes on under a new one').length - 1,
    holds: books.holds.length,
  };
}

async function standStill(server: GatewayProcess, forMs: number): Promise<void> {
  server.signal('SIGSTOP');
  await Bun.sleep(forMs);
  server.signal('SIGCONT');
}

/** Lets the load end, and waits until no money is set aside any more. */
async function settledLoad(load: Load, server: GatewayProcess, chance: number) {
  // The last restart gets some load, too.
  await Bun.sleep(LULL_MS[0] + chance * LULL_MS[0]);
  await load.stop();
  await nothingHeld(server);
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

/** Requests of a history that were answered whole. */
export const answered = (history: readonly Invocation[]): number =>
  history.filter(({ end }) => end.as === 'ok').length;
