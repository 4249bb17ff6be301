import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './support/eventually.ts';

/**
 * A program that starts a gateway, prints its process id, and then exits while the gateway is still
 * running.
 */
const EXITS = `
  const { startGateway } = await import(${JSON.stringify(join(import.meta.dir, 'support/gateways/gateway-process.ts'))});
  const { pid, folder } = await startGateway();
  process.stdout.write(JSON.stringify({ pid, folder }), () => process.exit(1));
`;

test('a test process that exits before it can dispose leaves no gateway behind', async () => {
  const parent = Bun.spawn([process.execPath, '-e', EXITS], { stdout: 'pipe', stderr: 'inherit' });
  const { pid, folder } = JSON.parse(await new Response(parent.stdout).text());
  expect(await parent.exited).toBe(1);
  try {
    await eventually(
      'the gateway has exited',
      () => isThere(pid),
      (isStill) => !isStill,
    );
  } finally {
    if (isThere(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Returns whether the process is running. A process that has exited may stay listed as a zombie
 * until its parent reads its status.
 */
function isThere(pid: number): boolean {
  const listed = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^\s*[^\sZ]/.test(listed.stdout);
}
