import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesIn, PROVIDERS } from './provider-lines.ts';

const FOLDER = join(import.meta.dir, '../../../../../docs/guides');

test.each(Object.keys(PROVIDERS))('the guide of %s has lines to connect it', (name) => {
  const lines = linesIn(readFileSync(join(FOLDER, `${name}.md`), 'utf8'));
  for (const part of ['upstreams:', 'models:', 'routes:']) expect(lines).toContain(part);
  expect(lines).not.toContain('data_dir');
  expect(lines).not.toContain('```');
});
