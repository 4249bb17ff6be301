import { expect, test } from 'bun:test';
import { fieldOf, patchOf, valuesOf } from './brand-values.ts';

const ZONE = 'Asia/Shanghai';
const BRAND = {
  name: 'Acme',
  accent: '#0f766e',
  terms: { en: 'Be kind.', zh: '请友善。' },
  announcement: {
    text: { en: 'Hello' },
    from: '2027-01-01T10:30:00Z',
    until: '2027-01-31T15:59:59Z',
    dismissible: false,
  },
};

test('unchanged fields are not sent', () => {
  expect(patchOf(BRAND, valuesOf(BRAND, ZONE), ZONE)).toEqual({ brand: {} });
  expect(patchOf(undefined, valuesOf(undefined, ZONE), ZONE)).toEqual({ brand: {} });
});

test('an emptied field removes its setting', () => {
  const values = { ...valuesOf(BRAND, ZONE), name: ' ', terms_en: '', terms_zh: '' };
  expect(patchOf(BRAND, values, ZONE)).toEqual({ brand: { name: null, terms: null } });
  const silent = { ...valuesOf(BRAND, ZONE), announcement_en: '' };
  expect(patchOf(BRAND, silent, ZONE)).toEqual({ brand: { announcement: null } });
});

test('a Chinese text without an English one is sent, so that the gateway can refuse it', () => {
  const values = { ...valuesOf(BRAND, ZONE), privacy_zh: '隐私' };
  expect(patchOf(BRAND, values, ZONE)).toEqual({
    brand: { privacy: { en: '', zh: '隐私' } },
  });
  expect(fieldOf('brand.privacy.en')).toBe('privacy_en');
});

test("days are in the person's time zone, and an unchanged day keeps its time of day", () => {
  const values = valuesOf(BRAND, ZONE);
  expect([values.from, values.until, values.dismissible]).toEqual([
    ...['2027-01-01', '2027-01-31', false],
  ]);
  expect(patchOf(BRAND, { ...values, until: '2027-02-01' }, ZONE)).toEqual({
    brand: {
      announcement: {
        ...{ text: { en: 'Hello', zh: null }, level: 'info', dismissible: false },
        until: '2027-02-01T15:59:59.000Z',
      },
    },
  });
  expect(patchOf(BRAND, { ...values, from: '2027-01-02' }, ZONE)).toMatchObject({
    brand: { announcement: { from: '2027-01-01T16:00:00.000Z' } },
  });
});
