import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';

/** The packages that a starting gateway loads. All others are loaded on first use. */
const LOADED = ['@noble/ciphers', 'hono', 'js-yaml', 'zod'];
/** Maximum number of JavaScript objects of a started server. Currently, it has 70,000. */
const MAX_OBJECTS = 73_000;

const SERVE = join(import.meta.dir, 'serve.ts');
const ON_DEMAND = join(import.meta.dir, '../config/document/on-demand.ts');
const REPORT = `
  const { heapStats } = require('bun:jsc');
  await import('${SERVE}');
  // A real start frees the schemas of the settings after reading the settings.
  const { freeSchemas } = await import('${ON_DEMAND}');
  freeSchemas();
  Bun.gc(true);
  const files = Object.keys(require.cache);
  console.log(JSON.stringify({ files, objects: heapStats().objectCount }));
`;

let files: readonly string[];
let objects: number;
beforeAll(async () => {
  const child = Bun.spawn([process.execPath, '-e', REPORT], { stdout: 'pipe' });
  ({ files, objects } = await new Response(child.stdout).json());
});

describe('a starting server', () => {
  test('loads no package that only some gateways or requests use', () => {
    const names = files.flatMap(
      (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
    );
    expect([...new Set(names)].toSorted()).toEqual(LOADED);
  });

  test('loads no code of the command line or of PostgreSQL', () => {
    const isSpare = /\/src\/cli\/|\/postgres\/[^/]+\.ts$/;
    expect(files.filter((file) => isSpare.test(file))).toEqual([]);
  });

  test('loads no demo models, unless an upstream of the configuration has them', () => {
    const isDemo = (file: string) =>
      /\/src\/builtin\//.test(file) && !file.endsWith('/builtin-upstream.ts');
    expect(files.filter(isDemo)).toEqual([]);
  });

  test('loads no routes for administrators, people and reports', () => {
    const isLater = /\/other-routes\.ts$|\/src\/http\/(?:admin|console)\/[^/]+-routes\.ts$/;
    expect(files.filter((file) => isLater.test(file))).toEqual([]);
  });

  test(`has at most ${MAX_OBJECTS} objects`, () => {
    expect(objects).toBeLessThan(MAX_OBJECTS);
  });
});
