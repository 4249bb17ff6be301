import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type DumpOptions, dump } from 'js-yaml';
import { finish } from '../document/steps.ts';
import { ConfigError } from '../problem.ts';
import { type KnownEntries, yamlSteps } from '../yaml-file.ts';

/** A size limit above the length of any text, so that the text is parsed as a whole. */
const WHOLE = Number.POSITIVE_INFINITY;

const stepsOf = (text: string, known: KnownEntries | undefined, maxCharacters: number) =>
  yamlSteps(text, 'f.yaml', known, maxCharacters);

/** Returns the parsed map with the line of each value; null if the text is not a map. */
function readWith(text: string, maxCharacters: number, known?: KnownEntries): object | null {
  try {
    const { file } = finish(stepsOf(text, known, maxCharacters));
    if (typeof file.value !== 'object') return null;
    const lines: string[] = [];
    const walk = (value: unknown, path: readonly PropertyKey[]): void => {
      lines.push(`${path.map(String).join('/')} ${file.locate(path)}`);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, each] of Object.entries(value))
        walk(each, [...path, Array.isArray(value) ? Number(key) : key]);
    };
    walk(file.value, []);
    return { text: JSON.stringify(file.value), problems: file.problems, lines };
  } catch (thrown) {
    if (thrown instanceof ConfigError) return null;
    throw thrown;
  }
}

const odd = fc.constantFrom(
  ...['a', 'b: c', 'x\ny', '- z', '# no', "it's", '"q"', 'l1\nl2: x\n  l3', '{a', '5', '', ' a'],
  ...['|', '&a', '*a', 'long '.repeat(30)],
);
const text = fc.oneof(odd, fc.string({ maxLength: 6 }));
const key = fc.oneof(fc.constantFrom('m', 'a-b', 'x/y', 'gen:1', '1', 'true', 'a b'), text);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    ...[text, fc.integer(), fc.boolean(), fc.constant(null)],
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const document = fc.dictionary(fc.constantFrom('models', 'fx', 'a', 'b c', '1'), value, {
  minKeys: 1,
});
const options = fc.constantFrom<DumpOptions[]>(
  ...[{}, { flowLevel: 1 }, { flowLevel: 2 }, { indent: 4 }],
);
/**
 * Random edits. Each has a position, the text to insert there, and the number of characters to
 * remove.
 */
const mistakes = fc.array(
  fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(
      ...['', ' ', '  ', '\n', '#', '"', "'", '{', '}', '[', ']', '&x ', '*x', '- ', '? ', ': '],
      ...['---\n', '...\n', '\t', '\r', '\r\n', '|\n', '%Y\n', '!!str ', 'a: b\n'],
    ),
    fc.integer({ min: 0, max: 3 }),
  ),
  { maxLength: 3 },
);

