import { describe, expect, test } from 'bun:test';
import { modelName, parseModelName } from './behavior.ts';
import { BUDGETS } from './budgets.ts';
import { checkStreams, type Options, parseOptions } from './options.ts';
import { SUBJECTS } from './subjects.ts';

function options(...argv: string[]): Options {
  const parsed = parseOptions(argv);
  if (parsed === 'help') throw new Error('asked for help');
  return parsed;
}

describe('options', () => {
  test('measures peers only on request', () => {
    expect(options().subjects).toEqual(['direct', 'bare-relay', 'modelgate']);
    expect(options('--peers').subjects).toEqual([...SUBJECTS]);
  });

  test('runs measures in their fixed order, however they are listed', () => {
    const { measures } = options('--measures', 'open-streams,short-json');
    expect(measures.map(({ name }) => name)).toEqual(['short-json', 'open-streams']);
  });

  test('measures the growth of memory only by name, for the given minutes', () => {
    expect(options().measures.map(({ name }) => name)).not.toContain('slope');
    const named = options('--measures', 'rest,slope', '--minutes', '3');
    expect(named.measures.map(({ name }) => name)).toEqual(['rest', 'slope']);
    expect(named.measures.at(-1)?.question).toContain('3 minutes');
    expect(options('--compare', 'main', '--measures', 'slope').measures).toHaveLength(1);
  });

  test('compares the two checkouts beside the relay, by what both can run', () => {
    const { compare, subjects, measures } = options('--compare', 'main');
    expect({ compare, subjects }).toEqual({
      compare: 'main',
      subjects: ['bare-relay', 'base', 'modelgate'],
    });
    expect(measures.map(({ name }) => name)).toContain('failover');
    expect(measures.map(({ name }) => name)).not.toContain('ledger-sqlite');
  });

  test('shortens the streams of a shorter run, but never below a second', () => {
    const models = (scale: string): readonly string[] =>
      options('--measures', 'many-streams', '--scale', scale).measures.flatMap(
        (measure) => measure.models,
      );
    expect(models('1')).toEqual(['stamped-200-every-20ms-by-2000']);
    expect(models('0.01')).toEqual(['stamped-50-every-20ms-by-2000']);
  });

  test.each([
    [['--rounds', '0'], '--rounds takes a whole number from 1'],
    [['--minutes', '0'], '--minutes takes a whole number from 1'],
    [['--scale', 'fast'], '--scale takes a number'],
    [
      ['--measures', 'speed'],
      '--measures has the unknown value "speed"; valid are rest, slow-reader',
    ],
    [['--subjects', 'bifrost'], '--subjects has the unknown value "bifrost"'],
    [['--compare', 'main', '--write'], '--compare cannot be combined with --write'],
    [['--compare', 'main', '--rounds', '2'], '--compare needs at least 3 rounds'],
    [['--compare', 'main', '--measures', 'ledger-sqlite'], 'has the unknown value "ledger-sqlite"'],
  ])('%p is refused with the valid values', (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(message);
  });
});

test('refuses more streams than a process may open, and names the limit', () => {
  expect(() => checkStreams('--streams', 9_500, 20_000)).not.toThrow();
  expect(() => checkStreams('--live-streams', 10_000, 20_000)).toThrow('ask for at most 9500');
});

describe('budgets', () => {
  test('each names a figure that a measure has, and no figure has two', () => {
    const measures = [...options().measures, ...options('--measures', 'slope').measures];
    const figures = measures.flatMap(({ name, figures }) =>
      figures.map(({ key }) => `${name}.${key}`),
    );
    const judged = BUDGETS.map(({ measure, figure }) => `${measure}.${figure}`);
    expect(judged.filter((name) => !figures.includes(name))).toEqual([]);
    expect(new Set(judged).size).toBe(judged.length);
  });
});

describe('behavior', () => {
  test('a name parses to its behavior', () => {
    for (const behavior of [
      { kind: 'json' },
      { kind: 'idle' },
      { kind: 'flood' },
      { kind: 'sse', events: 100, everyMs: 8 },
      { kind: 'flaky', failEvery: 3 },
      { kind: 'stamped', events: 250, everyMs: 20, streams: 2_000 },
    ] as const) {
      expect(parseModelName(modelName(behavior))).toEqual(behavior);
    }
  });

  test('an unknown name throws', () => {
    expect(() => parseModelName('gpt')).toThrow('no model named "gpt"');
    expect(() => parseModelName('sse-4-every-0ms')).toThrow('no model named');
    expect(() => parseModelName('json-failing-every-0')).toThrow('no model named');
    expect(() => parseModelName('stamped-9-every-0ms-by-2')).toThrow('no model named');
  });
});
