/** The command `upgrade --check`: asks the npm registry whether a newer release exists. */
import { packageManagerEnvironment } from '../../config/runtime.ts';
import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';

const PACKAGE = 'modelgate';
const TIMEOUT_MS = 20_000;

/** The newest version in the registry, or the reason why it is unknown. */
export type LatestRelease =
  | { readonly version: string }
  | { readonly version: null; readonly reason: string };

/**
 * Checks for a newer release but does not install it, because each kind of installation is upgraded
 * differently.
 */
export const upgradeCommand = (
  version: string,
  latestRelease: () => Promise<LatestRelease> = askRegistry,
): Command => ({
  words: 'upgrade',
  summary: 'with --check, look for a newer release in the npm registry; nothing is installed',
  options: { check: 'report whether a newer release exists' },
  run: async ({ print }, input) => {
    if (!input.has('check'))
      throw new CliError(
        'usage',
        'Install the new version the way this one was installed and start it: the first start migrates the database. `modelgate upgrade --check` says whether there is a newer version.',
      );
    const found = await latestRelease();
    if (found.version === null)
      throw new CliError(
        'failed',
        `The npm registry does not say which version of ${PACKAGE} is the latest: ${found.reason}`,
      );
    const latest = found.version;
    const isNewer = Bun.semver.order(latest, version) > 0;
    print({ version, latest, is_newer: isNewer }, () =>
      isNewer
        ? `${latest} is newer than this version, ${version}.`
        : `This version, ${version}, is the latest.`,
    );
    return 0;
  },
});

/** Queries the registry with the runtime's package manager, which respects `.npmrc` and proxies. */
async function askRegistry(): Promise<LatestRelease> {
  const asked = Bun.spawn([process.execPath, 'info', PACKAGE, 'version'], {
    env: packageManagerEnvironment(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: TIMEOUT_MS,
  });
  const [code, stdout, stderr] = await Promise.all([
    asked.exited,
    new Response(asked.stdout).text(),
    new Response(asked.stderr).text(),
  ]);
  const version = stdout.trim();
  if (code === 0 && /^\d+\.\d+\.\d+/.test(version)) return { version };
  const [reason = ''] = stderr.trim().split('\n');
  return { version: null, reason: reason === '' ? 'it did not answer in time' : reason };
}
