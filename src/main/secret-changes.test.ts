import { afterAll, expect, test } from 'bun:test';
import type { Change } from '../accounts/change-feed.ts';
import { manualClock } from '../clock.fixture.ts';
import { type Clock, systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { keysIn, newKey } from '../secrets/secret-keys.ts';
import { SecretVault } from '../secrets/secret-vault.ts';
import { openLog } from '../telemetry/log.ts';
import { secretChanges } from './secrets.ts';

afterAll(removeFiles);

test('a changed secret is read again until the keys can be read', async () => {
  const [old, fresh] = [newKey(systemClock), newKey(systemClock)];
  const { sql, close } = await openFile(newFile());
  const vaultWith = (keys: () => string) =>
    SecretVault.open({ sql, clock: systemClock, readKeys: async () => keysIn(keys(), 'test') });
  let keys = old;
  const vault = await vaultWith(() => keys);
  const manual = manualClock();
  let waits = 0;
  const after: Clock['after'] = (delayMs, run) => {
    waits += 1;
    return manual.after(delayMs, run);
  };
  const clock = { ...manual, after };
  let heard: (change: Change) => void = () => {};
  let reloads = 0;
  const reloaded = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  const live = {
    reload: async () => {
      reloads += 1;
      (reloads === 1 ? reloaded : again).resolve();
    },
  };
  const { log } = openLog('silent', systemClock);
  secretChanges({ clock, log }, vault, live, { subscribe: (listener) => (heard = listener) });
  await (await vaultWith(() => fresh)).set('A', new Secret('value'), 'admin');
  keys = '';
  heard({ action: 'secret.set', subject: 'A' });
  await reloaded.promise;
  expect(vault.find('A').state).toBe('unreadable');
  keys = `${fresh} ${old}`;
  // The timer is set when the work that is already due has run.
  await systemClock.sleep(0);
  clock.advance(2_000);
  await again.promise;
  expect(vault.find('A').state).toBe('ready');
  await systemClock.sleep(0);
  expect([reloads, waits]).toEqual([2, 1]);
  await close();
});
