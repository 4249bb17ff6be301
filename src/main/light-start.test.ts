import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';

/** The packages that a starting gateway loads. Every other one waits until it is used. */
const LOADED = ['@noble/ciphers', 'hono', 'pino', 'prom-client', 'yaml', 'zod'];
/** The packages that pino loads. */
const OF_PINO =
  /^(?:@pinojs\/redact|atomic-sleep|on-exit-leak-free|pino-std-serializers|quick-format-unescaped|safe-stable-stringify|sonic-boom|thread-stream)$/;
/** There are 113,000 objects, of which 65,000 belong to schemas. */
const MAX_OBJECTS = 120_000;

const SERVE = join(import.meta.dir, 'serve.ts');
const REPORT = `
  const { heapStats } = require('bun:jsc');
  await import('${SERVE}');
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
    const packages = [...new Set(names)].filter((name) => !OF_PINO.test(name));
    expect(packages.toSorted()).toEqual(LOADED);
  });

  test('loads no code of the command line, of PostgreSQL or of default metrics', () => {
    const isSpare =
      /\/src\/cli\/|\/postgres\/[^/]+\.ts$|prom-client\/(?:index|lib\/defaultMetrics)\.js$/;
    expect(files.filter((file) => isSpare.test(file))).toEqual([]);
  });

  test(`has at most ${MAX_OBJECTS} objects`, () => {
    expect(objects).toBeLessThan(MAX_OBJECTS);
  });
});
