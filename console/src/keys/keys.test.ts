import { describe, expect, test } from 'bun:test';
import { chooseZone } from '#i18n/time-zone.ts';
import { budgetsOf, tightestBudget } from './budget.ts';
import { FIELD_NAMES } from './key-field-names.ts';
import {
  EMPTY_KEY_FORM,
  hasRareLimits,
  type KeyForm,
  keyBodyOf,
  keyFormOf,
  keyFormProblems,
  localDay,
  spentBeyond,
} from './key-form.ts';
import { everyKey } from './key-queries.ts';
import { mayManage, secretEnds } from './key-state.ts';
import { aKey } from './keys.fixture.ts';

const NONE = aKey().limits;
const spent = (amount: string, remaining: string | null = null) => ({
  spent: amount,
  remaining,
  resets_at: '2026-12-01T00:00:00.000Z',
});
const withCaps = (caps: Partial<KeyForm['limits']['spend']>): KeyForm => ({
  ...EMPTY_KEY_FORM,
  name: 'ci',
  limits: { ...EMPTY_KEY_FORM.limits, spend: { ...EMPTY_KEY_FORM.limits.spend, ...caps } },
});

test('all pages of a list of keys are read', async () => {
  const pages = [
    { data: [aKey({ id: 'key_1' })], next: 'more' },
    { data: [aKey({ id: 'key_2' })], next: null },
  ];
  const asked: unknown[] = [];
  const keys = await everyKey(async (query) => {
    asked.push(query);
    return pages[asked.length - 1] ?? { data: [], next: null };
  });
  expect(keys.map(({ id }) => id)).toEqual(['key_1', 'key_2']);
  expect(asked).toEqual([{ limit: 1_000 }, { limit: 1_000, after: 'more' }]);
});

describe('the key form', () => {
  test('a key survives the round trip through the form', () => {
    const limits = {
      ...NONE,
      spend: { day: '1.500000000', week: null, month: '250.00', total: null },
      requests_per_minute: 60,
      models: ['gen-v4-pro'],
      channels: ['direct' as const],
      ip_ranges: ['10.0.0.0/8'],
    };
    const form = keyFormOf(aKey({ limits }));
    expect(form.limits.spend).toEqual({ day: '1.50', week: '', month: '250.00', total: '' });
    expect(keyBodyOf(form, form)).toEqual({
      name: 'ci',
      limits: { ...limits, spend: { ...limits.spend, day: '1.50' } },
      scopes: ['inference', 'usage', 'top_up'],
    });
  });

  test('every field has a name for comparisons', () => {
    const pathsOf = (values: object, prefix: string): string[] =>
      Object.entries(values).flatMap(([name, value]) =>
        typeof value === 'object' && !Array.isArray(value)
          ? pathsOf(value, `${prefix}${name}.`)
          : [`${prefix}${name}`],
      );
    expect(Object.keys(FIELD_NAMES).toSorted()).toEqual(pathsOf(EMPTY_KEY_FORM, '').toSorted());
  });

  test('an emptied field removes its limit', () => {
    const before = keyFormOf(aKey({ expires_at: '2027-01-31T10:00:00.000Z' }));
    const after = keyBodyOf({ ...before, expires_at: '' }, before);
    expect(after.expires_at).toBeNull();
    expect(after.limits.models).toBeNull();
  });

  test('a key expires after the chosen time', () => {
    const form = { ...withCaps({}), expires_at: '+1h' };
    const nowMs = Date.parse('2027-01-31T10:00:00Z');
    expect(keyBodyOf(form, EMPTY_KEY_FORM, nowMs).expires_at).toBe('2027-01-31T11:00:00.000Z');
    const year = keyBodyOf({ ...form, expires_at: '+1y' }, EMPTY_KEY_FORM, nowMs);
    expect(year.expires_at).toBe('2028-01-31T10:00:00.000Z');
    expect(keyFormProblems(form, EMPTY_KEY_FORM, '2027-01-31')).not.toHaveProperty('expires_at');
  });

  test("a key expires at the end of the day in the person's time zone", () => {
    const expiry = () => keyBodyOf({ ...withCaps({}), expires_at: '2027-01-31' }).expires_at;
    chooseZone('Asia/Shanghai');
    expect(expiry()).toBe('2027-01-31T15:59:59.000Z');
    chooseZone('America/New_York');
    expect(expiry()).toBe('2027-02-01T04:59:59.000Z');
    expect(localDay(new Date('2027-02-01T04:59:59Z'))).toBe('2027-01-31');
    chooseZone(null);
  });

  test('rejects what the API would reject', () => {
    const wrong: KeyForm = {
      ...withCaps({ day: '1,5', week: '0', month: '1.1234567891' }),
      name: '  ',
      expires_at: '2020-01-01',
      limits: {
        ...withCaps({ day: '1,5', month: '1.1234567891' }).limits,
        requests_per_minute: '0',
        concurrency: '3',
      },
    };
    expect(keyFormProblems(wrong, EMPTY_KEY_FORM, '2026-11-21')).toEqual({
      name: 'nameMissing',
      expires_at: 'past',
      'limits.spend.day': 'notAmount',
      'limits.spend.month': 'notAmount',
      'limits.requests_per_minute': 'notCount',
    });
    for (const text of ['day', '2026-02-30', 'soon']) {
      const form = { ...withCaps({}), expires_at: text };
      const { expires_at: problem } = keyFormProblems(form, EMPTY_KEY_FORM, '2026-11-21');
      expect([text, problem]).toEqual([text, 'notDay']);
    }
    const without = keyFormProblems({ ...withCaps({}), scopes: [] }, EMPTY_KEY_FORM, '2026-11-21');
    expect(without).toEqual({ scopes: 'noScope' });
    const past = { ...withCaps({}), expires_at: '2020-01-01' };
    expect(keyFormProblems(past, past, '2026-11-21')).toEqual({});
  });

  test('reads limits with thousands separators', () => {
    const form = { ...withCaps({ month: '1,000.50' }), name: 'grouped' };
    expect(keyFormProblems(form, EMPTY_KEY_FORM, '2026-11-21')).toEqual({});
    expect(keyBodyOf(form).limits.spend.month).toBe('1000.50');
  });

  test('warns about limits that are already used up', () => {
    const spend = {
      day: spent('0.5'),
      week: spent('2'),
      month: spent('2.000000001'),
      total: spent('0'),
    };
    const form = withCaps({ day: '1', week: '2', month: '2', total: 'nonsense' });
    expect(spentBeyond(form, spend)).toEqual(['week', 'month']);
  });

  test('expands the other limits when one is set', () => {
    expect(hasRareLimits(withCaps({ month: '5' }))).toBe(false);
    expect(hasRareLimits(withCaps({ day: '5' }))).toBe(true);
    expect(hasRareLimits(keyFormOf(aKey({ scopes: ['inference'] })))).toBe(true);
    expect(hasRareLimits(keyFormOf(aKey()))).toBe(false);
    expect(hasRareLimits({ ...EMPTY_KEY_FORM, expires_at: '2027-01-01' })).toBe(false);
  });
});

