/** Tests the npm package as a new user installs it: with `npx` and an empty cache. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePackage } from '../../bin/package.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { INSTALL_LIMIT_MS } from '../support/clients/installed-clients.ts';

const MOST_MEGABYTES = 150;

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-npx-'));
  ({ archive } = await makePackage(folder));
}, INSTALL_LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'npx installs and runs it, small and with no install script but that of the runtime',
  () => {
    const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
    const npx = ['npx', '--yes', `--package=${archive}`, 'modelgate', '--version'];
    const { stdout, stderr } = Bun.spawnSync(npx, { cwd: folder, env });
    expect(stdout.toString().trim(), stderr.toString()).toBe(packageJson.version);
    const [install = ''] = readdirSync(join(folder, 'cache/_npx'));
    const modules = join(folder, 'cache/_npx', install, 'node_modules');
    const [kilobytes = ''] = Bun.spawnSync(['du', '-sk', modules]).stdout.toString().split('\t');
    expect(Number(kilobytes) / 1024).toBeLessThan(MOST_MEGABYTES);
    const installed = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
    const withScript = Object.entries<{ hasInstallScript?: boolean }>(installed.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path);
    expect(withScript).toEqual(['node_modules/bun']);
  },
  INSTALL_LIMIT_MS,
);
