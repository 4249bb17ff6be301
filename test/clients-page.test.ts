/** Tests that `docs/clients.md` and the table of clients match the tests that run the clients. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS } from './support/judge/client-table.ts';
import { CLIENTS_PAGE, clientsPage } from './support/judge/clients-page.ts';

const ROOT = join(import.meta.dir, '..');

test('docs/clients.md is up to date: npm run docs:clients writes it', () => {
  expect(readFileSync(CLIENTS_PAGE, 'utf8')).toBe(clientsPage());
});

test.each(Object.entries(CLIENTS))('the test of %s runs it', (name, { test: path }) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  // The test of Codex calls `runCodex`. The tests of other clients pass the client's name to a
  // function.
  expect(text).toContain(name === 'Codex' ? 'runCodex(' : `'${name}'`);
});
