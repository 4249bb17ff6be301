import { expect, test } from 'bun:test';
import { type BackupName, nameOf } from '../../backups/backup-name.ts';
import { keysOf } from '../../backups/backups.fixture.ts';
import type { BackupPlace, Listed } from '../../backups/place.ts';
import { GatewayError } from '../../errors.ts';
import { backupDiskFindings, backupFindings } from './backup-checks.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 23, 18);

const backup = (hoursAgo: number, given: Partial<BackupName> = {}): Listed => {
  const facts: BackupName = {
    ...{ origin: 'aaaaaaaa', takenAtMs: NOW_MS - hoursAgo * HOUR_MS },
    ...{ isSealed: false, isSound: true, engine: 'sqlite' },
    ...given,
  };
  return { name: nameOf(facts), bytes: 1 };
};

async function found(
  list: BackupPlace['list'] | readonly Listed[],
  every: number | null = 6 * HOUR_MS,
) {
  const given = typeof list === 'function' ? list : () => Promise.resolve(list);
  const place = { address: '/backups', list: given } as BackupPlace;
  const settings = { every, key: null };
  const [finding] = await backupFindings({ settings, place, keys: null, nowMs: NOW_MS });
  return `${finding?.level}: ${finding?.found}`;
}

test('a newest sound backup of two intervals is recent enough, an older one is not', async () => {
  expect(await found([backup(12)])).toBe('ok: The newest sound backup in /backups is 12 h old.');
  expect(await found([backup(13)])).toStartWith('fail: ');
  expect(await found([backup(1, { isSound: false }), backup(30)])).toBe(
    'fail: The newest sound backup in /backups is 30 h old.',
  );
});

test('an empty place, and no schedule, are warnings', async () => {
  expect(await found([])).toBe('warn: There is no sound backup in /backups.');
  expect(await found([backup(1)], null)).toBe(
    'warn: No backups are scheduled. The newest sound backup in /backups is 1 h old.',
  );
});

test('a malformed key fails, and a place that cannot be listed says why', async () => {
  const list: BackupPlace['list'] = () => Promise.resolve([]);
  const place = { address: '/backups', list } as BackupPlace;
  const keys = { keys: [] as const, problem: 'key 1 of backups.key is not 32 bytes in base64' };
  const settings = { every: null, key: null };
  expect(await backupFindings({ settings, place, keys, nowMs: NOW_MS })).toMatchObject([
    { level: 'fail', found: keys.problem },
  ]);
  expect(await backupFindings({ settings, place, keys: keysOf('a'), nowMs: NOW_MS })).toMatchObject(
    [{ level: 'warn' }],
  );
  const refuse = () => Promise.reject(new GatewayError('internal_error', 'AccessDenied'));
  await expect(found(refuse)).rejects.toThrow('AccessDenied');
});

test('a folder on the file system of the data folder is a warning, as when its mount is missing', async () => {
  expect(await backupDiskFindings('/dev/shm/mnt/backups', '/dev/shm/data')).toMatchObject([
    {
      level: 'warn',
      found: expect.stringContaining('/dev/shm/mnt/backups, is on the file system'),
    },
  ]);
  expect(await backupDiskFindings('/dev/shm/backups', '/proc')).toEqual([]);
  expect(await backupDiskFindings(null, '/')).toEqual([]);
});