describe('a text that is read entry by entry', () => {
  test('means the same as one that is read as a whole, on the same lines, or is refused as well', () => {
    fc.assert(
      fc.property(document, options, mistakes, (written, how, changes) => {
        let yaml = dump(written, { lineWidth: 40, ...how });
        for (const [where, inserted, gone] of changes) {
          const at = Math.floor(where * yaml.length);
          yaml = `${yaml.slice(0, at)}${inserted}${yaml.slice(at + gone)}`;
        }
        expect(readWith(yaml, 3)).toEqual(readWith(yaml, WHOLE));
      }),
      { seed: 20261123, numRuns: 2_000 },
    );
  });

  test.each([
    ['a flow map of several lines', 'a:\n  b: {\n    c: 1\n   }\n  d: 2\ne: [\n ]\n'],
    ['a quoted text of several lines', 'a:\n  b: "x\n   y: z"\n  d: 2\ne: 3\n'],
    ['an anchor and its alias in another entry', 'a:\n  b: &b { x: 1 }\n  c: *b\nd: *b\n'],
    ['a list at the level of its key', 'a:\n- b: 1\n- c: 2\nd:\n  - e: 3\n'],
    ['a text of many lines', 'a:\n  b: |\n    x: 1\n\n    # y\n  # z\n  c: >\n    d: 1\ne: 2\n'],
    ['a begin of the document, and comments', '# x\n---\n# y\na:\n  # z\n  b: 1\n\n  c: 2\n# e\n'],
    ['a text in a column of its own', 'a:\n      b: 1\n      c: 2\nd: 2\n'],
    ['lines that end as on Windows', 'a:\r\n  b: 1\r\n  c:\r\n    d: 2\r\ne: 3\r\n'],
    ['keys of several words, and in quotes', 'a b:\n  "c: d":\n    e: 1\n  \'f\':\n    g: 2\n'],
    ['maps that are merged', 'a: &a\n  b: 1\n  c: 2\nd:\n  <<: *a\n  c: 3\n<<: { e: 4 }\n'],
    ['a key twice', 'a:\n  b: 1\n  c: 2\n  b: 3\na: 4\n'],
  ])('%s', (_name, yaml) => {
    const whole = readWith(yaml, WHOLE);
    expect(whole).not.toBeNull();
    expect(readWith(yaml, 3)).toEqual(whole);
  });

  test.each([
    ['a: 1\nb:\n  c: 1\n  d: {\n    e: 2\n  }\n', 'f.yaml:6'],
    ['a:\n  b: 1\n  c: "x\nd: 1\n', 'f.yaml:4'],
    ['a:\n  b: 1\n  c # d: e\nf: 1\n', 'f.yaml:3'],
    ['a: 1\n---\nb: 2\n', 'f.yaml:2'],
    ['a: 1\n...\nb: 2\n', 'f.yaml:1: A configuration must be a single YAML document'],
    ['a: .inf\nb: 1\n', 'f.yaml:1: a: must be a finite number'],
  ])('%j is refused with its line', (yaml, where) => {
    const problems = (): string => {
      const { file } = finish(stepsOf(yaml, undefined, 3));
      throw new ConfigError(file.problems);
    };
    expect(problems).toThrow(where);
  });

  test('is read as fast with many comments whose lines end as on Windows', () => {
    const yaml = `${'# x\r\n'.repeat(24)}a:\r\n  b: 1\r\nc: 2\r\n`;
    const startMs = performance.now();
    expect(readWith(yaml, 3)).toEqual(readWith(yaml, WHOLE));
    // Before, each comment doubled the time, and 24 of them took 2.5 s.
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  test('is read one entry a step, and entries that were read before are the same objects', () => {
    const entry = (at: number): string => `  m${at}:\n    x: { y: [${at}, .5] }\n    z: text\n`;
    const yaml = (...numbers: readonly number[]): string =>
      `fx: { a: 1 }\nmodels:\n${numbers.map(entry).join('')}`;
    const all = Array.from({ length: 50 }, (_, at) => at);
    const steps = stepsOf(yaml(...all), undefined, 200);
    expect([...stepsOf(yaml(...all), undefined, 200)].length).toBeGreaterThan(50);
    const first = finish(steps);
    const { file, entries } = finish(stepsOf(`# x\n${yaml(9, 60, 3)}`, first.entries, 60));
    const [before, after] = [Object(first.file.value).models, Object(file.value).models];
    expect(after).toEqual({
      m9: before.m9,
      m60: { x: { y: [60, 0.5] }, z: 'text' },
      m3: before.m3,
    });
    expect([after.m9 === before.m9, after.m3 === before.m3]).toEqual([true, true]);
    expect(file.locate(['models', 'm3', 'z'])).toBe('f.yaml:12');
    expect(file.locate(['models', 'm9', 'x', 'y', 1])).toBe('f.yaml:5');
    expect([...entries.values()].map(({ key: name }) => name)).toEqual(['fx', 'm9', 'm60', 'm3']);
  });

  test('has no entry that an alias of another text could change', () => {
    const yaml = (price: number): string => `a: &p { x: ${price} }\nb: *p\nc: { x: 5 }\n`;
    const { entries } = finish(stepsOf(yaml(1), undefined, 3));
    expect([...entries.keys()]).toEqual(['c: { x: 5 }\n']);
    const { file } = finish(stepsOf(yaml(2), entries, 3));
    expect(file.value).toEqual({ a: { x: 2 }, b: { x: 2 }, c: { x: 5 } });
  });
});
