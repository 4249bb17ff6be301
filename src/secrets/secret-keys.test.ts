import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { type KeySource, keysIn, newKey, readKeys, type SecretKeys } from './secret-keys.ts';

const [A, B] = [newKey(systemClock), newKey(systemClock)];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const idsOf = ({ keys }: SecretKeys): readonly string[] => keys.map(({ id }) => id);
const problemOf = (keys: SecretKeys): string | null => ('problem' in keys ? keys.problem : null);
const read = (source: KeySource): Promise<SecretKeys> => readKeys(source, systemClock);

describe('keys in a text', () => {
  test('are separated by spaces or lines, and the first comes first', () => {
    const both = keysIn(`${A}\n${B}\n`, 'here');
    expect(idsOf(both)).toHaveLength(2);
    expect(idsOf(keysIn(` ${A} ${B}`, 'here'))).toEqual([...idsOf(both)]);
    expect(idsOf(keysIn(`${B}\n${A}`, 'here'))).toEqual([...idsOf(both)].toReversed());
    expect(keysIn(A, 'here').keys[0]?.bytes).toEqual(new Uint8Array(Buffer.from(A, 'base64')));
  });

  test('may be in either alphabet of base64, with or without padding', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const [url, usual] = [bytes.toString('base64url'), bytes.toString('base64')];
    expect(url).not.toBe(usual.replace('=', ''));
    expect(idsOf(keysIn(url, 'here'))).toEqual([...idsOf(keysIn(usual, 'here'))]);
  });

  test('have ids that do not contain the key', () => {
    const [id = ''] = idsOf(keysIn(A, 'here'));
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(Buffer.from(A, 'base64').toString('hex')).not.toContain(id);
  });

  test.each([
    ['', 'here has no key; `openssl rand -base64 32` makes one'],
    [' \n', 'here has no key'],
    ['too-short', 'key 1 of here is not 32 bytes in base64'],
    [`${A}\n${A.slice(1)}`, 'key 2 of here is not 32 bytes in base64'],
    [`${A}${A}`, 'key 1 of here is not 32 bytes in base64'],
    [`${A}\n`.repeat(33), 'here is too long to be a list of keys; write at most 32'],
    ['x'.repeat(5000), 'here is too long to be a list of keys'],
  ])('that are not valid are a problem, without their text (%#)', (text, problem) => {
    const found = problemOf(keysIn(text, 'here'));
    expect(found).toContain(problem);
    expect(found).not.toContain(A.slice(1, 20));
    expect(found).not.toContain('too-short');
  });
});

describe('the source of keys', () => {
  const command = (...args: string[]): KeySource => ({
    kind: 'command',
    command: [process.execPath, '-e', ...args],
  });

  test('may be a file, a text or the output of a command', async () => {
    const path = join(folder, 'keys');
    writeFileSync(path, `${A}\n${B}\n`);
    const expected = [...idsOf(keysIn(`${A} ${B}`, ''))];
    const text = new Secret(`${A} ${B}`);
    expect(idsOf(await read({ kind: 'file', path }))).toEqual(expected);
    expect(idsOf(await read({ kind: 'text', text, setting: 's' }))).toEqual(expected);
    expect(idsOf(await read(command(`console.log('${A}\\n${B}')`)))).toEqual(expected);
  });

  test('is named in a problem, with the remedy', async () => {
    const missing = join(folder, 'missing');
    expect(problemOf(await read({ kind: 'file', path: missing }))).toBe(
      `the file ${missing} does not exist; restore it from the backup of your keys`,
    );
    expect(problemOf(await read({ kind: 'file', path: folder }))).toContain('cannot be read');
    const text = new Secret('hush');
    const shown = problemOf(await read({ kind: 'text', text, setting: 'secrets.key' }));
    expect(shown).toContain('key 1 of secrets.key is not 32 bytes');
    expect(shown).not.toContain('hush');
  });

  test('that is a failing command is a problem, without its output', async () => {
    const failing = problemOf(await read(command("console.log('hush'); process.exit(3)")));
    expect(failing).toContain('ended with exit code 3; run the command of secrets.key_command');
    expect(failing).not.toContain('hush');
    const absent: KeySource = { kind: 'command', command: [join(folder, 'no-program')] };
    expect(problemOf(await read(absent))).toContain('cannot be started (ENOENT)');
    const silent = problemOf(await read(command('void 0')));
    expect(silent).toContain('has no key');
  });

  test('that is a command which hangs is stopped at its deadline', async () => {
    // With this clock, every timeout expires as soon as it is set.
    const clock = {
      after: (_: number, run: () => void) => {
        run();
        return { cancel: () => {} };
      },
    };
    const source = command('await new Promise(() => setInterval(() => {}, 1e6))');
    expect(problemOf(await readKeys(source, clock))).toContain('took longer than 15000 ms');
  });
});
