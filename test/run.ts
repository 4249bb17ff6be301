/**
 * `npm test`: type check, lint, then every test file. Prints what each step prints, and closes with the
 * line `N passed, N failed` that scripts look for.
 */

type Step = { readonly name: string; readonly command: readonly string[] };

/** They take many minutes, and have a command of their own: `npm run test:soak`. */
const LEFT_OUT = ['--path-ignore-patterns', 'test/soak/**'];
const root = `${import.meta.dir}/..`;
const filters = process.argv.slice(2);
const checks: readonly Step[] = [
  { name: 'types', command: [`${root}/node_modules/.bin/tsc`, '--noEmit'] },
  {
    name: 'types of the console',
    command: [`${root}/node_modules/.bin/tsc`, '--noEmit', '-p', 'console'],
  },
  { name: 'lint', command: [`${root}/node_modules/.bin/biome`, 'check', '.'] },
];

async function run({ command }: Step): Promise<{ ok: boolean; output: string }> {
  const child = Bun.spawn([...command], { cwd: root, stdout: 'pipe', stderr: 'pipe' });
  const output = { text: '' };
  const forward = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      process.stdout.write(chunk);
      output.text += decoder.decode(chunk, { stream: true });
    }
  };
  await Promise.all([forward(child.stdout), forward(child.stderr)]);
  return { ok: (await child.exited) === 0, output: output.text };
}

let passed = 0;
let failed = 0;
for (const step of filters.length > 0 ? [] : checks) {
  const { ok } = await run(step);
  console.log(`${ok ? 'ok' : 'FAILED'}: ${step.name}`);
  if (ok) passed += 1;
  else failed += 1;
}

const folders = filters.length > 0 ? filters : ['./src', './console', './test', './bench'];
const { ok, output } = await run({
  name: 'tests',
  command: [process.execPath, 'test', '--timeout', '60000', ...LEFT_OUT, ...folders],
});
const count = (word: string): number =>
  Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0);
passed += count('pass');
failed += count('fail');
// A run that died before its summary counts as a failure, as does one that ran nothing.
if (!ok && failed === 0) failed += 1;
if (count('pass') === 0) failed += 1;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
