/** The page of clients and the table behind it, held against the tests that run the clients. */
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
  // Codex is a program with a task of its own; the others are judges, which name their row.
  expect(text).toContain(name === 'Codex' ? 'runCodex(' : `'${name}'`);
});
