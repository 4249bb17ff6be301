/**
 * `npm run bench -- ledger`: the ledger alone, in a process of its own: what a request's hold and
 * settlement cost. Prints one line of JSON. The measures `ledger-sqlite` and `ledger-postgres` run
 * it. `--rate N` offers N requests a second instead of a closed loop; `--accounts 1` tests one hot
 * account. `--postgres` uses a PostgreSQL server that it starts, with every commit flushed;
 * `--postgres --url URL` uses an existing empty database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/clock.ts';
import {
  addAccount,
  credit,
  furnish,
  hold,
  settle,
} from '../src/ledger/conformance/ledger.fixture.ts';
import type { Database } from '../src/ledger/database.ts';
import { openTestUrl, startServer } from '../src/ledger/postgres/postgres.fixture.ts';
import { openSqlite } from '../src/ledger/sqlite/open-sqlite.ts';
import type { LedgerResult } from './plan.ts';
import { type CpuReading, cpuBetweenMs, readCpu } from './process-cost.ts';
import { percentile } from './spread.ts';

/** Concurrent requests. */
const CALLERS = 32;
const WARM_UP_MS = 1_500;
const MEASURE_MS = 5_000;
/** More than any run spends, in nano-units. */
const FUNDS = 1_000_000_000_000_000n;

/**
 * Measures hold and settlement at a fixed rate or in a closed loop.
 * @param accounts 1: all on one wallet, the hot account.
 * @param perSecond offered requests a second; null: each caller continues after its answer.
 * @param scale of the measured time.
 */
async function measureLedger(
  { database, serverPid }: Subject,
  accounts: number,
  perSecond: number | null,
  scale: number,
): Promise<LedgerResult> {
  const { ledger, sql } = database;
  const names = Array.from({ length: accounts }, (_, each) => `bench_${each}`);
  for (const name of names) {
    await addAccount(sql, name);
    await ledger.apply([credit(`c_${name}`, FUNDS, { accountId: name })]);
  }
  const load = new Load(ledger, names);
  const callers = perSecond === null ? load.closed() : load.offered(perSecond);
  await systemClock.sleep(WARM_UP_MS * scale);
  load.isMeasuring = true;
  const before = readCpus(serverPid);
  const startMs = systemClock.monotonicMs();
  await systemClock.sleep(MEASURE_MS * scale);
  load.isMeasuring = false;
  const lastedMs = systemClock.monotonicMs() - startMs;
  const after = readCpus(serverPid);
  load.isOver = true;
  await callers;
  const sorted = Float64Array.from(load.latencies).sort();
  const requests = sorted.length / 2;
  const usBetween = (of: keyof Cpus): number =>
    (cpuBetweenMs(before[of], after[of]) * 1000) / requests;
  return {
    perSecond: (requests * 1000) / lastedMs,
    p50Ms: percentile(sorted, 50),
    p99Ms: percentile(sorted, 99),
    mainUs: usBetween('main'),
    threadsUs: usBetween('threads'),
    serverUs: usBetween('server'),
  };
}

type Cpus = Readonly<Record<'main' | 'threads' | 'server', CpuReading>>;

const NO_CPU: CpuReading = { threads: new Map(), wholeMs: 0 };

function readCpus(serverPid: number | null): Cpus {
  const own = readCpu(process.pid).threads;
  const ownThreads = [...own].filter(([name]) => name.startsWith(`${process.pid}/`));
  const isMain = ([name]: readonly [string, number]): boolean =>
    name === `${process.pid}/${process.pid}`;
  return {
    main: { threads: new Map(ownThreads.filter(isMain)), wholeMs: 0 },
    threads: { threads: new Map(ownThreads.filter((each) => !isMain(each))), wholeMs: 0 },
    server: serverPid === null ? NO_CPU : readCpu(serverPid),
  };
}

class Load {
  isMeasuring = false;
  isOver = false;
  /** Latency of a hold or a settlement, milliseconds. */
  readonly latencies: number[] = [];
  readonly #ledger: Database['ledger'];
  readonly #accounts: readonly string[];
  #made = 0;

  constructor(ledger: Database['ledger'], accounts: readonly string[]) {
    this.#ledger = ledger;
    this.#accounts = accounts;
  }

  async closed(): Promise<void> {
    const caller = async (): Promise<void> => {
      while (!this.isOver) await this.#pair();
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** Pairs start when they are due, even if earlier ones are unanswered. */
  async offered(perSecond: number): Promise<void> {
    const startMs = systemClock.monotonicMs();
    const running = new Set<Promise<void>>();
    for (let sent = 0; !this.isOver; ) {
      const due = ((systemClock.monotonicMs() - startMs) * perSecond) / 1_000;
      for (; sent < due; sent++) {
        const pair = this.#pair().finally(() => running.delete(pair));
        running.add(pair);
      }
      await systemClock.sleep(1);
    }
    await Promise.all(running);
  }

  async #pair(): Promise<void> {
    const each = this.#made++;
    const id = `h_${each}`;
    const accountId = this.#accounts[each % this.#accounts.length] ?? '';
    await this.#timed(() => this.#ledger.apply([hold(id, 1_000n, { accountId })]));
    await this.#timed(() => this.#ledger.apply([settle(id, 700n, { accountId })]));
  }

  async #timed(apply: () => ReturnType<Database['ledger']['apply']>): Promise<void> {
    const startMs = systemClock.monotonicMs();
    const [outcome] = await apply();
    if (outcome?.status !== 'applied') throw new Error(`a command was ${outcome?.status}`);
    if (this.isMeasuring) this.latencies.push(systemClock.monotonicMs() - startMs);
  }
}

type Subject = {
  readonly database: Database;
  /** Of a server that was started for this subject; null without one. */
  readonly serverPid: number | null;
  /** Ends what was started for this subject. */
  readonly remove: () => void;
};

async function openSqliteSubject(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-bench-'));
  const database = await openSqlite({ file: join(folder, 'modelgate.db'), clock: systemClock });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { database, serverPid: null, remove };
}

/** @param url null: starts a server of its own. */
async function openPostgresSubject(url: string | null): Promise<Subject> {
  const server = url === null ? await startServer(true) : null;
  const database = await openTestUrl(url ?? server?.urlOf('postgres') ?? '');
  return { database, serverPid: server?.pid ?? null, remove: () => server?.stop() };
}

/** Runs the benchmark on a new store and prints its result. */
export async function benchLedger(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rate: { type: 'string' },
      accounts: { type: 'string', default: '50' },
      scale: { type: 'string', default: '1' },
      postgres: { type: 'boolean', default: false },
      url: { type: 'string' },
    },
  });
  const perSecond = values.rate === undefined ? null : Number(values.rate);
  const subject = await (values.postgres
    ? openPostgresSubject(values.url ?? null)
    : openSqliteSubject());
  try {
    await furnish(subject.database);
    const accounts = Number(values.accounts);
    const found = await measureLedger(subject, accounts, perSecond, Number(values.scale));
    console.log(JSON.stringify(found));
  } finally {
    await subject.database.close();
    subject.remove();
  }
}
