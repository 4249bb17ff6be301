/**
 * For tests: a cluster of PostgreSQL servers under Patroni, with etcd. All processes run on this
 * machine, from Debian's packages `patroni`, `etcd-server` and `postgresql-15`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import postgres from 'postgres';
import { eventually } from '../eventually.ts';

const FILE = join(import.meta.dir, '../../../deploy/patroni/patroni.yml');
const BIN = '/usr/lib/postgresql/15/bin';
const PASSWORD = 'of-the-tests';
/**
 * The user that Debian's package creates. PostgreSQL runs as this user, because it refuses to run
 * as root.
 */
const USER = 'postgres';
/**
 * The time limit until the cluster is complete. At the first start, the data of the first server is
 * copied to the other servers.
 */
const COMPLETE_WITHIN_MS = 120_000;
const SHOWN_CHARACTERS = 3_000;
const LEADERS = new Set(['leader', 'master', 'primary']);

/** A server in the response of Patroni's `GET /cluster`. */
type Member = { readonly name: string; readonly role: string; readonly state: string };

export type Server = {
  readonly name: string;
  readonly address: string;
  /** Returns the ids of all processes of the server: Patroni, the postmaster and its children. */
  readonly processes: () => readonly number[];
  /**
   * Returns the id of the postmaster, PostgreSQL's first process. When it ends, all other
   * PostgreSQL processes end too.
   */
  readonly postmaster: () => number;
  readonly patroni: () => number;
  /** Starts Patroni again, which in turn starts PostgreSQL. */
  readonly start: () => void;
};

