/**
 * Tests that a node learns of imported API keys of other gateways, even if the store fails
 * meanwhile.
 */
import { expect, test } from 'bun:test';
import type { Change } from './change-feed.ts';
import { followForeignKeys } from './foreign-keys.ts';

test('the forms are read again at each beat until the store has answered', async () => {
  const changed: ((change: Change) => void)[] = [];
  const beats: (() => void)[] = [];
  const failures: unknown[] = [];
  let reads = 0;
  let isAway = false;
  followForeignKeys({
    find: async () => {
      reads += 1;
      if (isAway) throw new Error('no answer');
    },
    changes: { subscribe: (listener) => void changed.push(listener) },
    onBeat: (listener) => void beats.push(listener),
    onFailure: (thrown) => void failures.push(thrown),
  });
  const beat = async (): Promise<void> => {
    for (const each of beats) each();
    await Promise.resolve();
  };
  // The first heartbeat loads the key formats, because keys may have been imported before the
  // start.
  await beat();
  await beat();
  expect(reads).toBe(1);
  isAway = true;
  for (const each of changed) each({ action: 'key.create', subject: 'key_1' });
  expect(reads).toBe(1);
  for (const each of changed) each({ action: 'key.move_in', subject: 'key_1' });
  await Promise.resolve();
  await beat();
  expect([reads, failures.length]).toEqual([3, 1]);
  isAway = false;
  await beat();
  await beat();
  expect(reads).toBe(4);
  isAway = true;
  for (const each of changed) each({ action: 'key.move_in', subject: 'key_2' });
  await Promise.resolve();
  await Promise.resolve();
  expect(failures.length).toBe(2);
});
