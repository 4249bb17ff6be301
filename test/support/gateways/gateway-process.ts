/**
 * For tests: the real gateway as a child process, started through `bin/modelgate` as in production.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { generateKey } from '../../../src/accounts/api-key.ts';
import { systemClock } from '../../../src/clock.ts';

const ROOT = join(import.meta.dir, '../../..');
const ADMIN_TOKEN = 'mga_token-of-the-tests-0123456789abcdef';
/** The time limit of a start. A start takes less than a second, but far more on a busy machine. */
const START_LIMIT_MS = 60_000;
/** The time limit of a stop. A gateway that waited for a running request would take longer. */
const STOP_LIMIT_MS = 20_000;

export type GatewayOptions = {
  /** The text of the configuration file. Default: `shippedConfig()`. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of an earlier gateway, to continue with its data. Default: a new folder. */
  readonly folder?: string;
  readonly credit?: string;
  /** A command that starts the server. The server's own command is appended as its arguments. */
  readonly launcher?: readonly string[];
  /** The path of the `bin/modelgate` to run. Default: the one in this checkout. */
  readonly program?: string;
};

export type GatewayProcess = {
  readonly url: string;
  /** The API key of the first account. */
  readonly key: string;
  readonly adminToken: string;
  /** The folder that contains the configuration file and the data folder. */
  readonly folder: string;
  readonly configPath: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly exited: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  /**
   * Sends SIGTERM, or the given signal, and waits until the process exits.
   * @returns the exit code.
   */
  readonly stop: (name?: NodeJS.Signals) => Promise<number>;
  /** Sends SIGKILL, so that the process cannot clean up. */
  readonly kill9: () => Promise<void>;
  /** Kills the process if it is still running, and deletes its folder. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Returns the shipped `modelgate.yaml` with `config: file`, with built-in models that answer
 * without delays, and with the given edits.
 * @param edits texts to replace, and their replacements. Each text must occur exactly once.
 */
export function shippedConfig(edits: Readonly<Record<string, string>> = {}): string {
  const all = {
    'config: database ': 'config: file     ',
    'tokens_per_second: 120': 'tokens_per_second: 0',
    ...edits,
  };
  let text = readFileSync(join(ROOT, 'modelgate.yaml'), 'utf8');
  for (const [from, to] of Object.entries(all)) {
    if (text.split(from).length !== 2)
      throw new Error(`not exactly once in modelgate.yaml: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

const running = new Set<Subprocess>();
/** Kills the gateways that are still running when this process exits. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts `bin/modelgate` with these arguments: either a gateway, or a command that a test runs
 * while its gateway is running.
 */
export function spawnModelgate(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
  program = join(ROOT, 'bin/modelgate'),
) {
  const child = Bun.spawn([...launcher, program, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    onExit: (ended) => void running.delete(ended),
  });
  running.add(child);
  return child;
}

/** Runs a command of `bin/modelgate` and waits until it exits. */
export async function runModelgate(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const child = spawnModelgate(args, env);
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, stdout, stderr };
}

/**
 * Starts a gateway and waits until it is ready.
 * @throws Error when the gateway exits before it is ready, or is not ready in time.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  const configPath = join(folder, 'modelgate.yaml');
  const dataDir = join(folder, 'data');
  writeFileSync(configPath, options.config ?? shippedConfig());
  const key = firstKey(folder);
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    MODELGATE_DATA_DIR: dataDir,
    MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN,
    MODELGATE_INIT_KEY: key,
    MODELGATE_INIT_CREDIT: options.credit ?? '100 USD',
    ...options.env,
  };
  const { launcher, program } = options;
  const child = spawnModelgate(['serve', '--config', configPath], env, launcher, program);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const url = await Promise.race([
    stdout.find(/Modelgate answers at (\S+)/),
    child.exited.then((code) => Promise.reject(new Error(`exited ${code}: ${stderr.text()}`))),
    Bun.sleep(START_LIMIT_MS).then(() => Promise.reject(new Error(`no start: ${stderr.text()}`))),
  ]).catch((thrown: unknown) => {
    child.kill('SIGKILL');
    throw thrown;
  });
  const stop = async (name: NodeJS.Signals = 'SIGTERM'): Promise<number> => {
    child.kill(name);
    const late = Bun.sleep(STOP_LIMIT_MS).then(() => 'late' as const);
    const code = await Promise.race([child.exited, late]);
    if (code !== 'late') return code;
    child.kill('SIGKILL');
    throw new Error(`did not stop on ${name}: ${stderr.text()}`);
  };
  return {
    url,
    key,
    adminToken: ADMIN_TOKEN,
    folder,
    configPath,
    dataDir,
    pid: child.pid,
    exited: child.exited,
    stdout: stdout.text,
    stderr: stderr.text,
    signal: (name) => child.kill(name),
    stop,
    kill9: async () => {
      await stop('SIGKILL');
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the first account's key. The key is stored in the folder, so that a later gateway in the
 * same folder gets the same key.
 */
function firstKey(folder: string): string {
  const path = join(folder, 'first-key');
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No file exists at the first start in this folder, so a key is generated.
    const key = generateKey(systemClock).reveal();
    writeFileSync(path, key);
    return key;
  }
}

function collect(stream: ReadableStream<Uint8Array>) {
  let text = '';
  let look: () => void = () => {};
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      look();
    }
  };
  void read();
  return {
    text: () => text,
    find: (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        look = () => {
          const found = pattern.exec(text)?.[1];
          if (found !== undefined) resolve(found);
        };
        look();
      }),
  };
}
