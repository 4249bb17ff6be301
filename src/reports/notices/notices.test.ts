import { afterAll, describe, expect, test } from 'bun:test';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { edited, KEPT_MS, type NewNotice, noticeOf, withUpdate } from './notice.ts';
import { noticesConformance } from './notices-conformance.fixture.ts';

afterAll(removeFiles);

describe('SQLite', () => noticesConformance(() => openFile(newFile())));
describe('PostgreSQL', () => noticesConformance(() => openPostgresForTest()));

const NOW_MS = 20_000 * 86_400_000;
const HOUR_MS = 3_600_000;
const make = (change: Partial<NewNotice>) =>
  noticeOf(
    'ntc_1',
    {
      ...{ kind: 'incident', title: 'Slow', text: 'Yes.', affects: [], state: null },
      ...{ startsAtMs: null, endsAtMs: null },
      ...change,
    },
    NOW_MS,
  );

describe('the times of a notice', () => {
  test.each([
    ['an incident in the future', { startsAtMs: NOW_MS + 1 }, 'starts_at'],
    ['an incident of long ago', { startsAtMs: NOW_MS - KEPT_MS - 1 }, 'starts_at'],
    ['an open incident with an end', { endsAtMs: NOW_MS }, 'ends_at'],
    ['maintenance without an end', { kind: 'maintenance' }, 'ends_at'],
    ['maintenance that is over', { kind: 'maintenance', endsAtMs: NOW_MS }, 'ends_at'],
    [
      'maintenance that ends before it starts',
      { kind: 'maintenance', startsAtMs: NOW_MS + 2, endsAtMs: NOW_MS + 1 },
      'ends_at',
    ],
    [
      'maintenance for months',
      { kind: 'maintenance', endsAtMs: NOW_MS + 31 * 24 * HOUR_MS },
      'ends_at',
    ],
    ['maintenance with a state', { kind: 'maintenance', state: 'monitoring' }, 'state'],
  ] as const)('%s is refused', (_name, change, param) => {
    expect(() => make(change)).toThrow(expect.objectContaining({ param }));
  });

  test('an incident may be written after it is over', () => {
    const past = { startsAtMs: NOW_MS - 2 * HOUR_MS, endsAtMs: NOW_MS - HOUR_MS };
    expect(make({ ...past, state: 'resolved' })).toMatchObject(past);
    expect(make({ state: 'resolved' }).endsAtMs).toBe(NOW_MS);
  });

  test('an incident that is open for longer than 90 days can be edited', () => {
    const later = NOW_MS + KEPT_MS + HOUR_MS;
    expect(edited(make({}), { title: 'Still slow' }, later).title).toBe('Still slow');
    expect(() => edited(make({}), { startsAtMs: NOW_MS - 1 }, later)).toThrow(
      expect.objectContaining({ param: 'starts_at' }),
    );
  });

  test('an incident that fails again is open again', () => {
    const again = withUpdate(
      make({ state: 'resolved' }),
      { text: 'Again.', state: 'investigating' },
      NOW_MS + 1,
    );
    expect(again.endsAtMs).toBeNull();
    expect(() => edited(again, { endsAtMs: NOW_MS }, NOW_MS + 1)).toThrow(
      expect.objectContaining({ param: 'ends_at' }),
    );
  });
});
