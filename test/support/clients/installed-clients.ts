/**
 * For tests: clients that `npm ci` of the gateway does not install, because they are large or not
 * from npm. Each set is installed from its own list of exact versions, once per list.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
export const CLIENT_FILES = join(ROOT, 'test/clients');
const INSTALLED = join(ROOT, '.tmp/clients');
/** An installation takes about 15 s; a slow network or a loaded machine gets much more. */
export const INSTALL_LIMIT_MS = 600_000;

type Installer = {
  /** The files that decide what is installed. */
  readonly lists: readonly string[];
  readonly command: (folder: string) => readonly string[];
};

const NODE: Installer = {
  lists: ['package.json', 'package-lock.json'],
  command: () => ['npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts'],
};
const PYTHON: Installer = {
  lists: ['requirements.txt'],
  // The list is complete, so nothing has to be resolved, and every package has a wheel.
  command: (folder) =>
    `python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile
    --no-deps --only-binary :all: --target ${join(folder, 'packages')} -r requirements.txt`.split(
      /\s+/,
    ),
};

/** @returns a folder with `node_modules`. */
export const nodeClients = (): Promise<string> => installed('node', NODE);
/** @returns a folder with `packages`, for `PYTHONPATH`. */
export const pythonClients = (): Promise<string> => installed('python', PYTHON);

async function installed(name: string, { lists, command }: Installer): Promise<string> {
  const texts = await Promise.all(lists.map((list) => readFile(join(CLIENT_FILES, list), 'utf8')));
  const hash = Bun.hash([process.version, ...texts].join('\0')).toString(36);
  const folder = join(INSTALLED, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  mkdirSync(INSTALLED, { recursive: true });
  const partial = mkdtempSync(join(INSTALLED, `${name}-partial-`));
  try {
    for (const list of lists) copyFileSync(join(CLIENT_FILES, list), join(partial, list));
    const child = Bun.spawn([...command(partial)], {
      cwd: partial,
      stderr: 'pipe',
      stdout: 'pipe',
    });
    const [code, ...said] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if (code !== 0) throw new Error(`the ${name} clients cannot be installed: ${said.join('')}`);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}
