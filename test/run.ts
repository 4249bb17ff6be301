/**
 * `npm test [PATH...]`: without paths, runs the type checks, the linter and every test; with paths,
 * only the tests at these paths. `npm run test:fast` runs the tests that need no child process, no
 * PostgreSQL and no browser. The last line of the output is `N passed, N failed`.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { buildBundle } from '../bin/bundle.ts';

type Step = { readonly name: string; readonly command: readonly string[] };

const ROOT = join(import.meta.dir, '..');
const FOLDERS = ['./src', './console', './test', './bench'];
/**
 * Folders whose tests are not run here, because they have their own commands. `npm run test:soak`
 * takes many minutes. `npm run test:clients` installs clients from registries. `npm run
 * test:operate` builds images as root and requires system programs such as nginx.
 */
const EXCLUDED = ['soak', 'clients', 'operate'].flatMap((folder) => [
  '--path-ignore-patterns',
  `test/${folder}/**`,
]);
/**
 * The file with the durations of slow test files, in seconds. The slowest files are started first,
 * so only the order of the durations matters.
 */
const TIMINGS = join(import.meta.dir, 'timings.json');
/**
 * The timeout of a test. It is long, because a test takes several times as long on a busy machine.
 */
const TIMEOUT_MS = 180_000;
/**
 * Matches code that makes a test slow because it starts a process, a browser or PostgreSQL. The
 * code may be in the test or in its support code.
 */
const SLOW = /\bBun\.spawn|node:child_process|playwright-core|postgres\.fixture/;

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);
const CHECKS: readonly Step[] = [
  { name: 'types', command: [bin('tsc'), '--noEmit'] },
  { name: 'types of the console', command: [bin('tsc'), '--noEmit', '-p', 'console'] },
  { name: 'lint', command: [bin('biome'), 'check', '.'] },
];

type Ran = { readonly ok: boolean; readonly output: string };

async function run(
  command: readonly string[],
  forward: (chunk: Uint8Array) => unknown = () => {},
): Promise<Ran> {
  const child = Bun.spawn([...command], { cwd: ROOT, stdout: 'pipe', stderr: 'pipe' });
  const output = { text: '' };
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      forward(chunk);
      output.text += decoder.decode(chunk, { stream: true });
    }
  };
  await Promise.all([read(child.stdout), read(child.stderr)]);
  return { ok: (await child.exited) === 0, output: output.text };
}

/**
 * Runs the checks one after the other, while the tests run. The checks have a lower CPU priority,
 * because tests have timeouts.
 */
async function runChecks(): Promise<readonly (Step & Ran)[]> {
  const ran: (Step & Ran)[] = [];
  for (const check of CHECKS) {
    ran.push({ ...check, ...(await run(['nice', '-n', '10', ...check.command])) });
  }
  return ran;
}

/** Returns the file and every file of the repository that it imports, directly or indirectly. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  if (reached.has(path)) return reached;
  reached.add(path);
  const text = readFileSync(path, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.tsx?)'/g))
    reachedFrom(join(dirname(path), name), reached);
  return reached;
}

const isSupport = (path: string): boolean =>
  /\.(?:test|fixture)\.tsx?$|^(?:test|bench)\//.test(relative(ROOT, path));

function fastTests(): string[] {
  const files = FOLDERS.flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*.test.{ts,tsx}`).scanSync({ cwd: ROOT, absolute: true }),
  ]).filter((path) => !/node_modules|\/(?:soak|clients|operate)\//.test(path));
  const fast = files.filter((path) =>
    [...reachedFrom(path)]
      .filter(isSupport)
      .every((reached) => !SLOW.test(readFileSync(reached, 'utf8'))),
  );
  return fast.map((path) => `./${relative(ROOT, path)}`).toSorted();
}

/** Returns the output of each test file with a failure, without its passed tests. */
const failuresOf = (output: string): string[] =>
  output
    .split(/^(?=\S+\.test\.tsx?:$)/m)
    .filter((file) => /^\(fail\)/m.test(file))
    .map((file) => file.replaceAll(/^\(pass\).*\n/gm, '').replace(/^ *\d+ pass\n[\s\S]*/m, ''));

const given = process.argv.slice(2);
const isFast = given.includes('--fast');
const isAll = given.length === 0;
// The bundle halves the time to start the server, and hundreds of tests start it.
if (isAll) await buildBundle();
const checking = isAll ? runChecks() : [];
const paths = isFast ? fastTests() : isAll ? FOLDERS : given;
// There are more workers than cores, because tests that wait for a server, a browser or a database
// leave half of a core unused. With `--no-isolate`, all files of a worker share its modules, so
// that a worker starts only one PostgreSQL server.
const WORKERS = Math.ceil(1.5 * availableParallelism());
const workers =
  isAll || isFast ? [`--parallel=${WORKERS}`, '--no-isolate', '--timings', TIMINGS] : [];
const command = [
  process.execPath,
  'test',
  '--timeout',
  String(TIMEOUT_MS),
  ...workers,
  ...EXCLUDED,
  ...paths,
];
const { ok, output } = await run(command, (chunk) => process.stdout.write(chunk));
const checks = await checking;
for (const { name, ok, output } of checks) {
  console.log(ok ? `ok: ${name}` : `${output}FAILED: ${name}`);
}
// Thousands of lines may follow a failure, so it is shown again.
if (!ok && workers.length > 0) console.log(`\nFailures:\n\n${failuresOf(output).join('')}`);
const count = (word: string): number =>
  Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0);
const passed = count('pass') + checks.filter(({ ok }) => ok).length;
let failed = count('fail') + checks.filter(({ ok }) => !ok).length;
// A run without a summary, or without any passed test, counts as a failure.
if (!ok && failed === 0) failed += 1;
if (count('pass') === 0) failed += 1;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
