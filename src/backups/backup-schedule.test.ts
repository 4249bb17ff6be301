import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import type { Alert } from '../topups/alerts/alert-outbox.ts';
import { type BackupName, nameOf } from './backup-name.ts';
import { BackupRecord, NEVER } from './backup-record.ts';
import { BackupSchedule, dueAtMs, expired, type ScheduleDeps } from './backup-schedule.ts';
import type { Backup, BackupPlace, StoredBackup } from './place.ts';

// The first test that needs PostgreSQL also waits for the start of the server.
setDefaultTimeout(180_000);
afterAll(removeFiles);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ORIGIN = 'aaaaaaaa';

/** Fakes `Backups`: keeps the names of the backups in memory and writes no files. */
class FakeBackups {
  readonly kept: StoredBackup[] = [];
  made = 0;
  isRunning = false;
  readonly #clock: ManualClock;
  readonly #record: BackupRecord;
  /**
   * Determines how the next backups end. A string: they fail with this cause. A number: they are
   * made, with this many invalid rows. A promise: they never end.
   */
  next: string | number | Promise<never> = 0;

  constructor(clock: ManualClock, record: BackupRecord) {
    this.#clock = clock;
    this.#record = record;
  }

  readonly place = {
    address: '/backups',
    delete: (name: string) => {
      this.kept.splice(
        this.kept.findIndex((each) => each.name === name),
        1,
      );
      return Promise.resolve();
    },
  } as BackupPlace;

  readonly create = async (): Promise<Backup> => {
    this.made += 1;
    if (this.next instanceof Promise) return await this.next;
    if (typeof this.next === 'string') throw new Error('refused', { cause: this.next });
    const takenAtMs = this.#clock.nowMs();
    this.kept.unshift(stored(takenAtMs, { isSound: this.next === 0 }));
    const { address: file } = this.kept[0] ?? stored(0);
    const made = { file, bytes: 7, takenAtMs, breaches: this.next, isEncrypted: false };
    if (made.breaches === 0) await this.#record.succeeded(made);
    return made;
  };

  readonly list = (): Promise<readonly StoredBackup[]> => Promise.resolve([...this.kept]);
  readonly origin = (): Promise<string> => Promise.resolve(ORIGIN);
}

function stored(takenAtMs: number, given: Partial<BackupName> = {}): StoredBackup {
  const facts: BackupName = {
    ...{ origin: ORIGIN, takenAtMs, isSealed: false, isSound: true },
    engine: 'sqlite',
    ...given,
  };
  const name = nameOf(facts);
  return { ...facts, name, address: `/backups/${name}`, bytes: 7 };
}

