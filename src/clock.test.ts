import { expect, test } from 'bun:test';
import { manualClock } from './clock.fixture.ts';
import { newId } from './clock.ts';

test('a manual clock draws the same bytes in every run', () => {
  expect(manualClock().randomBytes(8)).toEqual(manualClock().randomBytes(8));
});

test('ids drawn at one moment differ, however many', () => {
  const clock = manualClock();
  const ids = Array.from({ length: 20_000 }, () => newId(clock, 'x'));
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids sort by the time they were made', () => {
  const clock = manualClock();
  const ids = Array.from({ length: 50 }, () => {
    clock.advance(7);
    return newId(clock, 'x');
  });
  expect(ids.toSorted()).toEqual(ids);
});

test('timers run in the order in which they fall due', () => {
  const clock = manualClock();
  const ran: string[] = [];
  clock.after(20, () => ran.push('late'));
  clock.after(10, () => ran.push('early'));
  clock.after(15, () => ran.push('never')).cancel();
  clock.advance(20);
  expect(ran).toEqual(['early', 'late']);
});
