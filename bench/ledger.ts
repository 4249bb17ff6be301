/**
 * `npm run bench -- ledger`: measures what the hold and the settlement of a request cost. Runs only
 * the ledger, in its own process, and prints one line of JSON. The measures `ledger-sqlite` and
 * `ledger-postgres` run it. `--rate N` sends N requests a second instead of a closed loop;
 * `--accounts 1` tests one hot account. `--postgres` starts a PostgreSQL server, with every commit
 * flushed; `--postgres --url URL` uses an existing empty database. `--postgres --nodes N` measures
 * N processes on one database together.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/clock.ts';
import { Secret } from '../src/config/secret.ts';
import type { Recalled, StoredCommand } from '../src/ledger/assigned/assignment-store.ts';
import {
  AT_MS,
  addAccount,
  credit,
  EPOCH,
  furnish,
  hold,
  LEASE_MS,
  receipt,
  settle,
} from '../src/ledger/conformance/ledger.fixture.ts';
import type { Database } from '../src/ledger/database.ts';
import { GroupCommit } from '../src/ledger/group-commit.ts';
import type { Command } from '../src/ledger/ledger.ts';
import {
  openTestUrl,
  PATIENT,
  startServer,
  USUAL_LOG,
} from '../src/ledger/postgres/postgres.fixture.ts';
import { COMMIT_LIMITS, PostgresCommits } from '../src/ledger/postgres/postgres-commits.ts';
import { CHARGES, COMMANDS, type NodeCharge } from '../src/ledger/postgres/postgres-wire.ts';
import { receiptValues } from '../src/ledger/receipt-row.ts';
import { openSqlite } from '../src/ledger/sqlite/open-sqlite.ts';
import type { Reply } from '../src/ledger/wire.ts';
import { PostgresLink } from '../src/store/postgres/postgres-link.ts';
import type { LedgerResult } from './plan.ts';
import { type CpuReading, cpuBetweenMs, readCpu } from './process-cost.ts';
import { percentile } from './spread.ts';

const MAIN = join(import.meta.dir, 'main.ts');
/** The number of concurrent requests. */
const CALLERS = 32;
const WARM_UP_MS = 1_500;
const MEASURE_MS = 5_000;
/** The held amount and the charge of each request, in nano-units. */
const HELD = 1_000n;
const CHARGED = 700n;
/** The balance of each account, in nano-units: more than any run spends. */
const FUNDS = 1_000_000_000_000_000n;

type Wanted = {
  /** The number of accounts; 1 puts the whole load on one hot account. */
  readonly accounts: number;
  /**
   * Requests sent per second; null for a closed loop, in which each caller waits for its answer.
   */
  readonly perSecond: number | null;
  /** The factor by which the warm-up and the measured time are multiplied. */
  readonly scale: number;
  /** The id of this run of a node. All ids that the process makes contain it. */
  readonly epoch: string;
  /**
   * Whether the database decides each hold, instead of the node in its memory. Only PostgreSQL
   * supports this.
   */
  readonly isExact: boolean;
};

/** Measures requests at a fixed rate or in a closed loop. */
async function measureLedger(subject: Subject, wanted: Wanted): Promise<LedgerResult> {
  const { accounts, perSecond, scale, epoch, isExact } = wanted;
  const { serverPid } = subject;
  const { ledger, sql } = subject.database;
  const names = Array.from({ length: accounts }, (_, each) => `${epoch}_${each}`);
  for (const name of names) {
    await addAccount(sql, name);
    await ledger.apply([credit(`c_${name}`, FUNDS, { accountId: name })]);
    if (subject.url !== null && !isExact) await assign(sql, name, epoch);
  }
  const writers = subject.url === null ? null : new Writers(subject.url);
  const load = new Load(requestBy(subject.database, writers, epoch, isExact), names, epoch);
  const callers = perSecond === null ? load.closed() : load.offered(perSecond);
  await systemClock.sleep(WARM_UP_MS * scale);
  load.isMeasuring = true;
  const before = readCpus(serverPid);
  const startMs = systemClock.monotonicMs();
  await systemClock.sleep(MEASURE_MS * scale);
  // A busy machine may complete no request within the short time of a test.
  while (load.requests === 0) await systemClock.sleep(1);
  load.isMeasuring = false;
  const lastedMs = systemClock.monotonicMs() - startMs;
  const after = readCpus(serverPid);
  load.isOver = true;
  await callers;
  await writers?.close();
  const sorted = Float64Array.from(load.latencies).sort();
  const { requests } = load;
  const usBetween = (of: keyof Cpus): number =>
    (cpuBetweenMs(before[of], after[of]) * 1000) / requests;
  return {
    perSecond: (requests * 1000) / lastedMs,
    p50Ms: percentile(sorted, 50),
    p99Ms: percentile(sorted, 99),
    mainUs: usBetween('main'),
    storeUs: usBetween('store'),
    threadsUs: usBetween('threads'),
    serverUs: usBetween('server'),
  };
}

