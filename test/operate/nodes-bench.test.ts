/** Tests the benchmark that measures the numbers in docs/operate/scaling.md. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

test('two gateways on one PostgreSQL serve every load of the benchmark', async () => {
  const options = ['nodes', '--counts', '2', '--rounds', '1', '--scale', '0.1'];
  const bench = Bun.spawn([process.execPath, join(ROOT, 'bench/main.ts'), ...options]);
  const printed = await new Response(bench.stdout).text();
  expect(await bench.exited).toBe(0);
  const rows = printed.trim().split('\n');
  const found = rows.map((row) => JSON.parse(row) as Record<string, number | string>);
  expect(found.map(({ nodes, load }) => [nodes, load])).toEqual([
    [2, 'short'],
    [2, 'large'],
    [2, 'exact'],
    [2, 'stream'],
  ]);
  for (const { load: _load, rowBytes: _grown, ...figures } of found) {
    for (const value of Object.values(figures)) expect(value).toBeGreaterThan(0);
  }
});
