/**
 * `npm run package`: packs the gateway for npm into `modelgate-VERSION.tgz`, with a bill of
 * materials (CycloneDX) beside it. The package contains the built console, and one bundle of the
 * server and its libraries. So npm installs only two dependencies, the runtime and the library
 * sharp, whose native code cannot be bundled.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { bundleInto } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const STAGING = join(ROOT, '.tmp', `package-${process.pid}`);
const INSTALLED = ['bun', 'sharp'] as const;
export const COPIED = [
  'bin/modelgate',
  'bin/bun',
  'console/dist',
  'modelgate.yaml',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'docs',
  'deploy',
];
/** The screenshots, which would be half of the package. */
const SCREENS = join(ROOT, 'docs/screens');

/**
 * The paths of the package and of its bill of materials. The same sources give the same package,
 * byte for byte. The bill of materials differs each time, because it contains the time of its
 * creation.
 */
export type NpmPackage = { readonly archive: string; readonly billOfMaterials: string };

/** Makes the package in a folder. @throws the bundler's errors, and those of npm */
export async function makePackage(folder: string): Promise<NpmPackage> {
  const filter = (source: string): boolean => source !== SCREENS;
  for (const name of COPIED)
    cpSync(join(ROOT, name), join(STAGING, name), { recursive: true, filter });
  // `dist/server` is as deep as a folder of `src`, so relative paths in the code stay correct.
  const serverFiles = await bundleInto(join(STAGING, 'dist/server'), ['sharp']);
  const bundled = packagesOf([...serverFiles, ...consoleFiles()]);
  const licenses = bundled.map(licenseOf).join('\n');
  writeFileSync(
    join(STAGING, 'THIRD-PARTY-LICENSES'),
    `The bundles of Modelgate contain these packages.\n\n${licenses}`,
  );
  writeFileSync(join(STAGING, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  mkdirSync(folder, { recursive: true });
  const packed: readonly { readonly filename: string }[] = npmJson(
    ...['pack', STAGING, '--json', '--pack-destination', folder],
  );
  const archive = join(folder, packed[0]?.filename ?? '');
  const billOfMaterials = archive.replace(/\.tgz$/, '.cdx.json');
  writeFileSync(billOfMaterials, `${JSON.stringify(billOf(bundled), null, 2)}\n`);
  rmSync(STAGING, { recursive: true });
  return { archive, billOfMaterials };
}

function manifest(): object {
  const { name, version, description, license, type, bin, engines, dependencies } = packageJson;
  return {
    ...{ name, version, description, license, type, bin, engines },
    dependencies: Object.fromEntries(INSTALLED.map((each) => [each, dependencies[each]])),
    publishConfig: { access: 'public', provenance: true },
  };
}

/** Returns the paths of the source modules that the console's scripts contain. */
function consoleFiles(): readonly string[] {
  const contents = readFileSync(join(ROOT, 'console/dist/.contents.json'), 'utf8');
  const scripts: Record<string, { readonly modules: readonly string[] }> = JSON.parse(contents);
  return Object.values(scripts).flatMap(({ modules }) => modules);
}

/** Returns the folders of the packages that the files belong to. */
function packagesOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    if (folder !== undefined) folders.add(resolve(ROOT, folder));
  }
  return [...folders].toSorted();
}

const readManifest = (folder: string): { name: string; version: string; license: string } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function licenseOf(folder: string): string {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((each) => /^(un)?licen[cs]e/i.test(each));
  const text =
    file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8');
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}

type Edge = { readonly ref: string; readonly dependsOn?: readonly string[] };
type Bill = {
  readonly metadata: { readonly component: Record<string, unknown> };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly Edge[];
};

/** Returns npm's bill of materials, reduced to the packages that a user gets. */
function billOf(bundled: readonly string[]): Bill {
  const all: Bill = npmJson('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  const { name, version, dependencies } = packageJson;
  const shipped = new Set([`${name}@${version}`]);
  for (const each of bundled.map(readManifest)) shipped.add(`${each.name}@${each.version}`);
  const addWithDependencies = (ref: string): void => {
    if (shipped.has(ref)) return;
    shipped.add(ref);
    const edge = all.dependencies.find((each) => each.ref === ref);
    edge?.dependsOn?.forEach(addWithDependencies);
  };
  for (const each of INSTALLED) addWithDependencies(`${each}@${dependencies[each]}`);
  const component = { ...all.metadata.component, name, properties: [] };
  return {
    ...all,
    metadata: { ...all.metadata, component },
    components: all.components.filter((each) => shipped.has(each['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((each) => shipped.has(each)),
      })),
  };
}

function npmJson<Answer>(...args: readonly string[]): Answer {
  const { stdout, stderr, success } = Bun.spawnSync(['npm', ...args], { cwd: ROOT });
  if (!success) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return JSON.parse(stdout.toString());
}

if (import.meta.main) {
  const { archive, billOfMaterials } = await makePackage(ROOT);
  console.log(`${archive}\n${billOfMaterials}`);
}
