import { afterEach, beforeEach, expect, test } from 'bun:test';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputPipe } from './line-writer.ts';

const moduleAt = (name: string): string => JSON.stringify(join(import.meta.dir, name));
/** The first lines of each test program. They fill the pipes of stdout and stderr. */
const FILL = `
import { write } from 'node:fs';
import { outputPipe } from ${moduleAt('line-writer.ts')};
const filled = [1, 2].map((fd) => {
  const full = Promise.withResolvers();
  const pipe = outputPipe(fd);
  const fill = () => write(pipe, Buffer.alloc(65536), (error) => error === null ? fill() : full.resolve(error.code));
  fill();
  return full.promise;
});
const codes = await Promise.all(filled);
if (codes.some((code) => code !== 'EAGAIN')) process.exit(1);
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelgate-pipe-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Runs a program whose stdout and stderr share a pipe that no process reads. Returns its exit code.
 */
async function runUnread(program: string): Promise<number> {
  const path = join(folder, 'pipe');
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0);
  // The test opens the pipe for reading too, because writing to a pipe without a reader fails.
  const pipe = openSync(path, constants.O_RDWR);
  const child = Bun.spawn([process.execPath, '-e', FILL + program], {
    stdio: ['ignore', pipe, pipe],
    // Only a program that blocks takes this long.
    timeout: 120_000,
  });
  const code = await child.exited;
  closeSync(pipe);
  return code;
}

test('unread outputs block nothing', async () => {
  const program = `
    const { lookup } = await import('node:dns/promises');
    await lookup('localhost');
    process.exit(0);
  `;
  expect(await runUnread(program)).toBe(0);
}, 180_000);

test('unread outputs do not prevent the exit', async () => {
  const program = `
    const { openLog, RequestLines } = await import(${moduleAt('log.ts')});
    const { systemClock } = await import(${moduleAt('../clock.ts')});
    const { finished } = await import(${moduleAt('./finished.fixture.ts')});
    const { log, close } = openLog('info', systemClock);
    const lines = new RequestLines('info', systemClock);
    log.info('nobody reads this');
    await systemClock.sleep(0);
    log.info('nor this, which waits for the other');
    lines.write(finished(), () => true);
    await lines.close();
    await close();
    process.exit(lines.dropped === 1 ? 0 : 2);
  `;
  expect(await runUnread(program)).toBe(0);
}, 180_000);

test('a file keeps its descriptor', () => {
  const file = openSync(join(folder, 'log'), 'a');
  expect(outputPipe(file)).toBe(file);
  closeSync(file);
});
