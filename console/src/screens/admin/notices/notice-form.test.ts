import { expect, test } from 'bun:test';
import type { components } from '#api/schema.gen.ts';
import {
  affectedKey,
  affectedOf,
  editOf,
  momentOf,
  newNoticeOf,
  noticeFormOf,
} from './notice-form.ts';

const NOTICE: components['schemas']['AdminNotice'] = {
  ...{ id: 'ntc_1', kind: 'maintenance', state: 'scheduled', title: 'Upgrade', etag: '"a"' },
  affects: [{ model: 'gen x', name: 'Gen X', channel: 'direct' }],
  ...{ starts_at: '2027-01-31T09:30:59.000Z', ends_at: '2027-01-31T11:00:00.000Z' },
  updates: [{ at: '2027-01-01T00:00:00.000Z', state: 'scheduled', text: 'Short breaks.' }],
  updated_at: '2027-01-01T00:00:00.000Z',
};

test('a moment is a day and a time in UTC', () => {
  expect(momentOf({ day: '2027-01-31', time: '9:05' })).toBe('2027-01-31T09:05:00Z');
  expect(momentOf({ day: '', time: '' })).toBeNull();
  for (const wrong of [
    { day: '2027-01-31', time: '' },
    { day: '2027-01-31', time: '24:00' },
    { day: 'tomorrow', time: '10:00' },
  ]) {
    expect(momentOf(wrong)).toBeUndefined();
  }
});

test('the form keeps the affected models and channels', () => {
  for (const affected of [{ model: 'gen x' }, { channel: 'stable' }] as const) {
    const { model = null, channel = null } = { model: null, channel: null, ...affected };
    expect(affectedOf(affectedKey(model, channel))).toEqual(affected);
  }
});

test('an edit has only the changed fields, so that an unchanged start keeps its seconds', () => {
  const saved = noticeFormOf(NOTICE);
  expect(editOf(saved, saved)).toEqual({});
  const ends = { day: '2027-01-31', time: '12:00' };
  expect(editOf({ ...saved, ends_at: ends, affects: [] }, saved)).toEqual({
    ends_at: '2027-01-31T12:00:00Z',
    affects: [],
  });
});

test('a new incident is sent with its state, and new maintenance with its start and end', () => {
  const saved = noticeFormOf(NOTICE);
  const body = { title: 'Upgrade', text: 'Short breaks.' };
  expect(newNoticeOf('maintenance', saved, 'investigating')).toEqual({
    ...{ ...body, kind: 'maintenance', affects: [{ model: 'gen x', channel: 'direct' }] },
    ...{ starts_at: '2027-01-31T09:30:00Z', ends_at: '2027-01-31T11:00:00Z' },
  });
  const times = { starts_at: { day: '', time: '' }, ends_at: { day: '', time: '' } };
  expect(newNoticeOf('incident', { ...saved, ...times, affects: [] }, 'identified')).toEqual({
    ...{ ...body, kind: 'incident', affects: [], state: 'identified' },
  });
});
