import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUpConsole } from './console-setup.ts';
import { newFolder, removeFolders } from './gateway.fixture.ts';

test('a console that is not built is told at the start, and one that is built is not', async () => {
  const folder = newFolder();
  const told: string[] = [];
  const log = { warn: (_what: unknown, text?: string) => told.push(text ?? '') };
  await setUpConsole({ log }, folder);
  expect(told).toEqual([expect.stringContaining('npm run build')]);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  await setUpConsole({ log }, folder);
  expect(told).toHaveLength(1);
  removeFolders();
});
