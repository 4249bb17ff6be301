import { expect, test } from 'bun:test';
import { leaving } from './image-shelf.ts';

const row = (id: string, startedMs: number, bytes: number) => ({ id, startedMs, bytes });

test('the oldest images are deleted when there are too many', () => {
  const rows = [row('old', 1, 1), row('new', 3, 1), row('middle', 2, 1)];
  expect(leaving(rows, { runs: 2, bytes: 100 })).toEqual(['old']);
  expect(leaving(rows, { runs: 3, bytes: 100 })).toEqual([]);
});

test('the oldest images are deleted when all images need too many bytes', () => {
  const rows = [row('old', 1, 10), row('middle', 2, 60), row('new', 3, 40)];
  expect(leaving(rows, { runs: 9, bytes: 100 })).toEqual(['old']);
  expect(leaving(rows, { runs: 9, bytes: 110 })).toEqual([]);
  expect(leaving([row('huge', 1, 101)], { runs: 9, bytes: 100 })).toEqual(['huge']);
});
