import { expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock } from '../clock.fixture.ts';
import { loadSigningKey, SIGNING_KEY_FILE } from './signed-url.ts';

async function inFolder(use: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-keys-'));
  try {
    await use(folder, join(folder, SIGNING_KEY_FILE));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('creates a key on the first start and reads it on the next', () =>
  inFolder(async (folder, file) => {
    const made = await loadSigningKey(folder, manualClock());
    expect(made[0].version).toBe(1);
    expect(made[0].secret.length).toBe(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual([SIGNING_KEY_FILE]);
    expect(await loadSigningKey(folder, manualClock())).toEqual(made);
  }));

test('concurrent starts agree on one key', () =>
  inFolder(async (folder) => {
    const clock = manualClock();
    const all = await Promise.all(Array.from({ length: 8 }, () => loadSigningKey(folder, clock)));
    expect(new Set(all.map(([key]) => Buffer.from(key.secret).toString('hex'))).size).toBe(1);
    expect(await readdir(folder)).toEqual([SIGNING_KEY_FILE]);
  }));

test('lists the highest version first', () =>
  inFolder(async (folder, file) => {
    await writeFile(file, `1 ${'aa'.repeat(32)}\n3 ${'cc'.repeat(32)}\n\n2 ${'bb'.repeat(32)}\n`);
    const keys = await loadSigningKey(folder, manualClock());
    expect(keys.map((key) => key.version)).toEqual([3, 2, 1]);
    expect(keys[0].secret[0]).toBe(0xcc);
  }));

test('refuses an empty, short or duplicate key and keeps the file', () =>
  inFolder(async (folder, file) => {
    const good = 'aa'.repeat(32);
    for (const text of [
      '',
      '\n',
      '1 \n',
      `1 ${good.slice(2)}`,
      `0 ${good}`,
      good,
      `1 ${good}\n1 ${good}`,
    ]) {
      await writeFile(file, text);
      await expect(loadSigningKey(folder, manualClock())).rejects.toThrow('Fix or delete the file');
      expect(await readFile(file, 'utf8')).toBe(text);
    }
  }));