const conformance = (engine: string, open: () => Promise<Database>): void => {
  describe(engine, () => {
    const withNodes = async (
      use: (room: {
        readonly clock: ManualClock;
        readonly record: BackupRecord;
        readonly alerts: Alert[];
        readonly node: (settings?: Partial<ScheduleDeps['settings']>) => {
          readonly schedule: BackupSchedule;
          readonly backups: FakeBackups;
        };
      }) => Promise<void>,
    ): Promise<void> => {
      const database = await open();
      const clock = manualClock();
      const record = new BackupRecord(database.sql);
      const alerts: Alert[] = [];
      const node = (settings: Partial<ScheduleDeps['settings']> = {}) => {
        const backups = new FakeBackups(clock, record);
        const raise = (alert: Alert): Promise<boolean> => {
          if (alerts.some(({ id }) => id === alert.id)) return Promise.resolve(false);
          alerts.push(alert);
          return Promise.resolve(true);
        };
        const deps: ScheduleDeps = {
          ...{ settings: { every: 6 * HOUR_MS, keep: 24 * HOUR_MS, ...settings } },
          ...{ backups, record, raise },
          // The timer never fires, because the tests call `look` themselves.
          clock: { nowMs: clock.nowMs, every: () => ({ cancel: () => undefined }) },
          onMade: () => undefined,
          onFailure: () => undefined,
          onTrouble: (thrown) => {
            throw thrown;
          },
        };
        return { backups, schedule: new BackupSchedule(deps, NEVER) };
      };
      try {
        await use({ clock, record, alerts, node });
      } finally {
        await database.close();
      }
    };

    test('one node of several makes each backup, one interval after the last', () =>
      withNodes(async ({ clock, record, node }) => {
        const nodes = [node(), node(), node()];
        const made = (): number => nodes.reduce((sum, { backups }) => sum + backups.made, 0);
        const look = () => Promise.all(nodes.map(({ schedule }) => schedule.look()));
        await look();
        await look();
        expect(made()).toBe(1);
        expect((await record.read()).good).toMatchObject({ atMs: clock.nowMs(), bytes: 7 });
        clock.advance(6 * HOUR_MS - 1);
        await look();
        expect(made()).toBe(1);
        clock.advance(1);
        await look();
        expect(made()).toBe(2);
        for (const { schedule } of nodes) expect(schedule.state.failed).toBeNull();
      }));

    test('a clock that was far ahead does not stop the backups', () =>
      withNodes(async ({ clock, node }) => {
        const { schedule, backups } = node();
        clock.advance(1_000 * HOUR_MS);
        await schedule.look();
        clock.advance(-1_000 * HOUR_MS);
        await schedule.look();
        await schedule.look();
        expect(backups.made).toBe(2);
        backups.next = 'the disk is full';
        clock.advance(1_000 * HOUR_MS);
        await schedule.look();
        clock.advance(-1_000 * HOUR_MS);
        await schedule.look();
        expect(backups.made).toBe(4);
      }));

    test('a failure is recorded, alerts once a day, and is repeated after half an hour', () =>
      withNodes(async ({ clock, record, alerts, node }) => {
        const { schedule, backups } = node();
        backups.next = 'the disk is full';
        for (let look = 0; look < 3; look++) {
          await schedule.look();
          clock.advance(30 * MINUTE_MS);
        }
        expect([backups.made, schedule.failures]).toEqual([3, 3]);
        expect(schedule.state).toMatchObject({ good: null, failed: { count: 3 } });
        expect(alerts).toHaveLength(1);
        expect(JSON.parse(alerts[0]?.body ?? '')).toMatchObject({
          ...{ type: 'backup.failed', place: '/backups', last_good: null },
          detail: expect.stringMatching(/./),
        });
        backups.next = 0;
        await schedule.look();
        expect(await record.read()).toMatchObject({ good: { bytes: 7 }, failed: null });
      }));

    test('a backup of a ledger that is not sound is no good one, and waits an interval', () =>
      withNodes(async ({ clock, alerts, node }) => {
        const { schedule, backups } = node();
        backups.next = 3;
        await schedule.look();
        clock.advance(2 * HOUR_MS);
        await schedule.look();
        expect(backups.made).toBe(1);
        expect(schedule.state.failed?.why).toContain('breach an invariant: 3.');
        expect(alerts).toHaveLength(1);
        clock.advance(4 * HOUR_MS);
        await schedule.look();
        expect(backups.made).toBe(2);
      }));

    test('another node goes on when the one that works dies, and not while it works', () =>
      withNodes(async ({ clock, node }) => {
        const [first, second] = [node(), node()];
        first.backups.next = new Promise<never>(() => undefined);
        void first.schedule.look();
        while (first.backups.made === 0) await systemClock.sleep(1);
        await second.schedule.look();
        expect(second.backups.made).toBe(0);
        for (let minute = 0; minute < 8; minute++) {
          clock.advance(MINUTE_MS);
          await first.schedule.look();
          await second.schedule.look();
        }
        expect(second.backups.made).toBe(0);
        first.schedule.stop();
        clock.advance(6 * MINUTE_MS);
        await second.schedule.look();
        expect(second.backups.made).toBe(1);
      }));

    test('old backups are deleted after a sound one, and without an interval none is made', () =>
      withNodes(async ({ clock, node }) => {
        const off = node({ every: null });
        await off.schedule.look();
        expect(off.backups.made).toBe(0);
        const { schedule, backups } = node();
        const old = stored(clock.nowMs() - 25 * HOUR_MS);
        const others = stored(clock.nowMs() - 25 * HOUR_MS, { origin: 'bbbbbbbb' });
        backups.kept.push(old, others);
        await schedule.look();
        expect(backups.kept).toHaveLength(2);
        expect(backups.kept.includes(old)).toBe(false);
      }));
  });
};

conformance('SQLite', () => openFile(newFile()));
conformance('PostgreSQL', () => openPostgresForTest());

test('the newest sound backup is never deleted', () => {
  const [unsound, sound, older] = [stored(30, { isSound: false }), stored(20), stored(10)];
  const foreign = stored(5, { origin: 'bbbbbbbb' });
  expect(expired([unsound, sound, older, foreign], ORIGIN, 1_000)).toEqual([unsound, older]);
  expect(expired([sound], ORIGIN, 1_000)).toEqual([]);
  expect(expired([unsound, sound, older], ORIGIN, 15)).toEqual([older]);
});

test('the next backup is due after the last sound one, or when a failure says', () => {
  const good = { atMs: 100, file: '', bytes: 1 };
  const failed = { atMs: 150, count: 1, why: '', dueAtMs: 160 };
  expect(dueAtMs(NEVER, null, 120)).toBeNull();
  expect(dueAtMs(NEVER, 50, 120)).toBe(0);
  expect(dueAtMs({ ...NEVER, good }, 50, 120)).toBe(150);
  expect(dueAtMs({ ...NEVER, good, failed }, 50, 120)).toBe(160);
  expect(dueAtMs({ ...NEVER, good }, 50, 49)).toBe(49);
});
