/**
 * Follows the guides for agents, libraries and languages exactly as written: stores the files of
 * each section in a folder, and runs the section's commands there with the real programs against a
 * gateway.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Section, sectionsOf, WRITTEN_ADDRESS } from '../support/clients/guide-blocks.ts';
import {
  INSTALL_LIMIT_MS,
  INSTALLED,
  nodeTools,
  pythonTool,
} from '../support/clients/installed-clients.ts';
import { type GatewayProcess, startGateway } from '../support/gateways/gateway-process.ts';
import { at, listAt } from '../support/wire.ts';

let gateway: GatewayProcess;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = mkdtempSync(join(tmpdir(), 'modelgate-tools-'));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;
const PATH = process.env['PATH'] ?? '';

const inNode = async (): Promise<Environment> => {
  const packages = join(await nodeTools(), 'node_modules');
  // The install script that links the executable of opencode does not run, so the folder of the
  // executable is added to the PATH.
  const opencode = join(packages, `opencode-${process.platform}-${process.arch}/bin`);
  return { PATH: `${opencode}:${join(packages, '.bin')}:${PATH}` };
};
const inPython = (name: string) => async (): Promise<Environment> => {
  const packages = join(await pythonTool(name), 'packages');
  return { PATH: `${join(packages, 'bin')}:${PATH}`, PYTHONPATH: packages };
};
/**
 * The environment of Go and Maven. They install the packages that a section's files name. Downloads
 * and compiled code are cached.
 */
const inCompiled = async (): Promise<Environment> => ({
  GOPATH: join(INSTALLED, 'go'),
  GOCACHE: join(INSTALLED, 'go-cache'),
  MAVEN_OPTS: `-Dmaven.repo.local=${join(INSTALLED, 'maven')}`,
});

const RUN: Readonly<Record<string, () => Promise<Environment>>> = {
  'agents.md: opencode': inNode,
  'agents.md: Cline': inNode,
  'agents.md: Continue': inNode,
  'agents.md: Qwen Code': inNode,
  'agents.md: aider': inPython('aider'),
  'python.md: LangChain': inPython('langchain'),
  'python.md: LlamaIndex': inPython('llamaindex'),
  'python.md: pydantic-ai': inPython('pydantic-ai'),
  'python.md: LiteLLM': inPython('litellm'),
  'go-java.md: Go': inCompiled,
  'go-java.md: Java': inCompiled,
};
/**
 * The commands that stop background processes, for the sections whose programs leave such processes
 * running.
 */
const STOP: Readonly<Record<string, string>> = { 'agents.md: Cline': 'cline hub stop' };
/** Sections whose programs are not run here. Other tests check the contents of these sections. */
const READ = ['agents.md: Cursor', 'python.md: OpenAI and Anthropic'];

const sections = ['agents.md', 'python.md', 'go-java.md'].flatMap(sectionsOf);
const named = sections
  .filter(({ where }) => where in RUN)
  .map((section): [string, Section] => [section.where, section]);

test('every section with a program is run', () => {
  expect(sections.map(({ where }) => where).toSorted()).toEqual(
    [...Object.keys(RUN), ...READ].toSorted(),
  );
});

async function run(command: string, cwd: string, env: Environment) {
  const child = Bun.spawn(['bash', '-c', command], {
    cwd,
    env: { PATH, HOME: cwd, KEY: gateway.key, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, stdout, stderr };
}

/** Returns the number of completed requests for each model. */
async function completed(): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`${gateway.url}/v1/requests?limit=1000`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  const counts: Record<string, number> = {};
  for (const request of listAt(await answer.json(), 'data')) {
    const model = String(at(request, 'model'));
    if (at(request, 'outcome') === 'completed') counts[model] = (counts[model] ?? 0) + 1;
  }
  return counts;
}

const here = (text: string): string => text.replaceAll(WRITTEN_ADDRESS, gateway.url);
/** Returns the models that the files and commands of a section name. */
const modelsIn = ({ files, commands }: Section): string[] => [
  ...new Set([...files.map(({ text }) => text), ...commands].join('\n').match(/\bgen-[\w-]+/g)),
];

describe.each(named)('%s', (where, section) => {
  let env: Environment;
  beforeAll(async () => {
    env = (await RUN[where]?.()) ?? {};
  }, INSTALL_LIMIT_MS);

  test(
    'runs as written, and each model that it names answers',
    async () => {
      const cwd = join(folder, where.replaceAll(/\W+/g, '-'));
      mkdirSync(cwd, { recursive: true });
      for (const { name, text } of section.files) {
        const path = join(cwd, name.replace(/^~\//, ''));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, here(text));
      }
      expect(section.commands).not.toEqual([]);
      const before = await completed();
      for (const command of section.commands) {
        const { code, stdout, stderr } = await run(here(command), cwd, env);
        expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
      }
      const stop = STOP[where];
      if (stop !== undefined) await run(stop, cwd, env);
      const after = await completed();
      const answered = modelsIn(section).filter(
        (model) => (after[model] ?? 0) > (before[model] ?? 0),
      );
      expect(answered).toEqual(modelsIn(section));
    },
    INSTALL_LIMIT_MS,
  );
});

test(
  'Open WebUI reads every variable of the guide',
  async () => {
    const section = sectionsOf('chat-apps.md').find(({ where }) => where.endsWith('Open WebUI'));
    const variables = section?.text.match(/^[A-Z_]+(?==)/gm) ?? [];
    expect(variables.length).toBeGreaterThan(5);
    const source = join(await pythonTool('open-webui'), 'packages/open_webui/config.py');
    const read = readFileSync(source, 'utf8').match(/(?<=['"])[A-Z_]+(?=['"])/g) ?? [];
    expect(read).toEqual(expect.arrayContaining(variables));
  },
  INSTALL_LIMIT_MS,
);