/**
 * Assigns half of an account's money to a node. The node may then grant holds up to this amount in
 * its memory, without asking the database. `epoch` is the id of the node's run.
 */
async function assign(sql: Database['sql'], accountId: string, epoch: string): Promise<void> {
  const half = FUNDS / 2n;
  await sql.transaction([
    {
      sql: `INSERT INTO assignment (account_id, currency, epoch, amount, version)
        VALUES ($1, 'USD', $2, $3, nextval('assignment_version'))`,
      params: [accountId, epoch, half],
    },
    {
      sql: "UPDATE wallet SET held = held + $1 WHERE account_id = $2 AND currency = 'USD'",
      params: [half, accountId],
    },
  ]);
}

type Cpus = Readonly<Record<'main' | 'store' | 'threads' | 'server', CpuReading>>;

const NO_CPU: CpuReading = { threads: new Map(), wholeMs: 0 };

function readCpus(serverPid: number | null): Cpus {
  const own = readCpu(process.pid).threads;
  const ownThreads = [...own].filter(([name]) => name.startsWith(`${process.pid}/`));
  const isMain = ([name]: readonly [string, number]): boolean =>
    name === `${process.pid}/${process.pid}`;
  return {
    main: { threads: new Map(ownThreads.filter(isMain)), wholeMs: 0 },
    store: { threads: new Map(ownThreads.filter(isStore)), wholeMs: 0 },
    threads: { threads: new Map(ownThreads.filter((each) => !isMain(each))), wholeMs: 0 },
    server: serverPid === null ? NO_CPU : readCpu(serverPid),
  };
}

/** Writes to PostgreSQL in group commits, as a gateway does, but without a ledger in memory. */
class Writers {
  readonly #link: PostgresLink;
  readonly charges: GroupCommit<NodeCharge, Reply>;
  readonly commands: GroupCommit<StoredCommand, Reply | Recalled>;

  constructor(url: string) {
    const limits = { ...COMMIT_LIMITS, ...PATIENT };
    const { attemptMs } = limits;
    const timeouts = { statementMs: attemptMs, lockMs: attemptMs };
    const link = new PostgresLink({ url: new Secret(url), clock: systemClock, ...timeouts });
    const charges = new PostgresCommits(CHARGES, link, systemClock, limits);
    const commands = new PostgresCommits(COMMANDS, link, systemClock, limits);
    this.#link = link;
    this.charges = new GroupCommit((batch) => charges.write(batch));
    this.commands = new GroupCommit((batch) => commands.write(batch));
  }

  async close(): Promise<void> {
    await Promise.all([this.charges.close(), this.commands.close()]);
    await this.#link.close();
  }
}

/** Returns the commands of a request as functions, which are called one after the other. */
type Request = (id: string, accountId: string) => readonly (() => Answer | Promise<Answer>)[];
type Answer = Reply | Recalled;

function requestBy(
  { ledger }: Database,
  writers: Writers | null,
  epoch: string,
  isExact: boolean,
): Request {
  const one = async (replies: Promise<readonly Answer[]>): Promise<Answer> => {
    const [reply] = await replies;
    return reply ?? { status: 'hold_unknown' };
  };
  if (writers === null) {
    return (id, accountId) => [
      () => ledger.hold(hold(id, HELD, { accountId, epoch })),
      () => ledger.settle(settle(id, CHARGED, { accountId })),
    ];
  }
  const { charges, commands } = writers;
  if (isExact) {
    return (id, accountId) => [
      () => one(commands.submit([firm(hold(id, HELD, { accountId, epoch }))])),
      () => one(commands.submit([firm(settle(id, CHARGED, { accountId }))])),
    ];
  }
  return (id, accountId) => [() => one(charges.submit([chargeOf(id, accountId, epoch)]))];
}

const firm = (command: Command): StoredCommand => ({ command, moved: null, isFirm: true });

const chargeOf = (id: string, accountId: string, epoch: string): NodeCharge => ({
  ...{ kind: 'charge', id, price: CHARGED, taken: CHARGED, bought: 0n, sold: 0n, loss: 0n },
  ...{ available: FUNDS, metered: CHARGED, held: HELD, exchangeId: null, careful: null },
  ...{ atMs: AT_MS, epoch, freed: CHARGED, freedOther: 0n },
  receipt: receiptValues(receipt(id, CHARGED, { accountId })),
});

/**
 * Whether a thread, named `PID/TID`, belongs to the embedded store. The process has no other worker
 * threads.
 */
function isStore([name]: readonly [string, number]): boolean {
  try {
    return readFileSync(`/proc/${name.replace('/', '/task/')}/comm`, 'utf8') === 'Worker\n';
  } catch {
    // The thread has ended in the meantime.
    return false;
  }
}

class Load {
  isMeasuring = false;
  isOver = false;
  /** The latencies of commands, in milliseconds. */
  readonly latencies: number[] = [];
  /** The number of requests whose last command was answered while measuring. */
  requests = 0;
  readonly #request: Request;
  readonly #accounts: readonly string[];
  readonly #epoch: string;
  #made = 0;

