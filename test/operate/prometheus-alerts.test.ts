/** Tests the alert rules by Prometheus' own `promtool`, of Debian's package `prometheus`. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

test('the alerts are raised when they should be, and only then', () => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['promtool', 'test', 'rules', join(import.meta.dir, 'prometheus-alerts.yml')],
    { stdout: 'pipe', stderr: 'pipe' },
  );
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
});
