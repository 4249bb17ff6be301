import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import {
  assignedTo,
  closeAll,
  nodesWith,
  warmUp,
} from '../../ledger/postgres/float-nodes.fixture.ts';
import { newEmptyDatabase } from '../../ledger/postgres/postgres.fixture.ts';
import { configFor, newFolder, removeFolders } from '../gateway.fixture.ts';
import { restoreToPostgres } from './restore-to-postgres.ts';

afterAll(async () => {
  await closeAll();
  removeFolders();
});

test('restores a backup in which a node has money that is assigned to it', async () => {
  const folder = newFolder();
  const file = join(folder, 'backup');
  writeFileSync(file, '');
  const [node] = await nodesWith(1_000n, 'epoch_busy');
  if (node === undefined) throw new Error('one node');
  await warmUp(node, 'h');
  expect(await assignedTo(node)).toBeGreaterThan(0n);
  // The backup is restored long after its nodes have ended.
  await node.sql.query({ sql: 'UPDATE node SET lease_until_ms = 1', params: [] });
  await node.backup(file);

  const fetched = { name: 'backup', file, keyFiles: new Map(), remove: () => {} };
  const printed: string[] = [];
  const code = await restoreToPostgres(
    { fetched, to: await newEmptyDatabase(), config: configFor(folder) },
    { clock: systemClock, print: (text) => printed.push(text) },
  );
  expect(printed.join('')).toContain('The ledger is sound: ');
  expect(code).toBe(0);
}, 180_000);
