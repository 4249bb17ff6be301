/** For tests: PgBouncer with deploy/pgbouncer.ini, in front of a test's PostgreSQL server. */
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import postgres from 'postgres';
import { systemClock } from '../../src/clock.ts';

const FILE = join(import.meta.dir, '../../deploy/pgbouncer.ini');
const START_LIMIT_MS = 10_000;
/** The PATH, extended by the folder in which Debian installs daemons. */
const PATH = `${process.env['PATH']}:/usr/sbin`;

export type Pgbouncer = {
  readonly port: number;
  /** The URL that leads to the database through PgBouncer. */
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly kill9: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
}

/**
 * Returns the text of deploy/pgbouncer.ini with each key of `edits` replaced by its value.
 * @throws Error unless each key occurs exactly once.
 */
function edited(edits: Readonly<Record<string, string>>): string {
  let text = readFileSync(FILE, 'utf8');
  for (const [from, to] of Object.entries(edits)) {
    if (text.split(from).length !== 2) throw new Error(`not once in deploy/pgbouncer.ini: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

/**
 * Starts PgBouncer.
 * @param database the URL of the server's database. PgBouncer connects with the user in this URL.
 */
export async function startPgbouncer(
  database: string,
  edits: Readonly<Record<string, string>> = {},
): Promise<Pgbouncer> {
  if (Bun.which('pgbouncer', { PATH }) === null)
    throw new Error("needs Debian's package pgbouncer");
  const { hostname, port: serverPort, pathname, username, password } = new URL(database);
  const name = pathname.slice(1);
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-pgbouncer-'));
  const port = freePort();
  const users = join(folder, 'userlist.txt');
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    edited({
      'modelgate = host=10.0.0.5 port=5432 dbname=modelgate': `${name} = host=${hostname} port=${serverPort}`,
      'listen_port = 6432': `listen_port = ${port}`,
      '/etc/pgbouncer/userlist.txt': users,
      ...edits,
    }),
  );
  const command = ['pgbouncer', '--quiet', file];
  if (process.getuid?.() === 0) {
    // PgBouncer refuses to run as root, so it runs as the user `nobody`.
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody']));
    const [uid, gid] = [idOf('-u'), idOf('-g')];
    for (const each of [folder, users, file]) chownSync(each, uid, gid);
    command.unshift('setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups');
  }
  const url = `postgres://${username}:${password}@127.0.0.1:${port}/${name}`;
  let child: Subprocess | null = null;
  const kill9 = async (): Promise<void> => {
    child?.kill('SIGKILL');
    await child?.exited;
    child = null;
  };
  const start = async (): Promise<void> => {
    child = Bun.spawn(command, { env: { PATH }, stdout: 'ignore', stderr: 'ignore' });
    await answering(url).catch(async (thrown) => {
      await kill9();
      throw thrown;
    });
  };
  await start();
  return {
    ...{ port, url, start, kill9 },
    [Symbol.asyncDispose]: async () => {
      await kill9();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  const untilMs = systemClock.monotonicMs() + START_LIMIT_MS;
  for (;;) {
    const sql = postgres(url, { max: 1, connect_timeout: 1, prepare: false });
    try {
      await sql.unsafe('SELECT 1');
      return;
    } catch (thrown) {
      if (systemClock.monotonicMs() > untilMs) throw thrown;
      await systemClock.sleep(50);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }
}
