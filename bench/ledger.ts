/**
 * `npm run bench -- ledger`: the ledger alone. Prints JSON lines: the question, the results, and a
 * line for each budget. `--rate N` offers N pairs a second instead of a closed loop; `--accounts 1`
 * tests one hot account. `--postgres` uses a PostgreSQL server that it starts, with every commit
 * flushed; `--postgres --url URL` uses an existing empty database.
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
import { cpuBetweenMs, readCpu, readRssBytes } from './process-cost.ts';

const QUESTION = 'What do a durable hold and a durable settlement of a request cost?';
const SQLITE_SKETCH =
  'A pair is about 25 statements of 2 to 4 µs and two JSON messages between threads: 70 to 110 µs. ' +
  'Concurrent pairs share a flush of the disk: 5,000 pairs a second at half a millisecond.';
const POSTGRES_SKETCH =
  'A pair writes 6 rows and 13 index entries, 2 to 4 µs each in a statement for the whole batch: 60 µs, ' +
  'and as much again to read, lock and decide. A batch shares a flush of 0.5 to 1 ms and a round trip: ' +
  '3,000 pairs a second at 2 to 3 ms a command.';

/** Concurrent requests. */
const CALLERS = 64;
const WARM_UP_MS = 1_500;
const MEASURE_MS = 5_000;
/** More than any run spends, in nano-units. */
const FUNDS = 1_000_000_000_000_000n;

type Found = {
  readonly pairsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUsPerPair: number;
  readonly rssMb: number;
};

type Budget = { readonly figure: keyof Found; readonly most?: number; readonly least?: number };

const SQLITE_BUDGETS: readonly Budget[] = [
  { figure: 'pairsPerSecond', least: 5_000 },
  { figure: 'p50Ms', most: 0.5 },
  { figure: 'p99Ms', most: 2.5 },
  { figure: 'cpuUsPerPair', most: 70 },
  { figure: 'rssMb', most: 100 },
];

/** On the loopback, so the server shares the machine with its client. */
const POSTGRES_BUDGETS: readonly Budget[] = [
  { figure: 'pairsPerSecond', least: 3_000 },
  { figure: 'p50Ms', most: 2.5 },
  { figure: 'p99Ms', most: 8 },
];

/**
 * Measures hold and settlement at a fixed rate or in a closed loop.
 * @param accounts 1: all on one wallet, the hot account.
 * @param perSecond offered pairs a second; null: each caller sends its next pair after the answer.
 */
export async function measureLedger(
  { ledger, sql }: Database,
  accounts: number,
  perSecond: number | null,
): Promise<Found> {
  const names = Array.from({ length: accounts }, (_, each) => `bench_${accounts}_${each}`);
  for (const name of names) {
    await addAccount(sql, name);
    await ledger.apply([credit(`c_${name}`, FUNDS, { accountId: name })]);
  }
  const load = new Load(ledger, names, `${accounts}_${perSecond}`);
  const callers = perSecond === null ? load.closed() : load.offered(perSecond);
  await systemClock.sleep(WARM_UP_MS);
  load.isMeasuring = true;
  const before = readCpu(process.pid);
  const startMs = systemClock.monotonicMs();
  await systemClock.sleep(MEASURE_MS);
  load.isMeasuring = false;
  const lastedMs = systemClock.monotonicMs() - startMs;
  const cpuMs = cpuBetweenMs(before, readCpu(process.pid));
  load.isOver = true;
  await callers;
  const pairs = load.latencies.length / 2;
  const sorted = load.latencies.sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    pairsPerSecond: Math.round((pairs / lastedMs) * 1_000),
    p50Ms: rounded(at(0.5)),
    p99Ms: rounded(at(0.99)),
    cpuUsPerPair: rounded((cpuMs * 1_000) / pairs),
    rssMb: rounded(readRssBytes([process.pid]) / 1e6),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

class Load {
  isMeasuring = false;
  isOver = false;
  /** Latency of a hold or a settlement, milliseconds. */
  readonly latencies: number[] = [];
  readonly #ledger: Database['ledger'];
  readonly #accounts: readonly string[];
  readonly #name: string;
  #made = 0;

  constructor(ledger: Database['ledger'], accounts: readonly string[], name: string) {
    this.#ledger = ledger;
    this.#accounts = accounts;
    this.#name = name;
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
    const id = `h_${this.#name}_${each}`;
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
  readonly name: 'sqlite' | 'postgres';
  readonly question: string;
  readonly sketch: string;
  readonly budgets: readonly Budget[];
  readonly database: Database;
  /** Ends what was started for this subject. */
  readonly remove: () => void;
};

async function openSqliteSubject(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-bench-'));
  const database = await openSqlite({ file: join(folder, 'modelgate.db'), clock: systemClock });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const words = { question: QUESTION, sketch: SQLITE_SKETCH, budgets: SQLITE_BUDGETS };
  return { name: 'sqlite', ...words, database, remove };
}

/** @param url null: starts a server of its own. */
async function openPostgresSubject(url: string | null): Promise<Subject> {
  const server = url === null ? await startServer(true) : null;
  const database = await openTestUrl(url ?? server?.urlOf('postgres') ?? '');
  const remove = (): void => server?.stop();
  const words = { question: QUESTION, sketch: POSTGRES_SKETCH, budgets: POSTGRES_BUDGETS };
  return { name: 'postgres', ...words, database, remove };
}

/** Runs the benchmark on a new store and prints the results. */
export async function benchLedger(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rate: { type: 'string' },
      accounts: { type: 'string', default: '50' },
      postgres: { type: 'boolean', default: false },
      url: { type: 'string' },
    },
  });
  const perSecond = values.rate === undefined ? null : Number(values.rate);
  const subject = await (values.postgres
    ? openPostgresSubject(values.url ?? null)
    : openSqliteSubject());
  const { name, question, sketch, budgets, database, remove } = subject;
  try {
    await furnish(database);
    console.log(JSON.stringify({ question, sketch }));
    const found = await measureLedger(database, Number(values.accounts), perSecond);
    console.log(JSON.stringify({ database: name, offered: perSecond, ...found }));
    for (const { figure, most, least } of budgets) {
      const met = found[figure] <= (most ?? Infinity) && found[figure] >= (least ?? 0);
      console.log(JSON.stringify({ budget: figure, most, least, reached: found[figure], met }));
    }
  } finally {
    await database.close();
    remove();
  }
}
