/**
 * `npm run binary [-- TARGET...]`: builds `modelgate-TARGET`, the gateway in one file with the
 * runtime and the console. Only the library sharp is missing, because its native code must be in
 * separate files.
 */
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** The systems that a binary can be built for. The runtime of each comes from the npm registry. */
export const TARGETS = ['linux-x64', 'linux-arm64'] as const;
export type Target = (typeof TARGETS)[number];

/** Builds a binary and returns its path. @throws the bundler's errors */
export async function buildBinary(target: Target, folder: string): Promise<string> {
  const staging = join(ROOT, '.tmp', `binary-${process.pid}`);
  const outfile = join(folder, `modelgate-${target}`);
  // The binary contains no gzip files: browsers take the Brotli files, and other clients take the
  // uncompressed files. It also contains no hidden files, which only the build uses.
  const isWanted = (path: string): boolean => !/\.gz$|\/\.[^/]+$/.test(path.slice(ROOT.length));
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'console/dist'), join(staging, 'console/dist'), {
    recursive: true,
    filter: (path) => path.startsWith(staging) || isWanted(path),
  });
  await Bun.build({
    entrypoints: [
      'bin/standalone.ts',
      'src/ledger/sqlite/sqlite-worker.ts',
      'src/store/sqlite/sqlite-file-worker.ts',
    ].map((name) => join(ROOT, name)),
    root: ROOT,
    target: 'bun',
    splitting: true,
    // `dist/server` is as deep as a folder of `src`, so relative paths in the code stay correct.
    naming: { entry: 'dist/server/[name].[ext]', chunk: 'dist/server/chunk-[hash].[ext]' },
    // Names are not shortened, so that stack traces can be read.
    minify: { whitespace: true, syntax: true },
    external: ['sharp'],
    define: { RUNTIME_SETTINGS: JSON.stringify(runtimeSettings()) },
    compile: {
      target: `bun-${target}`,
      outfile,
      assets: [join(staging, 'console'), join(ROOT, 'modelgate.yaml')],
      autoloadBunfig: false,
    },
  });
  rmSync(staging, { recursive: true });
  return outfile;
}

/**
 * Reads the runtime's settings from the launchers, so that each setting is defined in only one
 * place.
 */
function runtimeSettings(): Readonly<Record<string, string>> {
  const launchers = ['bin/modelgate', 'bin/bun'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  );
  const exported = launchers.join('').matchAll(/^export (\w+)="\$\{\1:-([\d.]+)\}"$/gm);
  return Object.fromEntries([...exported].map(([, name = '', value = '']) => [name, value]));
}

if (import.meta.main) {
  const asked = process.argv.slice(2);
  const unknown = asked.find((each) => !TARGETS.some((target) => target === each));
  if (unknown !== undefined) throw new Error(`no target ${unknown}: ${TARGETS.join(', ')}`);
  const here = `linux-${process.arch}`;
  for (const target of TARGETS.filter((each) =>
    asked.length > 0 ? asked.includes(each) : each === here,
  ))
    console.log(await buildBinary(target, ROOT));
}
