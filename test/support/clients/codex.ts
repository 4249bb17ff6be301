/** For tests: one run of `codex exec` in its own folder, against a gateway. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { at } from '../wire.ts';
import { nodeClients } from './installed-clients.ts';

/** The time limit of a run. A run takes a few seconds, but more on a busy machine. */
const RUN_LIMIT_MS = 120_000;

export type CodexTask = {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  /** The contents of files in the working folder, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly args?: readonly string[];
  /** Tables that are added to the end of `config.toml`. */
  readonly tables?: string;
  /** A complete `config.toml` that replaces the default settings of these tests. */
  readonly config?: string;
};

export type CodexRun = {
  readonly code: number;
  /** The items that Codex reports as completed. */
  readonly items: readonly unknown[];
  /** The text of the model's last message. */
  readonly message: string;
  /** The errors of the turns that failed. */
  readonly errors: readonly string[];
  /** The tokens that Codex counted for the whole task: input, cached input and output. */
  readonly usage: unknown;
  readonly output: string;
  readonly folder: string;
  readonly [Symbol.dispose]: () => void;
};

/**
 * Returns the settings that the guide recommends, but without retries, because a retry would hide a
 * failure.
 */
const configOf = ({ url, model, tables = '' }: CodexTask): string => `
model = "${model}"
model_provider = "modelgate"
[model_providers.modelgate]
name = "Modelgate"
base_url = "${url}/v1"
env_key = "MODELGATE_API_KEY"
request_max_retries = 0
stream_max_retries = 0
${tables}
`;

/**
 * Runs Codex and waits until it exits.
 * @param earlier a previous run. The new run continues the session of that run, in the same folder.
 */
export async function runCodex(task: CodexTask, earlier?: CodexRun): Promise<CodexRun> {
  const root =
    earlier === undefined
      ? mkdtempSync(join(tmpdir(), 'modelgate-codex-'))
      : dirname(earlier.folder);
  const [home, folder] = [join(root, 'home'), join(root, 'work')];
  for (const each of [home, folder]) mkdirSync(each, { recursive: true });
  writeFileSync(join(home, 'config.toml'), task.config ?? configOf(task));
  for (const [name, text] of Object.entries(task.files ?? {}))
    writeFileSync(join(folder, name), text);
  const program = join(await nodeClients(), 'node_modules/@openai/codex/bin/codex.js');
  // The sandbox is off. The test scripts all commands of the model, and they run in the working
  // folder, so nothing needs to be restricted.
  const args = ['exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access'];
  if (earlier !== undefined) args.push('resume', '--last');
  const child = Bun.spawn(['node', program, ...args, ...(task.args ?? []), '--', task.prompt], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      CODEX_HOME: home,
      MODELGATE_API_KEY: task.key,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: RUN_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const events = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): unknown => JSON.parse(line));
  const ofType = (type: string): readonly unknown[] =>
    events.filter((event) => at(event, 'type') === type);
  const items = ofType('item.completed').map((event) => at(event, 'item'));
  const messages = items.filter((item) => at(item, 'type') === 'agent_message');
  return {
    code,
    items,
    message: String(at(messages.at(-1), 'text') ?? ''),
    errors: ofType('turn.failed').map((event) => String(at(event, 'error.message'))),
    usage: at(ofType('turn.completed').at(-1), 'usage'),
    output: stdout + stderr,
    folder,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