  constructor(request: Request, accounts: readonly string[], epoch: string) {
    this.#request = request;
    this.#accounts = accounts;
    this.#epoch = epoch;
  }

  async closed(): Promise<void> {
    const caller = async (): Promise<void> => {
      while (!this.isOver) await this.#one();
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }

  /** Starts each request when it is due, even if earlier ones are unfinished. */
  async offered(perSecond: number): Promise<void> {
    const startMs = systemClock.monotonicMs();
    const running = new Set<Promise<void>>();
    for (let sent = 0; !this.isOver; ) {
      const due = ((systemClock.monotonicMs() - startMs) * perSecond) / 1_000;
      for (; sent < due; sent++) {
        const request = this.#one().finally(() => running.delete(request));
        running.add(request);
      }
      await systemClock.sleep(1);
    }
    await Promise.all(running);
  }

  async #one(): Promise<void> {
    const each = this.#made++;
    const accountId = this.#accounts[each % this.#accounts.length] ?? '';
    for (const command of this.#request(`h_${this.#epoch}_${each}`, accountId)) {
      await this.#timed(command);
    }
    if (this.isMeasuring) this.requests += 1;
  }

  async #timed(command: () => Answer | Promise<Answer>): Promise<void> {
    const startMs = systemClock.monotonicMs();
    const reply = await command();
    if (reply.status !== 'applied') throw new Error(`a command was ${reply.status}`);
    if (this.isMeasuring) this.latencies.push(systemClock.monotonicMs() - startMs);
  }
}

type Subject = {
  readonly database: Database;
  /** The address of a PostgreSQL database; null for a SQLite file. */
  readonly url: string | null;
  /** The PID of the PostgreSQL server that was started for this subject; null if none was. */
  readonly serverPid: number | null;
  /** Ends the processes and deletes the files that were made for this subject. */
  readonly remove: () => void;
};

async function openSqliteSubject(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-bench-'));
  const database = await openSqlite({ file: join(folder, 'modelgate.db'), clock: systemClock });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { database, url: null, serverPid: null, remove };
}

/** @param existing the address of a database; null to start a server. */
async function openPostgresSubject(existing: string | null): Promise<Subject & { url: string }> {
  const server = existing === null ? await startServer(true, USUAL_LOG) : null;
  const url = existing ?? server?.urlOf('postgres') ?? '';
  const database = await openTestUrl(url);
  return { database, url, serverPid: server?.pid ?? null, remove: () => server?.stop() };
}

/**
 * Runs one process per node. All nodes use one database of a new PostgreSQL server.
 * @returns the sum of the nodes' rates and, for every other figure, the highest value of any node.
 *   `serverUs` is always 0.
 */
async function measureNodes(count: number, argv: readonly string[]): Promise<LedgerResult> {
  const { database, url, remove } = await openPostgresSubject(null);
  await furnish(database);
  await database.close();
  const nodes = Array.from({ length: count }, async (_, node): Promise<LedgerResult> => {
    const options = [...argv, '--postgres', '--url', url, '--node', String(node)];
    const child = Bun.spawn([process.execPath, MAIN, 'ledger', ...options], { stderr: 'inherit' });
    return JSON.parse(await new Response(child.stdout).text());
  });
  const found = await Promise.all(nodes).finally(remove);
  const worst = (of: keyof LedgerResult): number => Math.max(...found.map((node) => node[of]));
  return {
    perSecond: found.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50Ms: worst('p50Ms'),
    p99Ms: worst('p99Ms'),
    mainUs: worst('mainUs'),
    storeUs: worst('storeUs'),
    threadsUs: worst('threadsUs'),
    serverUs: 0,
  };
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
      exact: { type: 'boolean', default: false },
      nodes: { type: 'string', default: '1' },
      // The number of this process, which `--nodes` passes to each process that it starts.
      node: { type: 'string' },
    },
  });
  const { accounts, scale, rate, node, exact: isExact } = values;
  if (Number(values.nodes) > 1) {
    const options = ['--scale', scale, ...(isExact ? ['--exact'] : [])];
    const found = await measureNodes(Number(values.nodes), options);
    console.log(JSON.stringify(found));
    return;
  }
  const subject = await (values.postgres
    ? openPostgresSubject(values.url ?? null)
    : openSqliteSubject());
  try {
    const epoch = node === undefined ? EPOCH : `node_${node}`;
    if (node === undefined) await furnish(subject.database);
    else await subject.database.ledger.join({ epoch, name: epoch }, LEASE_MS);
    const perSecond = rate === undefined ? null : Number(rate);
    const wanted = { accounts: Number(accounts), scale: Number(scale), perSecond, epoch, isExact };
    console.log(JSON.stringify(await measureLedger(subject, wanted)));
  } finally {
    await subject.database.close();
    subject.remove();
  }
}
