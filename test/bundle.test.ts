/** Tests that `bin/modelgate` runs the server's bundle only if the bundle matches the sources. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dir, '..');
const COPIED = ['bin', 'src', 'package.json', 'package-lock.json', 'modelgate.yaml'];
const VERSION = `${packageJson.version}\n`;
const MARK = 'from the bundle\n';

/** A copy of the project. Each test may change the sources in it. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'modelgate-bundle-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  build();
  markBundles();
});
afterAll(() => rmSync(copy, { recursive: true }));

const run = (...command: readonly string[]): string => {
  const PATH = `${join(copy, 'instead')}:${process.env['PATH']}`;
  const env = { ...process.env, PATH };
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: copy, env });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
};
const build = (): string => run('bin/bun', 'bin/bundle.ts');
const version = (): string => run('bin/modelgate', '--version');
const bundles = (): readonly string[] => readdirSync(join(copy, 'dist'));

/**
 * Makes each bundle print a marker when it runs, so that a test can detect whether a bundle ran.
 */
function markBundles(): void {
  for (const bundle of bundles()) {
    const path = join(copy, 'dist', bundle, 'main.js');
    writeFileSync(path, `console.log('${MARK.trim()}');\n${readFileSync(path, 'utf8')}`);
  }
}

/** Appends a line to a file while `during` runs. */
function withLine(file: string, line: string, during: () => void): void {
  const path = join(copy, file);
  const before = readFileSync(path);
  appendFileSync(path, `${line}\n`);
  try {
    during();
  } finally {
    writeFileSync(path, before);
  }
}

/** Replaces the command `find` with a script while `during` runs. */
function withFind(script: string, during: () => void): void {
  const folder = join(copy, 'instead');
  mkdirSync(folder);
  writeFileSync(join(folder, 'find'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  try {
    during();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The checksum of an empty list of files. If `bin/modelgate` did not notice that `find` had failed,
 * it would compute this value as the fingerprint of the sources.
 */
const OF_NOTHING = '4294967295-0';

describe('bin/modelgate', () => {
  test('runs the bundle of the present sources', () => {
    expect(version()).toBe(MARK + VERSION);
  });

  test.each([
    'src/main.ts',
    'src/http/edge/edge.ts',
    'src/ledger/invariants.sql',
    'package-lock.json',
  ])('runs the sources when %s has changed', (file) => {
    withLine(file, '', () => expect(version()).toBe(VERSION));
    expect(version()).toBe(MARK + VERSION);
  });

  test('runs the bundle when only a test has changed', () => {
    withLine('src/clock.test.ts', '', () => expect(version()).toBe(MARK + VERSION));
  });
});

describe('without the command find, which some small systems lack', () => {
  test('bin/modelgate runs the sources', () => {
    const folder = join(copy, 'dist', OF_NOTHING);
    mkdirSync(folder);
    writeFileSync(join(folder, 'main.js'), "console.log('outdated');");
    withFind('exit 127', () => expect(version()).toBe(VERSION));
    rmSync(folder, { recursive: true });
  });

  test('a build makes no bundle, whose name would never change', () => {
    const before = bundles();
    withFind('exit 127', () => expect(build()).toContain('not built'));
    expect(bundles()).toEqual(before);
  });
});

test('bin/modelgate lets the heap grow as on a small machine', () => {
  const names = [
    'BUN_JSC_forceRAMSize',
    'BUN_JSC_criticalGCMemoryThreshold',
    'BUN_JSC_gcMaxHeapSize',
    'BUN_JSC_minEdenToOldGenerationRatio',
  ];
  const printing = `console.log(...['${names.join("', '")}'].map((name) => process.env[name]));`;
  withLine('src/clock.ts', printing, () =>
    expect(version()).toBe(`400000000 100 50331648 0.5\n${VERSION}`),
  );
});

describe('a build', () => {
  test('fails when the sources change meanwhile', () => {
    const before = bundles();
    withFind('echo $$', () => expect(build).toThrow('sources changed'));
    expect(bundles()).toEqual(before);
  });

  test('does not mind another build of the same sources', async () => {
    const path = join(copy, 'src/main.ts');
    const before = readFileSync(path);
    appendFileSync(path, '// twice\n');
    const builds = [1, 2].map(() => Bun.spawn(['bin/bun', 'bin/bundle.ts'], { cwd: copy }));
    expect(await Promise.all(builds.map(({ exited }) => exited))).toEqual([0, 0]);
    writeFileSync(path, before);
  });

  test('does nothing for the same sources, and keeps the two bundles before it', () => {
    const first = run('bin/fingerprint').trim();
    for (const other of bundles().filter((name) => name !== first)) {
      rmSync(join(copy, 'dist', other), { recursive: true });
    }
    expect(build()).toContain('up to date');
    for (const change of ['1', '2']) {
      withLine('src/main.ts', `// ${change}`, () => expect(build()).toContain('built'));
      expect(bundles()).toContain(first);
    }
    withLine('src/main.ts', '// 3', () => expect(build()).toContain('built'));
    expect(bundles()).toHaveLength(3);
    expect(bundles()).not.toContain(first);
  });
});

describe('a bundle', () => {
  test('has stack traces that name the sources', () => {
    const failing = "throw new Error('planned');";
    const before = readFileSync(join(copy, 'src/clock.ts'), 'utf8');
    withLine('src/clock.ts', failing, () => {
      build();
      expect(version).toThrow(new RegExp(`src/clock\\.ts:${before.split('\n').length}:`));
    });
  });

  test('serves with its threads for the store and for backups', async () => {
    build();
    await served(async (request) => {
      expect((await request('POST', '/admin/v1/backup')).status).toBe(201);
    });
  });

  test('says that a restart is necessary when its files are gone', async () => {
    build();
    await served(async (request) => {
      rmSync(join(copy, 'dist'), { recursive: true });
      const refused = await request('GET', '/admin/v1/accounts');
      expect([refused.status, await refused.text()]).toEqual([500, expect.stringMatching(RESTART)]);
      expect((await request('GET', '/v1/models')).status).toBe(200);
    });
  });
});

const RESTART = /could not load .* must restart it/;
const TOKEN = 'mga_token-of-the-tests-0123456789abcdef';

/** Runs the bundle while `during` sends requests to it as the administrator. */
async function served(
  during: (request: (method: string, path: string) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const child = Bun.spawn([join(copy, 'bin/modelgate'), 'serve'], {
    cwd: tmpdir(),
    env: { PORT: '0', MODELGATE_DATA_DIR: join(copy, 'data'), MODELGATE_ADMIN_TOKEN: TOKEN },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  try {
    const url = await printedUrl(child.stdout);
    const headers = { authorization: `Bearer ${TOKEN}` };
    await during((method, path) => fetch(`${url}${path}`, { method, headers }));
  } finally {
    child.kill();
  }
  expect(await child.exited).toBe(0);
}

async function printedUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const [, url] = /Modelgate answers at (\S+)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`no address: ${text}`);
}
