import { describe, expect, test } from 'bun:test';
import { stampedPiece, streamPieces } from '../mock/mock-bytes.ts';
import { ResponseReader } from './response-reader.ts';
import { MAX_STAMPS, StampReader, sharedUs, stamped } from './stamps.ts';

type Stamp = readonly [number: number, writtenUs: number];

const STAMPS: readonly Stamp[] = [
  [0, 1_795_274_672_031_336],
  [1, 1_795_274_672_051_336],
  [MAX_STAMPS - 1, 9_007_199_254_740_991],
];
const A_SECOND_US = 1_000_000;
const ACROSS_PROCESSES_US = 1_000;

/**
 * Returns a reader that passes bytes through the HTTP parser to the stamp reader, as the load
 * generator does.
 */
function reading(): { readonly read: (bytes: Buffer) => void; readonly seen: Stamp[] } {
  const seen: Stamp[] = [];
  const stamps = new StampReader((number, writtenUs) => seen.push([number, writtenUs]));
  const reader = new ResponseReader({
    onFirstBody: () => {},
    onBody: (bytes) => stamps.read(bytes),
    onEnd: () => {},
  });
  return { read: (bytes) => reader.read(bytes), seen };
}

describe('stamps', () => {
  for (const dialect of ['chat', 'messages'] as const) {
    test(`are found exactly once in a ${dialect} stream cut at any byte`, () => {
      const template = stampedPiece(dialect);
      const [opening = Buffer.alloc(0), , ...endings] = streamPieces(dialect, 5);
      const events = STAMPS.map((stamp) => stamped(template.bytes, template.stampAt, ...stamp));
      const bytes = Buffer.concat([opening, ...events, ...endings]);
      for (let cut = 1; cut < bytes.length; cut++) {
        const { read, seen } = reading();
        read(bytes.subarray(0, cut));
        read(bytes.subarray(cut));
        expect(seen).toEqual([...STAMPS]);
      }
    });
  }

  test('do not modify their template', () => {
    const { bytes, stampAt } = stampedPiece('chat');
    const before = Buffer.from(bytes);
    stamped(bytes, stampAt, 7, 8);
    expect(bytes.equals(before)).toBe(true);
  });

  test.each([
    '@00000x:1795274672031336@',
    '@000001;1795274672031336@',
    '@000001:1795274672031336 ',
  ])('%p throws', (text) => {
    const reader = new StampReader(() => {});
    expect(() => reader.read(Buffer.from(text))).toThrow('not a stamp');
  });
});

test('two processes share a clock', () => {
  const beforeUs = sharedUs();
  const script = `console.log((await import('${import.meta.dir}/stamps.ts')).sharedUs())`;
  const other = Bun.spawnSync([process.execPath, '-e', script]);
  const afterUs = sharedUs();
  const otherUs = Number(other.stdout.toString());
  expect(otherUs).toBeGreaterThan(beforeUs - ACROSS_PROCESSES_US);
  expect(otherUs).toBeLessThan(afterUs + ACROSS_PROCESSES_US);
  expect(afterUs - beforeUs).toBeLessThan(60 * A_SECOND_US);
});
