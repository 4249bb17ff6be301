import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { formatsOf } from './formats.ts';

const NARROW_SPACES = /[\u2009\u202f]/g;
// The clock stands still, because relative times are compared at the edges of their rounding, and
// short times omit the current year.
const NOW = new Date('2026-11-22T12:00:00Z');
beforeAll(() => void setSystemTime(NOW));
afterAll(() => void setSystemTime());

test('a duration has the right unit, also when rounded up', () => {
  const { duration } = formatsOf('en', 'UTC');
  const shown = [0.4, 850, 999.6, 1_240, 59_994, 59_999, 119_700, 125_000].map(duration);
  expect(shown).toEqual('0 ms|850 ms|1 s|1.24 s|59.99 s|1 min 0 s|2 min 0 s|2 min 5 s'.split('|'));
});

test('large counts use K and M in every language', () => {
  const { compact } = formatsOf('zh', 'UTC');
  expect([1_000_000, 128_000, 16_982_345].map(compact)).toEqual(['1M', '128K', '16.98M']);
});

test('negative numbers have a minus sign and no hyphen', () => {
  const { count, percent } = formatsOf('en', 'UTC');
  expect([count(-1234), percent(-0.15)]).toEqual(['\u22121,234', '\u221215%']);
});

test('a list has the separators of its language', () => {
  expect(formatsOf('zh', 'UTC').list(['文本', '图像', '文件'])).toBe('文本、图像、文件');
  expect(formatsOf('en', 'UTC').list(['Text', 'Image', 'File'])).toBe('Text, Image, File');
  expect(formatsOf('zh', 'UTC').pair('时区', 'UTC')).toBe('时区：UTC');
  expect(formatsOf('en', 'UTC').pair('Time zone', 'UTC')).toBe('Time zone: UTC');
});

describe('dates follow the region of the browser, in the language of the page', () => {
  test.each([
    ['en', 'en-US', 'Nov 22, 2026', 'Nov 22, 05:43'],
    ['en', 'en-GB', '22 Nov 2026', '22 Nov, 05:43'],
    ['en', 'de-DE', '22 Nov 2026', '22 Nov, 05:43'],
    ['en', 'zh-CN', 'Nov 22, 2026', 'Nov 22, 05:43'],
    ['zh', 'zh-CN', '2026/11/22', '11/22 05:43'],
    ['zh', 'en-GB', '2026/11/22', '11/22 05:43'],
    ['zh-TW', 'zh-TW', '2026/11/22', '11/22 05:43'],
    ['zh-TW', 'zh-HK', '22/11/2026', '22/11 05:43'],
  ] as const)('%s in a browser of %s', (language, tag, date, shortTime) => {
    const formats = formatsOf(language, 'UTC', tag);
    expect(formats.date('2026-11-22T05:43:36Z')).toBe(date);
    expect(formats.shortTime('2026-11-22T05:43:36Z')).toBe(shortTime);
  });

  test('the full time has seconds, in Chinese without words for the time of day', () => {
    const at = '2026-11-22T17:43:36Z';
    const shown = (language: 'en' | 'zh' | 'zh-TW', tag: string) =>
      formatsOf(language, 'UTC', tag).time(at).replace(NARROW_SPACES, ' ');
    expect(shown('en', 'en-US')).toBe('Nov 22, 2026, 5:43:36 PM');
    expect(shown('en', 'en-GB')).toBe('22 Nov 2026, 17:43:36');
    expect(shown('zh-TW', 'zh-TW')).toBe('2026/11/22 17:43:36');
  });
});

test('numbers follow the region, but never lose the decimal point', () => {
  const shown = (tag: string) => formatsOf('en', 'UTC', tag).count(1_234_567.5);
  expect(['en-US', 'en-IN', 'de-DE'].map(shown)).toEqual([
    '1,234,567.5',
    '12,34,567.5',
    '1,234,567.5',
  ]);
});

describe('times are those of the zone', () => {
  test('on the other side of midnight, and of the year', () => {
    const at = '2026-01-01T02:30:00Z';
    expect(formatsOf('en', 'Asia/Shanghai').shortTime(at)).toBe('Jan 1, 10:30');
    expect(formatsOf('en', 'America/Los_Angeles').shortTime(at)).toBe('Dec 31, 2025, 18:30');
  });

  test('before and after the change to daylight saving time', () => {
    const { shortTime } = formatsOf('en', 'America/New_York');
    const shown = ['06:59', '07:00'].map((clock) => shortTime(`2025-03-09T${clock}:00Z`));
    expect(shown).toEqual(['Mar 9, 2025, 01:59', 'Mar 9, 2025, 03:00']);
  });

  test('a span of whole days has no hours, also on a day of 23 hours', () => {
    const { span } = formatsOf('en', 'America/New_York');
    const shown = (from: string, to: string) =>
      span(Date.parse(from), Date.parse(to)).replace(NARROW_SPACES, ' ');
    expect(shown('2025-03-09T05:00Z', '2025-03-10T04:00Z')).toBe('Mar 9, 2025');
    expect(shown('2025-03-09T05:00Z', '2025-03-11T04:00Z')).toBe('Mar 9 – 10, 2025');
    expect(shown('2025-03-09T05:00Z', '2025-03-10T05:00Z')).toBe(
      'Mar 9, 2025, 00:00 – Mar 10, 2025, 01:00',
    );
  });
});

test('a relative time is rounded', () => {
  const { ago } = formatsOf('en', 'UTC');
  const after = (seconds: number) => ago(new Date(Date.now() + seconds * 1000).toISOString());
  expect([604_799, 3_599.9, -5_400, -86_399].map(after)).toEqual([
    'in 7 days',
    'in 1 hour',
    '1 hour ago',
    'yesterday',
  ]);
});

test('a time that has just begun is shown in full', () => {
  const { ago } = formatsOf('en', 'UTC');
  const inMinutes = (minutes: number) => ago(new Date(Date.now() + minutes * 60_000).toISOString());
  expect(inMinutes(7 * 24 * 60 - 1)).toBe('in 7 days');
  expect(inMinutes(59.9)).toBe('in 1 hour');
  expect(inMinutes(58.9)).toBe('in 59 minutes');
  expect(inMinutes(-23.99 * 60)).toBe('yesterday');
  expect(inMinutes(-0.02)).toBe('1 second ago');
});
