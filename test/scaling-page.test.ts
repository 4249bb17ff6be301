/**
 * Tests that the table in docs/operate/scaling.md can be calculated from the measured numbers on
 * that page.
 */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dir, '../docs/operate/scaling.md'), 'utf8');

/**
 * Returns the cells of the table below a line that begins with `start`, without the table's header.
 */
function cellsBelow(start: string): string[][] {
  const from = page.indexOf(`\n${start}`);
  expect(from).toBeGreaterThan(0);
  const table = /(?:^\|.*\n?)+/m.exec(page.slice(from))?.[0] ?? '';
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const numberIn = (cell: string): number => Number(cell.replaceAll(/,/g, '').split(' ')[0]);

test('the sizes of the scaling page follow from its measured and assumed figures', () => {
  const figures = cellsBelow('**Figures.**').map(([, value = '']) => numberIn(value));
  const [nodeUs, streamUs, serverUs, streamServerUs, wal, streamWal, row] = figures;
  const [idleMb, streamKb, busy, cores, walMb, seconds] = figures.slice(7);
  const all = [nodeUs, streamUs, serverUs, streamServerUs, wal, streamWal, row, idleMb];
  for (const each of [...all, streamKb, busy, cores, walMb, seconds])
    expect(each).toBeGreaterThan(0);
  const sized = cellsBelow('**Sizes.**');
  expect(sized.length).toBe(4);
  for (const [load = '', ...found] of sized) {
    const isStreams = load.includes('streams');
    const perSecond = isStreams ? numberIn(load) / Number(seconds) : numberIn(load);
    const nodeCores = (perSecond * Number(isStreams ? streamUs : nodeUs)) / 1e6;
    const processes = Math.ceil(nodeCores / (Number(busy) / 100));
    const memoryGb =
      (processes * Number(idleMb) + (isStreams ? numberIn(load) * Number(streamKb) : 0) / 1e3) /
      1e3;
    const serverCores = (perSecond * Number(isStreams ? streamServerUs : serverUs)) / 1e6;
    const walMbs = (perSecond * Number(isStreams ? streamWal : wal)) / 1e6;
    const clusters = Math.max(
      Math.ceil(serverCores / Number(cores)),
      Math.ceil(walMbs / Number(walMb)),
    );
    const tbADay = (perSecond * 86_400 * Number(row)) / 1e12;
    const connections = Math.ceil(processes / clusters) * 7;
    const calculated = [
      nodeCores,
      processes,
      memoryGb,
      serverCores,
      walMbs,
      clusters,
      connections,
      tbADay,
    ];
    expect([load, ...found.map(numberIn)]).toEqual([load, ...calculated.map(rounded)]);
  }
});

/** Rounds the value to two digits, because the numbers on the page are not more precise. */
const rounded = (value: number): number => Number(value.toPrecision(2));
