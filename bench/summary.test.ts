import { describe, expect, test } from 'bun:test';
import type { Budget } from './budgets.ts';
import { changesOf } from './compare.ts';
import { type Entry, type History, reachedOf, withEntry } from './history.ts';
import { choosePins, type Machine } from './machine.ts';
import type { Measure } from './measures/measure.ts';
import { renderReport } from './report.ts';
import { percentile, slopeOf, spread } from './spread.ts';
import { type BudgetResult, judge, type Row, summarize, valuesOf } from './summary.ts';

const MEASURE: Measure = {
  name: 'example',
  question: 'How long?',
  sketch: 'Not long.',
  models: [],
  figures: [
    { key: 'ms', label: 'latency', unit: 'ms', better: 'lower' },
    { key: 'cpu', label: 'CPU', unit: 'µs', better: 'lower', of: 'cpu' },
    { key: 'rate', label: 'requests', unit: 'per s', better: 'higher' },
  ],
  run: async () => ({}),
};
const [LATENCY, CPU] = MEASURE.figures;

const row = (subject: Row['subject'], round: number, ms: number, cpu: number): Row => ({
  measure: 'example',
  subject,
  round,
  found: { ms, cpu, rate: 10_000 / ms },
});

/**
 * In rounds 1 to 3, Modelgate's latency is 1, 2 and 6 ms above the bare relay's. In round 4, the
 * other vendor's gateway fails.
 */
const ROWS: readonly Row[] = [
  row('direct', 1, 0.5, 0),
  row('bare-relay', 1, 1, 50),
  row('modelgate', 1, 2, 100),
  row('portkey', 1, 5, 900),
  row('bare-relay', 2, 3, 50),
  row('modelgate', 2, 5, 150),
  row('portkey', 2, 7, 1100),
  row('bare-relay', 3, 2, 10),
  row('modelgate', 3, 8, 40),
  row('portkey', 3, 5, 720),
  { measure: 'example', subject: 'portkey', round: 4, failure: 'status 500' },
];

const TIMES: Budget = {
  measure: 'example',
  figure: 'cpu',
  limit: { kind: 'times', of: 'bare-relay', value: 3 },
};
const ABOVE: Budget = {
  measure: 'example',
  figure: 'ms',
  limit: { kind: 'above', of: 'bare-relay', value: 1.5 },
};
const LEAST: Budget = {
  measure: 'example',
  figure: 'rate',
  limit: { kind: 'least', value: 2_000 },
};
const BUDGETS = [TIMES, ABOVE, LEAST];
const SIZES = { streams: 1_000, liveStreams: 2_000, minutes: 3 };

const SUMMARIES = summarize([MEASURE], ROWS);
const RESULTS = judge(BUDGETS, SUMMARIES, SIZES);

function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('no item');
  return item;
}

const judgedOf = (budget: Budget, rows = ROWS, sizes = SIZES): BudgetResult =>
  only(judge([budget], summarize([MEASURE], rows), sizes));

describe('budgets', () => {
  test('a ratio compares figures of the same round', () => {
    const { reached, met } = judgedOf(TIMES);
    expect(reached.get('modelgate')).toEqual({ median: 3, least: 2, most: 4, count: 3 });
    expect(reached.get('portkey')?.median).toBe(22);
    expect(reached.has('bare-relay')).toBe(false);
    expect(met).toBe(true);
  });

  test('a difference compares figures of the same round', () => {
    const { reached, met } = judgedOf(ABOVE);
    expect(reached.get('modelgate')).toEqual({ median: 2, least: 1, most: 6, count: 3 });
    expect(met).toBe(false);
  });

  test('a rate has a minimum', () => {
    expect(judgedOf(LEAST)).toMatchObject({ met: true });
    const faster = { ...LEAST, limit: { kind: 'least', value: 2_001 } } as const;
    expect(judgedOf(faster)).toMatchObject({ met: false });
  });

  test('holds only from the size of its load', () => {
    const sized = { ...LEAST, from: { size: 'streams', count: 9_500 } } as const;
    expect(judge([sized], SUMMARIES, SIZES)).toEqual([]);
    expect(judge([sized], SUMMARIES, { ...SIZES, streams: 9_500 })).toHaveLength(1);
  });

  test('is not judged without Modelgate or without the relay', () => {
    const without = (name: string): readonly Row[] =>
      ROWS.filter(({ subject }) => subject !== name);
    expect(judgedOf(TIMES, without('modelgate')).met).toBeNull();
    expect(judgedOf(TIMES, without('bare-relay')).met).toBeNull();
  });
});

test('direct has no process and therefore no CPU', () => {
  const [summary] = SUMMARIES;
  if (summary === undefined || LATENCY === undefined || CPU === undefined) throw new Error('none');
  expect(valuesOf(summary, LATENCY, 'direct')?.median).toBe(0.5);
  expect(valuesOf(summary, CPU, 'direct')).toBeNull();
});

