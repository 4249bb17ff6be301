import { afterEach, beforeEach, expect, test } from 'bun:test';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputPipe } from './output-pipe.ts';

const MODULE = join(import.meta.dir, 'output-pipe.ts');
/** Fills both outputs, many times over, and then looks up a name. */
const PROGRAM = `
import { write } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { outputPipe } from ${JSON.stringify(MODULE)};
const filled = [1, 2].map((fd) => {
  const full = Promise.withResolvers();
  const pipe = outputPipe(fd);
  const fill = () => write(pipe, Buffer.alloc(65536), (error) => error === null ? fill() : full.resolve(error.code));
  fill();
  return full.promise;
});
const codes = await Promise.all(filled);
await lookup('localhost');
process.exit(codes.every((code) => code === 'EAGAIN') ? 0 : 1);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-pipe-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('outputs that nobody reads hold up nothing', async () => {
  const path = join(folder, 'pipe');
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0);
  // Open for reading too, so that it has a reader, which reads nothing.
  const pipe = openSync(path, constants.O_RDWR);
  const child = Bun.spawn([process.execPath, '-e', PROGRAM], {
    stdio: ['ignore', pipe, pipe],
    timeout: 10_000,
  });
  expect(await child.exited).toBe(0);
  closeSync(pipe);
}, 15_000);

test('a file is written where it is', () => {
  const file = openSync(join(folder, 'log'), 'a');
  expect(outputPipe(file)).toBe(file);
  closeSync(file);
});
