import { afterAll, expect, test } from 'bun:test';
import { changedFile, problemsIn, SMALL_FILE } from '../config/file.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { reconcileConformance, reconciledFile } from './reconcile-conformance.fixture.ts';

afterAll(removeFiles);

reconcileConformance('SQLite', () => openFile(newFile()));

test('a report of an unknown make, or at a private address, is refused by the configuration', () => {
  const upstream = (more: string): string =>
    changedFile(
      'builtin: { protocol: builtin }',
      `builtin: { protocol: builtin }, there: { protocol: openai, base_url: "https://models.example", api_key: none, reconcile: { admin_key: sk-admin${more} } }`,
      SMALL_FILE,
    );
  expect(problemsIn(upstream(', report: openai'))).toEqual([]);
  expect(problemsIn(upstream(''))[0]).toContain(
    'needs `report`, one of openai, anthropic, openrouter: the report format of make generic is unknown',
  );
  expect(problemsIn(upstream(', report: openai, base_url: "http://10.0.0.1"'))[0]).toContain(
    'upstreams.there.reconcile.base_url: is a private address',
  );
  expect(problemsIn(upstream(', report: openai, tolerance: 1%'))[0]).toContain('tolerance');
  expect(problemsIn(reconciledFile('http://127.0.0.1:1'))).toEqual([]);
});
