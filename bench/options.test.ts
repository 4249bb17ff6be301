import { describe, expect, test } from 'bun:test';
import { modelName, parseModelName } from './behavior.ts';
import { checkStreams, type Options, parseOptions } from './options.ts';

function options(...argv: string[]): Options {
  const parsed = parseOptions(argv);
  if (parsed === 'help') throw new Error('asked for help');
  return parsed;
}

describe('options', () => {
  test('measures a peer only on request', () => {
    expect(options().subjects).toEqual(['direct', 'bare-relay', 'modelgate']);
    expect(options('--peers').subjects).toContain('portkey');
  });

  test('runs measures in their fixed order, however they are listed', () => {
    const { measures } = options('--measures', 'open-streams,short-json');
    expect(measures.map(({ name }) => name)).toEqual(['short-json', 'open-streams']);
  });

  test('applies the memory budget only at its stated size', () => {
    const budgets = (streams: string): (number | undefined)[] =>
      options('--measures', 'open-streams', '--streams', streams).measures.flatMap(({ figures }) =>
        figures.map(({ atMost }) => atMost).filter((atMost) => atMost !== undefined),
      );
    expect(budgets('1000')).toEqual([]);
    expect(budgets('10000')).toEqual([600]);
    expect(budgets('9500')).toEqual([600]);
  });

  test('applies the latency budget of many streams at its size, and the loss budget at any', () => {
    const budgets = (streams: string): readonly (number | undefined)[] =>
      options('--measures', 'many-streams', '--live-streams', streams).measures.flatMap(
        ({ figures }) => figures.map(({ atMost }) => atMost).filter((most) => most !== undefined),
      );
    expect(budgets('500')).toEqual([0, 0, 0]);
    expect(budgets('2000')).toEqual([0, 0, 0, 25, 25, 25]);
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
    [['--scale', 'fast'], '--scale takes a number'],
    [['--measures', 'speed'], '--measures does not know "speed"; it takes slow-reader'],
    [['--subjects', 'litellm'], '--subjects does not know "litellm"'],
  ])('%p is refused with what it takes', (argv, message) => {
    expect(() => parseOptions(argv)).toThrow(message);
  });
});

test('refuses more streams than a process may open, and names the limit', () => {
  expect(() => checkStreams('--streams', 9_500, 20_000)).not.toThrow();
  expect(() => checkStreams('--live-streams', 10_000, 20_000)).toThrow('ask for at most 9500');
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
