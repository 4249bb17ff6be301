import { expect, test } from 'bun:test';
import { durationText, parseDuration, parseSize } from './units.ts';

test('durations are milliseconds', () => {
  expect(['0s', '250ms', '15s', '60m', '2h', '1d'].map(parseDuration)).toEqual([
    0, 250, 15_000, 3_600_000, 7_200_000, 86_400_000,
  ]);
});

test.each(['60', 'm', '-1s', '1.5h', '1 h', '1H', '1m30s', '', '9999999999s'])(
  'rejects the duration %j',
  (text) => {
    expect(parseDuration(text)).toBeNull();
  },
);

test('sizes are bytes', () => {
  expect(['0B', '1KiB', '32MiB', '2 GiB'].map(parseSize)).toEqual([
    0, 1024, 33_554_432, 2_147_483_648,
  ]);
});

test.each(['32', '32MB', '32mib', '-1B', '1.5MiB'])('rejects the size %j', (text) => {
  expect(parseSize(text)).toBeNull();
});

test('a duration is written in the largest unit that it fills', () => {
  const texts = ['250ms', '5m', '90m', '6h', '14d'];
  expect(texts.map((text) => durationText(parseDuration(text) ?? Number.NaN))).toEqual(texts);
});
