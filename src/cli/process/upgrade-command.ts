/** `upgrade --check`: asks the npm registry whether a newer release exists. */
import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';

const REGISTRY = 'https://registry.npmjs.org';
const PACKAGE = 'modelgate';
const TIMEOUT_MS = 10_000;

type Deps = {
  readonly version: string;
  readonly fetch: (request: Request) => Promise<Response>;
};

/** Nothing is installed: how a gateway was installed, only its operator knows. */
export const upgradeCommand = ({ version, fetch }: Deps): Command => ({
  words: 'upgrade',
  summary: 'with --check, ask the npm registry for a newer release; nothing is installed',
  options: [
    { name: 'check', value: null, summary: 'say whether a newer release exists' },
    { name: 'registry', value: 'URL', summary: `another npm registry than ${REGISTRY}` },
  ],
  run: async ({ print }, input) => {
    if (!input.has('check'))
      throw new CliError(
        'usage',
        'Install the new version the way this one was installed and start it: the first start migrates the database. `modelgate upgrade --check` says whether there is a newer version.',
      );
    const registry = input.text('registry') ?? REGISTRY;
    const latest = await latestRelease(registry, fetch);
    const isNewer = Bun.semver.order(latest, version) > 0;
    print({ version, latest, is_newer: isNewer }, () =>
      isNewer
        ? `${latest} is newer than this version, ${version}. Its changes: https://www.npmjs.com/package/${PACKAGE}/v/${latest}`
        : `This version, ${version}, is the latest${latest === version ? '' : `; the registry has ${latest}`}.`,
    );
    return 0;
  },
});

/** @throws CliError when the registry cannot be reached, or does not know the package. */
async function latestRelease(registry: string, fetch: Deps['fetch']): Promise<string> {
  const address = `${registry.replace(/\/$/, '')}/${PACKAGE}/latest`;
  const failed = (reason: string) =>
    new CliError('failed', `${address} does not say which version is the latest: ${reason}.`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(new Request(address, { signal })).catch((thrown: unknown) => {
    throw failed(thrown instanceof Error ? thrown.message : String(thrown));
  });
  if (!response.ok) throw failed(`status ${response.status}`);
  const body: unknown = await response.json().catch(() => null);
  const found =
    typeof body === 'object' && body !== null && 'version' in body ? body.version : null;
  if (typeof found !== 'string' || !/^\d+\.\d+\.\d+/.test(found))
    throw failed('no version in its answer');
  return found;
}
