/**
 * `npm run build`, also run by `npm ci`: builds the console into `console/dist/`, from where the
 * gateway serves it. Compressible files are also stored compressed, so that no request waits for
 * compression. Nothing is built when the sources have not changed since the last build.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const CONSOLE = import.meta.dirname;
const ROOT = join(CONSOLE, '..');
const DIST = join(CONSOLE, 'dist');
/**
 * The file in `dist` with a digest of the built sources. Its name starts with a dot, so that the
 * gateway does not serve it.
 */
const FINGERPRINT = '.made-from';
/** The file in `dist` that lists the modules of each script. It shows why a script grew. */
const CONTENTS = '.contents.json';
/**
 * The files and folders that decide the result of the build. The lock file is one of them, because
 * it changes with the libraries.
 */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'chunk-groups.ts',
  'page-plugin.ts',
  'texts-plugin.ts',
  'build.ts',
  '../package-lock.json',
  '../docs/guides',
];
/** Files below this size are not compressed: they fit in one network packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;
/**
 * A compressed file is stored only if its size is below this fraction of the original size. Most
 * images and fonts stay above this fraction, because their formats are compressed already.
 */
const WORTHWHILE = 0.95;

const ENCODINGS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
} as const;

/** Maps each script to the scripts that it imports at its start and to the paths of its modules. */
export type Contents = Readonly<
  Record<string, { readonly imports: readonly string[]; readonly modules: readonly string[] }>
>;

type Built = 'built' | 'up to date' | 'no build tools';

/**
 * Brings `console/dist/` up to date. The files are replaced all at once, so a running gateway never
 * serves a mix of two builds.
 * @returns `no build tools` when the development dependencies are not installed.
 * @throws the errors that Vite reports.
 */
async function buildConsole(): Promise<Built> {
  if (!existsSync(join(ROOT, 'node_modules/vite/package.json'))) return 'no build tools';
  const fingerprint = await fingerprintOf(SOURCES.map((source) => join(CONSOLE, source)));
  if ((await textOf(join(DIST, FINGERPRINT))) === fingerprint) return 'up to date';
  const staging = join(ROOT, '.tmp', `console-${process.pid}`);
  const notes: Contents[] = [];
  const { build } = await import('vite');
  await build({
    configFile: join(CONSOLE, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: staging, emptyOutDir: true },
    plugins: [notingContents((contents) => void notes.push(contents))],
  });
  await Promise.all((await filesIn(staging)).map(compress));
  await writeFile(join(staging, CONTENTS), JSON.stringify(notes[0], null, 1));
  await writeFile(join(staging, FINGERPRINT), fingerprint);
  const before = `${staging}-before`;
  if (existsSync(DIST)) await rename(DIST, before);
  await rename(staging, DIST);
  await rm(before, { recursive: true, force: true });
  return 'built';
}

/**
 * Reads which modules each built script contains.
 * @throws when the file cannot be read, for example before the first build.
 */
export const readContents = async (): Promise<Contents> =>
  JSON.parse(await readFile(join(DIST, CONTENTS), 'utf8'));

const notingContents = (note: (contents: Contents) => void): Plugin => ({
  name: 'noting-contents',
  generateBundle(_options, bundle) {
    const scripts = Object.values(bundle).filter((output) => output.type === 'chunk');
    note(
      Object.fromEntries(
        scripts.map(({ fileName, imports, moduleIds }) => [
          fileName,
          { imports, modules: moduleIds.map((id) => relative(ROOT, id)) },
        ]),
      ),
    );
  },
});

async function compress(path: string): Promise<void> {
  // The HTML page is not stored compressed, because the gateway inserts a new nonce into it for
  // each request.
  if (path.endsWith('.html')) return;
  const bytes = await readFile(path);
  if (bytes.byteLength < MIN_COMPRESSED_BYTES) return;
  for (const [extension, encode] of Object.entries(ENCODINGS)) {
    const encoded = await encode(bytes);
    if (encoded.byteLength < bytes.byteLength * WORTHWHILE) {
      await writeFile(`${path}.${extension}`, encoded);
    }
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function fingerprintOf(sources: readonly string[]): Promise<string> {
  const files = await Promise.all(
    sources
      .filter((source) => existsSync(source))
      .map(async (source) => ((await stat(source)).isDirectory() ? filesIn(source) : [source])),
  );
  const hash = createHash('sha256');
  for (const path of files.flat().toSorted()) {
    hash.update(`${relative(CONSOLE, path)}\0`).update(await readFile(path));
  }
  return hash.digest('hex');
}

async function textOf(path: string): Promise<string | null> {
  return existsSync(path) ? await readFile(path, 'utf8') : null;
}

if (import.meta.main) {
  // With the value `development` or `test`, the build would include the checks that libraries run
  // only during development.
  process.env['NODE_ENV'] = 'production';
  const startedMs = performance.now();
  const outcome = await buildConsole();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  switch (outcome) {
    case 'built':
      console.log(`Built the console in ${seconds} s: console/dist`);
      break;
    case 'up to date':
      console.log('The console is already built: console/dist is up to date.');
      break;
    case 'no build tools':
      console.log(
        'The console is not built, because the development dependencies are not installed. Run `npm ci` without --omit=dev, or copy console/dist from another machine. The API works without the console.',
      );
  }
}