describe('comparison', () => {
  /**
   * Compares this checkout with a commit, with one round for each value of `cpu`, and returns the
   * keys of the figures that became worse.
   * @param cpu this checkout's CPU in each round; the commit's is always 100.
   */
  const worse = (...cpu: number[]): readonly string[] => {
    const rows = cpu.flatMap((value, round) => [
      row('base', round, 1, 100),
      row('modelgate', round, 50, value),
    ]);
    return changesOf(summarize([MEASURE], rows))
      .filter(({ isWorse }) => isWorse)
      .map(({ figure }) => figure.key);
  };

  test('CPU that is a tenth worse by the median, and clearly worse in every round, is worse', () => {
    expect(worse(111, 111, 112)).toEqual(['cpu']);
    expect(worse(106, 111, 190)).toEqual(['cpu']);
    expect(worse(125, 177, 178)).toEqual(['cpu']);
  });

  test('CPU that is less than a tenth worse is not worse', () => {
    expect(worse(109, 109, 109)).toEqual([]);
  });

  test('CPU that is worse within the spread of the rounds is not worse', () => {
    expect(worse(101, 141, 156)).toEqual([]);
    expect(worse(104, 110, 111)).toEqual([]);
  });

  test('two rounds are too few to judge CPU', () => {
    expect(worse(150, 150)).toEqual([]);
  });

  test('latencies are shown and never judged', () => {
    expect(worse(100, 100, 100)).toEqual([]);
    const rows = [row('base', 1, 1, 100), row('modelgate', 1, 50, 100)];
    expect(only(changesOf(summarize([MEASURE], rows)))).toMatchObject({
      figure: { key: 'ms' },
      times: { median: 50 },
      isWorse: false,
    });
  });

  test('without the commit there is nothing to compare', () => {
    expect(changesOf(SUMMARIES)).toEqual([]);
  });
});

const ENTRY: Entry = {
  commit: 'abc1234',
  date: '2026-11-21',
  cpu: 'A CPU',
  rounds: 3,
  scale: 1,
  reached: reachedOf(RESULTS),
};
const EARLIER: Entry = { ...ENTRY, commit: '0123456', scale: 0.5, reached: { 'example.cpu': 9.5 } };

describe('history', () => {
  test('records what each budget reached', () => {
    expect(ENTRY.reached).toEqual({ 'example.cpu': 3, 'example.ms': 2, 'example.rate': 2000 });
  });

  test('appends a commit', () => {
    expect(withEntry([EARLIER], ENTRY)).toEqual([EARLIER, ENTRY]);
  });

  test('a second run of a commit replaces what it measured and keeps the rest', () => {
    const again = { ...ENTRY, date: '2026-11-22', reached: { 'example.cpu': 2.5 } };
    expect(withEntry([ENTRY, EARLIER], again)).toEqual([
      EARLIER,
      { ...again, reached: { 'example.cpu': 2.5, 'example.ms': 2, 'example.rate': 2000 } },
    ]);
  });
});

describe('spread', () => {
  test('the median of an even count is the mean of the middle two', () => {
    expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, least: 1, most: 4, count: 4 });
  });

  test('the slope of points is not changed by an outlier', () => {
    const points = [0, 1, 2, 3, 4, 5].map((x) => ({ x, y: 100 + 2 * x }));
    expect(slopeOf(points)).toBe(2);
    expect(slopeOf(points.with(3, { x: 3, y: 400 }))).toBe(2);
    expect(() => slopeOf(points.slice(0, 1))).toThrow('no values');
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
    hasChanges: false,
    command: 'npm run bench -- --peers',
    cpu: 'A CPU',
    cores: 2,
    memoryGb: 24,
    kernel: '6.18',
    bun: '1.4.5',
    node: 'v20.20.2',
    pins: { subject: 0, mock: 1, load: 1 },
  };
  const subjects = ['direct', 'bare-relay', 'modelgate', 'portkey'] as const;
  const run = { machine, rounds: 3, scale: 1, subjects, summaries: SUMMARIES };
  const history: History = [EARLIER, ENTRY];
  const page = renderReport({ ...run, results: RESULTS, history });

  test('shows each budget, what was reached, and the peers', () => {
    expect(page).toContain('| Figure | Budget | Reached | Met | Portkey 1.15.2 |');
    expect(page).toContain(
      '| example: CPU | bare relay x 3 | x 3 (2 to 4) | yes | x 22 (18 to 72) |',
    );
    expect(page).toContain(
      '| example: latency | bare relay + 1.5 ms | + 2 (1 to 6) | **no**, 1.33 times the budget |',
    );
    expect(page).toContain(
      '| example: requests | at least 2,000 per s | 2000 (1250 to 5000) | yes |',
    );
  });

  test('shows a nonzero count that should be zero as missed', () => {
    const none: Budget = { ...ABOVE, limit: { kind: 'most', value: 0 } };
    const results = judge([none], SUMMARIES, SIZES);
    expect(renderReport({ ...run, results, history })).toContain(
      '| example: latency | at most 0 ms | 5 (2 to 8) | **no** |',
    );
  });

  test('shows what each commit reached, newest first', () => {
    expect(page).toContain(
      '| Figure | abc1234<br>2026-11-21 | 0123456<br>2026-11-21<br>scale 0.5 |',
    );
    expect(page).toContain('| example: CPU | x 3 | x 9.5 |');
    expect(page).toContain('| example: latency, ms | + 2 |  |');
  });

  test('shows medians with their spread, and the ratio to the relay', () => {
    expect(page).toContain(
      '| CPU, µs |  | 50 (10 to 50) | 100 (40 to 150) | 900 (720 to 1100) | 3 (2 to 4) |',
    );
  });

  test('names the machine, the commit and the command, and lists failures', () => {
    for (const fact of ['A CPU', 'abc1234', 'npm run bench -- --peers', 'Linux 6.18', PLACES]) {
      expect(page).toContain(fact);
    }
    expect(page).toContain('- Failed: portkey, round 4: status 500');
  });
});
