import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_UPSTREAM } from './example-upstream.ts';

const MAIN = join(import.meta.dir, '../../../../../src/main.ts');

test('the example configuration of the setup is valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-example-'));
  const file = join(folder, 'modelgate.yaml');
  writeFileSync(file, EXAMPLE_UPSTREAM);
  const checked = Bun.spawnSync([process.execPath, MAIN, 'check', '--config', file], {
    env: { ...process.env, ANTHROPIC_API_KEY: 'a-key' },
  });
  rmSync(folder, { recursive: true });
  expect(`${checked.stdout}${checked.stderr}`).toContain('my-opus');
  expect(checked.exitCode).toBe(0);
});
