/** The processes that a benchmark starts. Each is pinned to a core, logged, and always ended. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { systemClock } from '../src/clock.ts';

/**
 * The time limit for a child to become ready. Some other vendors' gateways load their code for half
 * a minute.
 */
const READY_WITHIN_MS = 90_000;
const READY_EVERY_MS = 5;
const END_WITHIN_MS = 5_000;
/**
 * The open-file limit of a child, enough for 10,000 streams with a socket on each side of a
 * gateway.
 */
const WANTED_OPEN_FILES = 65_536;
const RAISE_LIMIT = `ulimit -n ${WANTED_OPEN_FILES} 2>/dev/null || ulimit -n "$(ulimit -Hn)"`;
const LOG_TAIL_BYTES = 2_000;

export type Command = {
  /** The name of the process in messages, and of its log file. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The CPU core for the process; null leaves the choice to the scheduler. */
  readonly core: number | null;
};

export type Child = { readonly name: string; readonly pid: number };

export class Children implements AsyncDisposable {
  readonly #logFolder: string;
  readonly #running = new Map<number, { readonly process: Subprocess; readonly log: string }>();
  readonly #killAll = (): void => {
    for (const { process } of this.#running.values()) process.kill('SIGKILL');
  };

  constructor(logFolder: string) {
    this.#logFolder = logFolder;
    // Kills the children if this process exits before it ends them.
    process.once('exit', this.#killAll);
  }

  start(command: Command): Child {
    const log = join(this.#logFolder, `${command.name}.log`);
    const out = openSync(log, 'a');
    const started = Bun.spawn([...placed(command)], {
      env: { ...process.env, ...command.env },
      stdin: 'ignore',
      stdout: out,
      stderr: out,
    });
    closeSync(out);
    this.#running.set(started.pid, { process: started, log });
    return { name: command.name, pid: started.pid };
  }

  /**
   * Resolves when the child is ready, that is, when `address` answers with status 200.
   * @throws Error with the end of the child's log if the child exits first or takes too long.
   */
  async ready(child: Child, address: string): Promise<void> {
    const untilMs = systemClock.monotonicMs() + READY_WITHIN_MS;
    while (!(await answers(address))) {
      const end = this.endOf(child);
      if (end !== null) throw new Error(end);
      if (systemClock.monotonicMs() > untilMs) {
        throw new Error(`${child.name} was not ready in ${READY_WITHIN_MS} ms`);
      }
      await systemClock.sleep(READY_EVERY_MS);
    }
  }

  /**
   * Returns a message that says how the child ended and quotes the end of its log; null while it
   * runs.
   */
  endOf(child: Child): string | null {
    const running = this.#running.get(child.pid);
    if (running === undefined) return `${child.name} has been ended`;
    const { exitCode, signalCode } = running.process;
    if (exitCode === null && signalCode === null) return null;
    const log = readFileSync(running.log, 'utf8').slice(-LOG_TAIL_BYTES);
    return `${child.name} ended with ${signalCode ?? exitCode}; its log ends with:\n${log}`;
  }

  /**
   * Runs a command with `input` on its standard input and resolves with its output.
   * @throws Error with the command's error output when it fails or takes longer than `withinMs`.
   */
  async answer(command: Command, input: string, withinMs: number): Promise<string> {
    const process = Bun.spawn([...placed(command)], {
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: withinMs,
      killSignal: 'SIGKILL',
    });
    this.#running.set(process.pid, { process, log: '' });
    const [printed, complaint] = await Promise.all([
      new Response(process.stdout).text(),
      new Response(process.stderr).text(),
      process.exited,
    ]);
    this.#running.delete(process.pid);
    if (process.exitCode === 0) return printed;
    const why = process.signalCode === null ? complaint : `ended by ${process.signalCode}`;
    throw new Error(`${command.name}: ${why.slice(-LOG_TAIL_BYTES)}`);
  }

  async end(child: Child): Promise<void> {
    const running = this.#running.get(child.pid);
    if (running === undefined) return;
    running.process.kill('SIGTERM');
    const kill = systemClock.after(END_WITHIN_MS, () => running.process.kill('SIGKILL'));
    await running.process.exited;
    kill.cancel();
    this.#running.delete(child.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const children = [...this.#running.keys()].map((pid) => ({ name: '', pid }));
    await Promise.all(children.map((child) => this.end(child)));
    process.off('exit', this.#killAll);
  }
}

/**
 * Returns a shell command that raises the open-file limit and pins the process to its core. `sh`
 * and `taskset` start the command with `exec`, so the pid is that of the measured process.
 */
function placed(command: Pick<Command, 'argv' | 'core'>): readonly string[] {
  const pin = command.core === null ? [] : ['taskset', '-c', String(command.core)];
  return ['sh', '-c', `${RAISE_LIMIT}; exec "$@"`, 'sh', ...pin, ...command.argv];
}

/**
 * Returns the open-file limit that a child gets: the wanted number, or the system's maximum if that
 * is lower.
 */
export function openFileLimit(): number {
  const asked = Bun.spawnSync(['sh', '-c', `${RAISE_LIMIT}; ulimit -n`]);
  return Number(asked.stdout.toString());
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(READY_WITHIN_MS) })).ok;
  } catch {
    // The connection was refused, because nothing listens yet.
    return false;
  }
}
