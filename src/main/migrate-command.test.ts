import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { newFolder, removeFolders } from './gateway.fixture.ts';
import { migrate } from './migrate-command.ts';

afterAll(removeFolders);

test('a file with only start settings is enough if the other settings are in the database', async () => {
  const folder = newFolder();
  const configPath = join(folder, 'start.yaml');
  writeFileSync(configPath, `config: database\ndata_dir: ${folder}\n`);
  const unused = () => Promise.reject(new Error('not called'));
  let printed = '';
  const print = (text: string): void => {
    printed += text;
  };
  const deps = { clock: systemClock, print, fetch: unused, settings: unused };
  expect(await migrate({ configPath, to: null }, deps)).toBe(0);
  expect(printed).toBe(`${join(folder, 'modelgate.db')} is up to date.\n`);
});