export type Cluster = {
  readonly servers: readonly Server[];
  /** The URL of the database. Its hosts are all servers, and its user owns only this database. */
  readonly url: string;
  readonly urlOf: (server: Server) => string;
  /** Returns the server that Patroni reports as the leader; null while there is no leader. */
  readonly leader: () => Promise<Server | null>;
  /** Waits until every server runs and one of them is a synchronous standby. */
  readonly complete: () => Promise<void>;
  /** Returns the state of each server and the end of its log, for messages about failed tests. */
  readonly state: () => Promise<string>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Returns the names of the Debian packages that are not installed. */
export function missingPackages(): readonly string[] {
  const programs = {
    patroni: Bun.which('patroni'),
    'etcd-server': Bun.which('etcd'),
    'postgresql-15': Bun.which('postgres', { PATH: BIN }),
  };
  return Object.entries(programs).flatMap(([name, path]) => (path === null ? [name] : []));
}

export async function startCluster(size: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-cluster-'));
  own(folder);
  const started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const etcd = await startEtcd(folder, started);
  const servers: (Server & { readonly api: string })[] = [];
  for (let at = 0; at < size; at += 1)
    servers.push(await startServer(folder, `pg${at + 1}`, etcd, started));
  const urlOf = ({ address }: Pick<Server, 'address'>): string =>
    `postgres://modelgate:${PASSWORD}@${address}/modelgate`;
  const members = async (): Promise<readonly Member[]> => {
    const answers = servers.map(async ({ api }) => {
      const answer = await fetch(`${api}/cluster`, { signal: AbortSignal.timeout(1_000) });
      return ((await answer.json()) as { members: Member[] }).members;
    });
    return await Promise.any(answers).catch(() => []);
  };
  const leader = async (): Promise<Server | null> => {
    const found = (await members()).find(({ role }) => LEADERS.has(role));
    return servers.find(({ name }) => name === found?.name) ?? null;
  };
  const complete = async (): Promise<void> => {
    await eventually(
      'the cluster is complete',
      members,
      (found) => isComplete(found, size),
      COMPLETE_WITHIN_MS,
    );
  };
  await complete();
  const first = await leader();
  await createDatabase(first?.address ?? '');
  const hosts = servers.map(({ address }) => address).join(',');
  return {
    ...{ servers, urlOf, leader, complete },
    url: `${urlOf({ address: hosts })}?target_session_attrs=read-write`,
    state: async () => {
      const logs = servers.map(({ name }) => readFileSync(join(folder, `${name}.log`), 'utf8'));
      const ends = logs.map((log, at) => `${servers[at]?.name}:\n${log.slice(-SHOWN_CHARACTERS)}`);
      return `${JSON.stringify(await members())}\n${ends.join('\n')}`;
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

function isComplete(members: readonly Member[], size: number): boolean {
  const standbys = members.filter(({ role }) => !LEADERS.has(role));
  return (
    members.length === size &&
    standbys.length === size - 1 &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    standbys.some(({ role }) => role === 'sync_standby')
  );
}

async function createDatabase(address: string): Promise<void> {
  const sql = postgres(`postgres://postgres:${PASSWORD}@${address}/postgres`, { max: 1 });
  await sql.unsafe(`CREATE ROLE modelgate LOGIN PASSWORD '${PASSWORD}'`);
  await sql.unsafe('CREATE DATABASE modelgate OWNER modelgate');
  await sql.end();
}

async function startEtcd(folder: string, started: AsyncDisposableStack): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()];
  const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
  const data = join(folder, 'etcd');
  const child = spawn(
    [
      ...['etcd', '--enable-v2', '--name', 'etcd1', '--data-dir', data, '--log-level', 'error'],
      ...['--listen-client-urls', urls.client, '--advertise-client-urls', urls.client],
      ...['--listen-peer-urls', urls.peer, '--initial-advertise-peer-urls', urls.peer],
      ...['--initial-cluster', `etcd1=${urls.peer}`],
    ],
    {},
    join(folder, 'etcd.log'),
  );
  started.defer(() => end([child.pid]));
  await eventually(
    'etcd answers',
    () => fetch(`${urls.client}/health`).catch(() => null),
    (answer) => answer?.ok === true,
  );
  return `127.0.0.1:${client}`;
}

/**
 * Returns the settings that differ between servers. docs/operate/high-availability.md lists them
 * for `/etc/patroni_env.conf`.
 */
export const environmentOf = (server: {
  readonly name: string;
  readonly etcd: string;
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly api: number;
}) => ({
  PATRONI_NAME: server.name,
  PATRONI_ETCD_HOSTS: server.etcd,
  PATRONI_RESTAPI_LISTEN: `127.0.0.1:${server.api}`,
  PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${server.api}`,
  PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${server.port}`,
  PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${server.port}`,
  PATRONI_POSTGRESQL_DATA_DIR: server.data,
  PATRONI_POSTGRESQL_BIN_DIR: BIN,
  PATRONI_POSTGRESQL_PGPASS: join(server.folder, 'pgpass'),
  PATRONI_SUPERUSER_USERNAME: 'postgres',
  PATRONI_SUPERUSER_PASSWORD: PASSWORD,
  PATRONI_REPLICATION_USERNAME: 'replicator',
  PATRONI_REPLICATION_PASSWORD: PASSWORD,
});

/**
 * Starts a server with the Patroni file in `deploy/` and the environment that
 * docs/operate/high-availability.md describes.
 */
async function startServer(
  folder: string,
  name: string,
  etcd: string,
  started: AsyncDisposableStack,
) {
  const [port, api] = [await freePort(), await freePort()];
  const data = join(folder, name, 'data');
  mkdirSync(join(folder, name));
  own(join(folder, name));
  const environment = environmentOf({ name, etcd, folder: join(folder, name), data, port, api });
  let child: Subprocess;
  const start = (): void => {
    child = spawn(['patroni', FILE], environment, join(folder, `${name}.log`));
  };
  start();
  const postmaster = (): number => {
    const path = join(data, 'postmaster.pid');
    return existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n')[0]) : 0;
  };
  const processes = (): readonly number[] => [child.pid, ...tree(postmaster())];
  // Patroni is the first process in the list. It must end first, because it would restart
  // PostgreSQL.
  started.defer(() => end(processes()));
  return {
    ...{ name, address: `127.0.0.1:${port}`, api: `http://127.0.0.1:${api}` },
    ...{ processes, postmaster, patroni: () => child.pid, start },
  };
}

function spawn(command: readonly string[], env: object, log: string): Subprocess {
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ['setpriv', '--reuid', USER, '--regid', USER, '--clear-groups'] : [];
  return Bun.spawn(['sh', '-c', 'exec "$@" >>"$0" 2>&1', log, ...as, ...command], {
    env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
}

/** Returns the ids of a process and its children; empty if the process has ended. */
function tree(root: number): readonly number[] {
  if (root === 0) return [];
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const isAlive = pairs.some(([pid]) => pid === root);
  return isAlive
    ? [
        root,
        ...pairs.flatMap(([pid, parent]) => (parent === root && pid !== undefined ? [pid] : [])),
      ]
    : [];
}

export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // `kill` failed because the process has already ended.
    }
  }
}

function end(pids: readonly number[]): void {
  signalAll(pids, 'SIGKILL');
}

function own(folder: string): void {
  chmodSync(folder, 0o700);
  if (process.getuid?.() !== 0) return;
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
  chownSync(folder, idOf('-u'), idOf('-g'));
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    probe.close(() => resolve(port));
  });
  return await promise;
}
