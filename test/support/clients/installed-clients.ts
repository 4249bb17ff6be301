/**
 * For tests: clients that are not among the gateway's own dependencies, because they are large or
 * not from npm. Each set of clients has its own list of exact versions. A set is installed again
 * only when its list or the runtime's version changes.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
export const CLIENT_FILES = join(ROOT, 'test/clients');
export const INSTALLED = join(ROOT, '.tmp/clients');
/**
 * The time limit of an installation, which takes 15 s, but more on a slow network or a busy
 * machine.
 */
export const INSTALL_LIMIT_MS = 600_000;

type Installer = {
  /** The command that prints the version of the runtime for which the clients are installed. */
  readonly runtime: readonly string[];
  /** The folder with the lists of packages. */
  readonly source: string;
  /** The names of the files that list the packages to install. */
  readonly lists: readonly string[];
  readonly command: (folder: string) => readonly string[];
};

const nodeFrom = (source: string, act: 'ci' | 'install'): Installer => ({
  source,
  runtime: ['node', '--version'],
  lists: ['package.json', 'package-lock.json'],
  command: () => ['npm', act, '--no-audit', '--no-fund', '--ignore-scripts'],
});
const pythonFrom = (source: string, list: string): Installer => ({
  source,
  runtime: ['python3', '--version'],
  lists: [list],
  // The list names every dependency, so pip need not resolve any (`--no-deps`). Every package has a
  // prebuilt wheel, so nothing is compiled (`--only-binary`).
  command: (folder) =>
    `python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile
    --no-deps --only-binary :all: --target ${join(folder, 'packages')} -r ${list}`.split(/\s+/),
});

/** Installs the JavaScript libraries. @returns the path of a folder with `node_modules`. */
export const nodeClients = (): Promise<string> => installed('node', nodeFrom(CLIENT_FILES, 'ci'));
/**
 * Installs the Python libraries.
 * @returns the path of a folder with `packages`, for `PYTHONPATH`.
 */
export const pythonClients = (): Promise<string> =>
  installed('python', pythonFrom(CLIENT_FILES, 'requirements.txt'));

const TOOL_FILES = join(CLIENT_FILES, 'tools');
/**
 * Installs the coding agents of the guides. Uses `npm install`, because `npm ci` would refuse the
 * list of packages. The agents depend on packages for other operating systems that the registry
 * does not have.
 * @returns the path of a folder with `node_modules`.
 */
export const nodeTools = (): Promise<string> => installed('tools', nodeFrom(TOOL_FILES, 'install'));
/**
 * Installs the library that Cherry Studio uses. It needs an older version of the package `ai`, so
 * it has its own list of packages.
 * @returns the path of a folder with `node_modules`.
 */
export const cherryStudio = (): Promise<string> =>
  installed('cherry-studio', nodeFrom(join(CLIENT_FILES, 'cherry-studio'), 'ci'));
/**
 * Installs a Python program or library of the guides. Each has its own list of packages, because
 * they need different versions of shared libraries.
 * @returns the path of a folder with `packages`, for `PYTHONPATH`.
 */
export const pythonTool = (name: string): Promise<string> =>
  installed(name, pythonFrom(TOOL_FILES, `${name}.txt`));

async function installed(name: string, installer: Installer): Promise<string> {
  const { source, lists, runtime, command } = installer;
  const texts = await Promise.all(lists.map((list) => readFile(join(source, list), 'utf8')));
  const version = await outputOf(runtime, CLIENT_FILES);
  const folder = join(
    INSTALLED,
    `${name}-${Bun.hash([version, ...texts].join('\0')).toString(36)}`,
  );
  if (existsSync(folder)) return folder;
  mkdirSync(INSTALLED, { recursive: true });
  const partial = mkdtempSync(join(INSTALLED, `${name}-partial-`));
  try {
    for (const list of lists) copyFileSync(join(source, list), join(partial, list));
    await outputOf(command(partial), partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/**
 * Runs a command and returns its output.
 * @throws Error with all of the command's output if the command fails.
 */
async function outputOf(command: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stderr: 'pipe', stdout: 'pipe' });
  const [code, ...said] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${said.join('')}`);
  return said.join('');
}
