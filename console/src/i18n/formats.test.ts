import { expect, test } from 'bun:test';
import { formatsOf } from './formats.ts';

test('a duration has the right unit, also when rounded up', () => {
  const { duration } = formatsOf('en');
  const shown = [0.4, 850, 999.6, 1_240, 59_994, 59_999, 119_700, 125_000].map(duration);
  expect(shown).toEqual('0 ms|850 ms|1 s|1.24 s|59.99 s|1 min 0 s|2 min 0 s|2 min 5 s'.split('|'));
});

test('large counts use K and M in every language', () => {
  const { compact } = formatsOf('zh-CN');
  expect([1_000_000, 128_000, 16_982_345].map(compact)).toEqual(['1M', '128K', '16.98M']);
});

test('a Chinese time fits a column', () => {
  expect(formatsOf('zh-CN').date('2026-11-22T05:43:36')).toBe('2026/11/22');
});

test('a list has the separators of its language', () => {
  expect(formatsOf('zh-CN').list(['文本', '图像', '文件'])).toBe('文本、图像、文件');
  expect(formatsOf('en').list(['Text', 'Image', 'File'])).toBe('Text, Image, File');
});

test('a time in a table has no seconds, and a year only if it is another one', () => {
  const year = new Date().getFullYear();
  const [now, before] = [`${year}-11-22T05:43:36`, `${year - 1}-11-22T17:03:00`];
  expect(formatsOf('en').shortTime(now)).toBe('Nov 22, 05:43');
  expect(formatsOf('en').shortTime(before)).toBe(`Nov 22, ${year - 1}, 17:03`);
  expect(formatsOf('zh-CN').shortTime(now)).toBe('11/22 05:43');
});

test('a time that has just begun is shown in full', () => {
  const { ago } = formatsOf('en');
  const inMinutes = (minutes: number) => ago(new Date(Date.now() + minutes * 60_000).toISOString());
  expect(inMinutes(7 * 24 * 60 - 1)).toBe('in 7 days');
  expect(inMinutes(59.9)).toBe('in 1 hour');
  expect(inMinutes(58.9)).toBe('in 59 minutes');
  expect(inMinutes(-23.99 * 60)).toBe('yesterday');
  expect(inMinutes(-0.02)).toBe('1 second ago');
});
