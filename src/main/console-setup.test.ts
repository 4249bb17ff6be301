import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUpConsole } from './console-setup.ts';
import { newFolder, removeFolders } from './gateway.fixture.ts';

test('logs at start that the console is not built', async () => {
  const folder = newFolder();
  const warnings: string[] = [];
  const log = { warn: (_what: unknown, text?: string) => warnings.push(text ?? '') };
  await setUpConsole({ log }, folder);
  expect(warnings).toEqual([expect.stringContaining('npm run build')]);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  await setUpConsole({ log }, folder);
  expect(warnings).toHaveLength(1);
  removeFolders();
});