test('a budget is the used part of its limit, and the fullest one is displayed', () => {
  const key = aKey({
    limits: { ...NONE, spend: { day: '1.00', week: null, month: '0', total: '9' } },
    spend: {
      day: spent('0.333333333', '0.666666667'),
      week: spent('1'),
      month: spent('0', '0'),
      total: spent('1', '8'),
    },
  });
  expect(budgetsOf(key).map(({ window, part }) => [window, part])).toEqual([
    ['day', 0.3333],
    ['month', 1],
    ['total', 0.1111],
  ]);
  expect(tightestBudget(key)?.window).toBe('month');
  expect(tightestBudget(aKey())).toBeNull();
  // Unlike a key, a member has no total limit.
  const member = { day: spent('1'), week: spent('3', '1'), month: spent('9') };
  const limits = { spend: { day: null, week: '4', month: null } };
  expect(budgetsOf({ limits, spend: member })).toMatchObject([{ window: 'week', part: 0.75 }]);
});

test('members manage the keys they made, owners all keys, and readers none', () => {
  const may = (role: 'read_only' | 'member' | 'owner', createdBy: string | null) =>
    mayManage({ id: 'usr_1', role }, aKey({ created_by: createdBy }));
  expect(['usr_1', 'usr_2', null].map((each) => may('member', each))).toEqual([true, false, false]);
  expect(['usr_1', 'usr_2', null].map((each) => may('owner', each))).toEqual([true, true, true]);
  expect(may('read_only', 'usr_1')).toBe(false);
  const playground = aKey({ created_by: 'usr_1', purpose: 'playground' });
  expect(mayManage({ id: 'usr_1', role: 'member' }, playground)).toBe(false);
  expect(mayManage({ id: 'usr_1', role: 'owner' }, playground)).toBe(true);
});

describe('the secrets of a rotated key', () => {
  const [now, soon, later] = ['2026-11-02', '2026-11-03', '2026-11-09'].map(
    (day) => `${day}T00:00:00.000Z`,
  );
  test.each([
    ['the key does not expire', soon, null, { previous: soon, current: null }],
    ['the key expires later', soon, later, { previous: soon, current: later }],
    ['the key expires first', later, soon, { previous: soon, current: soon }],
    ['the old secret expired at once', now, later, { previous: null, current: later }],
    ['there is no overlap', null, null, { previous: null, current: null }],
  ] as const)('expire correctly when %s', (_, until, expires, ends) => {
    const key = aKey({ previous_secret_until: until ?? null, expires_at: expires ?? null });
    expect<unknown>(secretEnds(key, Date.parse(now ?? ''))).toEqual(ends);
  });
});
