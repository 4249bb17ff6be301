import { describe, expect, test } from 'bun:test';
import { choosePins, type Machine } from './machine.ts';
import type { Measure } from './measures/measure.ts';
import { renderReport } from './report.ts';
import { percentile, spread } from './spread.ts';
import { judge, type Row, summarize } from './summary.ts';

const MEASURE: Measure = {
  name: 'example',
  question: 'How long?',
  sketch: 'Not long.',
  models: [],
  figures: [
    { key: 'ms', label: 'added latency', unit: 'ms', better: 'lower', above: 'direct', atMost: 2 },
    { key: 'cpu', label: 'CPU', unit: 'µs', better: 'lower', ofProcess: true },
  ],
  run: async () => ({}),
};

const row = (subject: Row['subject'], round: number, ms: number, cpu: number): Row => ({
  measure: 'example',
  subject,
  round,
  found: { ms, cpu },
});

/** Modelgate adds 1, 2 and 6 ms; the peer adds 4, 4 and 3 ms, and fails in a fourth round. */
const ROWS: readonly Row[] = [
  row('direct', 1, 1, 0),
  row('modelgate', 1, 2, 100),
  row('portkey', 1, 5, 900),
  row('direct', 2, 3, 0),
  row('modelgate', 2, 5, 110),
  row('portkey', 2, 7, 1100),
  row('direct', 3, 2, 0),
  row('modelgate', 3, 8, 90),
  row('portkey', 3, 5, 720),
  { measure: 'example', subject: 'portkey', round: 4, failure: 'status 500' },
];

const SUMMARIES = summarize([MEASURE], ['direct', 'modelgate', 'portkey'], ROWS);

describe('summary', () => {
  test('subtracts another subject round by round', () => {
    const bySubject = SUMMARIES[0]?.figures[0]?.bySubject;
    expect(bySubject?.get('modelgate')?.values).toEqual({ median: 2, least: 1, most: 6, count: 3 });
    expect(bySubject?.get('portkey')?.values.median).toBe(4);
    expect(bySubject?.has('direct')).toBe(false);
  });

  test('a ratio compares figures of the same round only', () => {
    const times = SUMMARIES[0]?.figures[1]?.bySubject.get('portkey')?.timesModelgate;
    expect(times).toEqual({ median: 9, least: 8, most: 10, count: 3 });
  });

  test('direct has no process and therefore no process figures', () => {
    expect(SUMMARIES[0]?.figures[1]?.bySubject.has('direct')).toBe(false);
  });

  test('judges a budget by the median of Modelgate', () => {
    const [result] = judge(SUMMARIES);
    expect(result).toMatchObject({ atMost: 2, reached: { median: 2 }, met: true });
    const [tighter] = judge(
      summarize(
        [MEASURE],
        ['direct', 'modelgate'],
        [...ROWS, row('direct', 4, 0, 0), row('modelgate', 4, 9, 0)],
      ),
    );
    expect(tighter?.met).toBe(false);
  });

  test('reports no budget as met without Modelgate', () => {
    expect(judge(summarize([MEASURE], ['direct'], ROWS.slice(0, 1)))[0]?.met).toBeNull();
  });
});

describe('spread', () => {
  test('the median of an even count is the mean of the middle two', () => {
    expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, least: 1, most: 4, count: 4 });
  });

  test('interpolates a percentile between neighboring ranks', () => {
    expect(percentile([0, 10, 20, 30], 50)).toBe(15);
    expect(percentile([7], 99)).toBe(7);
    expect(() => percentile([], 50)).toThrow('no values');
  });
});

describe('cores', () => {
  test('the subject never shares its core; the others share one only without a third', () => {
    expect(choosePins(2, true)).toEqual({ subject: 0, mock: 1, load: 1 });
    expect(choosePins(8, true)).toEqual({ subject: 0, mock: 1, load: 2 });
    const unpinned = { subject: null, mock: null, load: null };
    expect(choosePins(1, true)).toEqual(unpinned);
    expect(choosePins(8, false)).toEqual(unpinned);
  });
});

const PLACES = 'subject on core 0, mock upstream and load generator on core 1';

describe('report', () => {
  const machine: Machine = {
    date: '2026-11-21',
    commit: 'abc1234',
    command: 'npm run bench -- --peers',
    cpu: 'A CPU',
    cores: 2,
    memoryGb: 24,
    kernel: '6.18',
    bun: '1.4.5',
    node: 'v20.20.2',
    pins: { subject: 0, mock: 1, load: 1 },
  };
  const subjects = ['direct', 'modelgate', 'portkey'] as const;
  const page = renderReport({ machine, rounds: 3, scale: 1, subjects, summaries: SUMMARIES });

  test('shows the budget and whether it was met', () => {
    expect(page).toContain('| example: added latency | 2 ms | 2 (1 to 6) | yes |');
  });

  test('shows a nonzero count that should be zero as missed', () => {
    const counted: Measure = {
      ...MEASURE,
      figures: [{ key: 'lost', label: 'lost', unit: 'events', better: 'lower', atMost: 0 }],
    };
    const found = {
      measure: 'example',
      subject: 'modelgate',
      round: 1,
      found: { lost: 1234 },
    } as const;
    const summaries = summarize([counted], ['modelgate'], [found]);
    expect(renderReport({ machine, rounds: 1, scale: 1, subjects, summaries })).toContain(
      '| example: lost | 0 events | 1234 (1234 to 1234) | **no**, not zero |',
    );
  });

  test('shows medians with their spread, and ratios', () => {
    expect(page).toContain('| CPU, µs |  | 100 (90 to 110) | 900 (720 to 1100) | 9 (8 to 10) |');
  });

  test('names the machine, the commit and the command, and lists failures', () => {
    for (const fact of ['A CPU', 'abc1234', 'npm run bench -- --peers', 'Linux 6.18', PLACES]) {
      expect(page).toContain(fact);
    }
    expect(page).toContain('- Failed: portkey, round 4: status 500');
  });
});
