/**
 * `npm run build`, also run by `npm ci`: bundles the server into `dist/`. From a bundle,
 * `bin/modelgate` starts sooner and with less memory than from the 800 source files. The name of a
 * bundle's folder is the fingerprint of its sources, so `bin/modelgate` never starts an outdated
 * bundle. If there is no bundle of the present sources, it runs the sources.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
/** The entry points of the program and of its threads. */
const ENTRIES = [
  'src/main.ts',
  'src/ledger/sqlite/sqlite-worker.ts',
  'src/store/sqlite/sqlite-file-worker.ts',
];
/**
 * Packages that the bundle does not contain, because only some gateways load them, or because they
 * find their native code by its path.
 */
const LEFT_OUT = [
  '@simplewebauthn/server',
  'nodemailer',
  'openid-client',
  'postgres',
  'sharp',
  'stripe',
];
/** The number of bundles to keep. A running gateway may still load files of an earlier bundle. */
const KEPT_BUNDLES = 3;

type Result = 'built' | 'up to date' | 'not built, because bin/fingerprint failed';

/**
 * Builds the bundle of the present sources. Does nothing if this bundle exists already, or if
 * `bin/fingerprint` fails.
 * @throws the bundler's errors, and an Error if a source changes during the build.
 */
export async function buildBundle(): Promise<Result> {
  const name = fingerprint();
  if (name === null) return 'not built, because bin/fingerprint failed';
  // The bundle's folder is as deep as a folder of `src`, so relative paths in the code stay
  // correct.
  const folder = join(DIST, name);
  if (existsSync(folder)) return 'up to date';
  const staging = join(ROOT, '.tmp', `bundle-${process.pid}`);
  await bundleInto(staging, LEFT_OUT);
  if (fingerprint() !== name) {
    rmSync(staging, { recursive: true });
    throw new Error('The sources changed while the bundle was built. Run `npm run build` again.');
  }
  mkdirSync(DIST, { recursive: true });
  removeOldBundles();
  try {
    renameSync(staging, folder);
  } catch (thrown) {
    // Another process may have built the same bundle at the same time.
    if (!existsSync(folder)) throw thrown;
    rmSync(staging, { recursive: true });
  }
  return 'built';
}

/** Bundles the present sources into a folder, and returns the paths of all bundled files. */
export async function bundleInto(
  folder: string,
  leftOut: readonly string[],
): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    entrypoints: ENTRIES.map((name) => join(ROOT, name)),
    outdir: folder,
    target: 'bun',
    splitting: true,
    // Names are not shortened, so that stack traces can be read.
    minify: { whitespace: true, syntax: true },
    naming: { entry: '[name].[ext]' },
    // With source maps, stack traces name the source files.
    sourcemap: 'linked',
    external: [...leftOut],
    metafile: true,
  });
  return Object.keys(metafile?.inputs ?? {});
}

function fingerprint(): string | null {
  const { stdout, success } = Bun.spawnSync([join(ROOT, 'bin/fingerprint')], { stderr: 'inherit' });
  return success ? stdout.toString().trim() : null;
}

function removeOldBundles(): void {
  const found = readdirSync(DIST).map((name) => join(DIST, name));
  const newestFirst = found.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of newestFirst.slice(KEPT_BUNDLES - 1)) {
    rmSync(old, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(`The server's bundle is ${await buildBundle()}: dist`);
