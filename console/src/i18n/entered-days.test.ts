import { expect, test } from 'bun:test';
import { enteredDays, isDay } from './entered-days.ts';

const american = enteredDays('en', 'en-US');
const british = enteredDays('en', 'en-GB');
const chinese = enteredDays('zh', 'zh-CN');

test('a day is written as the region writes it, in every calendar and script of the system', () => {
  const days = [american, british, chinese].map(({ write }) => write('2026-11-02'));
  expect(days).toEqual(['11/02/2026', '02/11/2026', '2026/11/02']);
  for (const tag of ['th-TH', 'fa-IR', 'ar-SA', 'ja-JP-u-ca-japanese']) {
    expect([tag, enteredDays('en', tag).write('2026-11-22')]).toEqual([
      tag,
      expect.stringMatching(/2026/),
    ]);
  }
  expect(enteredDays('zh', 'en-US').write('2026-11-02')).toBe('2026/11/02');
  const patterns = [american, british, chinese].map(({ pattern }) => pattern);
  expect(patterns).toEqual(['mm/dd/yyyy', 'dd/mm/yyyy', '年/月/日']);
});

test('reads the days that it writes', () => {
  for (const { read, write } of [american, british, chinese]) {
    for (const day of ['2026-11-02', '2028-02-29', '2099-12-31']) {
      expect(read(write(day))).toBe(day);
      expect(read(day)).toBe(day);
      expect(read(day.replaceAll('-', ''))).toBe(day);
    }
  }
});

test('a typed day has the order of the region, short years and any separators', () => {
  for (const text of ['11/2/2026', '11.2.26', '11 2 2026', '11022026', '2026年11月2日']) {
    expect([text, american.read(text)]).toEqual([text, '2026-11-02']);
  }
  expect(british.read('2/11/26')).toBe('2026-11-02');
  expect(chinese.read('２０２６－１１－２')).toBe('2026-11-02');
});

test('rejects text that is not a day', () => {
  for (const text of [
    '',
    'soon',
    '13/13/2026',
    '02/30/2026',
    '1/2',
    '1/2/3/4',
    '11/2/1026',
    '9'.repeat(99),
  ]) {
    expect([text, american.read(text)]).toEqual([text, null]);
  }
  expect(['2026-11-31', '2026-11-30', '+1d', '1926-11-30'].map(isDay)).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
