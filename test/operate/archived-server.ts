/**
 * For tests: a PostgreSQL server that archives its write-ahead log and can be recovered to a point
 * in time, with the settings in docs/operate/backup.md. Requires Debian's package `postgresql`.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import postgres from 'postgres';
import { eventually } from '../support/eventually.ts';

const PAGE = join(import.meta.dir, '../../docs/operate/backup.md');
const START_LIMIT_MS = 30_000;

export type ArchivedServer = {
  /** The URL of the server's database. A recovered server has the same URL. */
  readonly url: string;
  readonly ask: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly baseBackup: () => void;
  /** Archives everything committed so far, without waiting for `archive_timeout`. */
  readonly archived: () => Promise<void>;
  /** Kills the server and deletes its data. Only the base backup and the archive are left. */
  readonly destroy: () => Promise<void>;
  /** Starts a new server at the same URL, with everything that was committed until `moment`. */
  readonly recover: (moment: string) => Promise<void>;
  /** Starts a streaming replica. */
  readonly follow: () => Promise<Replica>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export type Replica = Pick<ArchivedServer, 'url' | 'ask' | typeof Symbol.asyncDispose> & {
  readonly kill: () => Promise<void>;
};

/** Returns the settings in docs/operate/backup.md for archiving and for recovery. */
function blocks(): readonly [archiving: string, recovering: string] {
  const part = readFileSync(PAGE, 'utf8').split('### Point-in-time recovery')[1] ?? '';
  const [archiving = '', recovering = ''] = [...part.matchAll(/```\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  );
  return [archiving, recovering];
}

function programs(): string {
  const [newest] = [...new Bun.Glob('/usr/lib/postgresql/*/bin/pg_basebackup').scanSync('/')]
    .sort()
    .reverse();
  if (newest === undefined)
    throw new Error("needs Debian's package postgresql (version 15 or newer)");
  return newest.slice(0, newest.lastIndexOf('/'));
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

export async function startArchivedServer(): Promise<ArchivedServer> {
  const bin = programs();
  const [archiving, recovering] = blocks();
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-archived-'));
  const port = freePort();
  const [archive, base, data] = ['archive', 'base', 'data'].map((name) => join(folder, name));
  if (archive === undefined || base === undefined || data === undefined) throw new Error('names');
  const as = unprivileged(folder);
  const placed = (text: string): string => text.replaceAll('/archive', archive);
  const run = (program: string, ...args: readonly string[]): void => {
    const { success, stderr } = Bun.spawnSync([...as, join(bin, program), ...args], { cwd: '/' });
    if (!success) throw new Error(`${program}: ${stderr}`);
  };
  const { url, ask, start, kill } = processOf({ ...{ as, bin, folder }, name: 'data', port });

  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
  Bun.spawnSync([...as, 'mkdir', archive]);
  appendFileSync(join(data, 'postgresql.auto.conf'), placed(archiving));
  await start(false);
  return {
    ...{ url, ask },
    baseBackup: () => run('pg_basebackup', '-D', base, '-c', 'fast', '-X', 'stream', '-d', url),
    archived: async () => {
      const [last] = await ask('SELECT pg_walfile_name(pg_switch_wal()) AS name');
      await eventually(
        'the log is archived',
        () => existsSync(join(archive, String(last?.['name']))),
        (isThere) => isThere,
        START_LIMIT_MS,
      );
    },
    destroy: async () => {
      await kill();
      rmSync(data, { recursive: true });
    },
    recover: async (moment) => {
      Bun.spawnSync([...as, 'cp', '-a', base, data]);
      const settings = placed(recovering).replace(/(?<=recovery_target_time = ').*(?=')/, moment);
      appendFileSync(join(data, 'postgresql.auto.conf'), settings);
      Bun.spawnSync([...as, 'touch', join(data, 'recovery.signal')]);
      await start(false);
    },
    follow: async () => {
      const to = join(folder, 'replica');
      run('pg_basebackup', '-D', to, '-R', '-c', 'fast', '-X', 'stream', '-d', url);
      const replica = processOf({ ...{ as, bin, folder }, name: 'replica', port: freePort() });
      await replica.start(true);
      return { ...replica, [Symbol.asyncDispose]: replica.kill };
    },
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Place = {
  /**
   * The command prefix that switches from root to an unprivileged user; empty if the test does not
   * run as root.
   */
  readonly as: readonly string[];
  readonly bin: string;
  readonly folder: string;
  /** The name of the data folder inside `folder`. */
  readonly name: string;
  readonly port: number;
};

/** Returns functions that start, query and kill a server. */
function processOf({ as, bin, folder, name, port }: Place) {
  const url = `postgres://postgres:test@127.0.0.1:${port}/postgres`;
  const ask: ArchivedServer['ask'] = async (text) => {
    const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
    try {
      return await sql.unsafe(text);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const log = join(folder, `${name}.log`);
  let server: Subprocess | null = null;
  const start = async (isReplica: boolean): Promise<void> => {
    const args = ['-D', join(folder, name), '-p', String(port), '-k', folder, '-h', '127.0.0.1'];
    server = Bun.spawn([...as, join(bin, 'postgres'), ...args], {
      ...{ cwd: '/', stdin: 'ignore', stdout: 'ignore', stderr: Bun.file(log) },
    });
    await eventually(
      'the server answers',
      async () => {
        if (server?.exitCode !== null) throw new Error(readFileSync(log, 'utf8'));
        const asked = ask('SELECT pg_is_in_recovery() AS waits');
        return await asked.then(([row]) => row?.['waits'], String);
      },
      (waits) => waits === isReplica,
      START_LIMIT_MS,
    );
  };
  const kill = async (): Promise<void> => {
    server?.kill('SIGQUIT');
    await server?.exited;
    server = null;
  };
  return { url, ask, start, kill };
}

/**
 * Gives the folder to an unprivileged user, because PostgreSQL refuses to run as root.
 * @returns the command prefix `as`.
 */
function unprivileged(folder: string): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']));
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  chownSync(folder, uid, gid);
  return ['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups'];
}
