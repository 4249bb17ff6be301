// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Environment } from './document/references.ts';
import { readYaml } from './file.fixture.ts';
import { ConfigError } from './problem.ts';

const read = (text: string, env: Environment = {}) => readYaml(text, 'f.yaml', env);
const printed = (text: string, env: Environment = {}): readonly string[] =>
  read(text, env).problems.map(({ where, path, message }) => `${where}: ${path}: ${message}`);

describe('variables', () => {
  test('are expanded anywhere in a text', () => {
    const text = 'a: "${A}"\nb: ["x-${A}-${B:-dflt}"]\nc: ${A}';
    expect(read(text, { A: 'one' }).value).toEqual({ a: 'one', b: ['x-one-dflt'], c: 'one' });
  });

  test('a set one wins over its default; an empty one does not', () => {
    expect(read('a: "${A:-dflt}"', { A: 'set' }).value).toEqual({ a: 'set' });
    expect(read('a: "${A:-dflt}"', { A: '' }).value).toEqual({ a: 'dflt' });
    expect(read('a: "${A:-}"').value).toEqual({ a: '' });
  });

  test('the final line break of a value is removed', () => {
    const env = { A: 'key\n', B: 'a\nb\r\n', C: '\n' };
    const file = read('a: ${A}\nb: ${B}\nc: "${C:-dflt}"', env);
    expect(file.value).toEqual({ a: 'key', b: 'a\nb', c: 'dflt' });
  });

  test("a variable's value is always text, and is not expanded again", () => {
    const env = { A: '5', B: '${A}', C: 'x: [1]\ny: 2', D: '$1 $& $$' };
    expect(read('a: ${A}\nb: ${B}\nc: ${C}\nd: ${D}', env).value).toEqual({
      a: '5',
      b: '${A}',
      c: 'x: [1]\ny: 2',
      d: '$1 $& $$',
    });
  });

  test('reports file, line, setting and variable for an unset one without a default', () => {
    expect(printed('a: 1\nb:\n  - x: "${NOT_THERE}"', { NOT_THERE: '' })).toEqual([
      'f.yaml:3: b.0.x: the environment variable NOT_THERE is not set; set it, or write ${NOT_THERE:-default}',
    ]);
  });

  test('rejects a misspelled one', () => {
    expect(printed('a: "${A-b}"\nb: "${"\nc: "${1}"')).toEqual([
      'f.yaml:1: a: ${A-b} is not a reference; write ${NAME}, ${NAME:-default}, ${file:/absolute/path} or ${secret:NAME}',
      'f.yaml:2: b: ${ is not a reference; write ${NAME}, ${NAME:-default}, ${file:/absolute/path} or ${secret:NAME}',
      'f.yaml:3: c: ${1} is not a reference; write ${NAME}, ${NAME:-default}, ${file:/absolute/path} or ${secret:NAME}',
    ]);
  });

  test('in a comment or in a key are left alone', () => {
    expect(read('# ${A}\n"${A}": 1 # ${B}').value).toEqual({ '${A}': 1 });
  });

  test('a text without any passes unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('${')),
        (text) => {
          expect(read(`a: ${JSON.stringify(text)}`).value).toEqual({ a: text });
        },
      ),
      { seed: 20261121 },
    );
  });
});

describe('values', () => {
  test.each([
    ['a: 1.10', 1.1],
    ['a: "1.10"', '1.10'],
    ['a: 0x1F', 31],
    ['a: 1_000', '1_000'],
    ['a: True', true],
    ['a: yes', 'yes'],
    ['a: ~', null],
    ['a:', null],
    ['a: 2026-01-01', '2026-01-01'],
    ['a: !!str 5', '5'],
    ['a: |\n  x\n  y\n', 'x\ny\n'],
    ['\uFEFFa: 1\r\n', 1],
  ])('%j is read as YAML 1.2 defines', (text, value) => {
    expect(read(text).value).toEqual({ a: value });
  });

  test('an empty file has no settings; keys are texts, even those that JavaScript reserves', () => {
    expect(read('# nothing').value).toEqual({});
    expect(Object.keys(Object(read('1: a\n__proto__: b').value))).toEqual(['1', '__proto__']);
  });
});

describe('structure', () => {
  test.each([
    ['a: [1,\nb: 2', 2],
    ['a: 1\n\tb: 2', 2],
    ['a: 1\nb: "x', 2],
    ['a: b: c', 1],
    ['a: 1\n---\nb: 2', 2],
    ['a: !unknown b', 1],
  ])('reports the line where %j stops being YAML', (text, line) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(new RegExp(`^f.yaml:${line}: [A-Z]`));
  });

  test('reports both lines of a duplicate key, and the line of a key that is a list', () => {
    expect(printed('a:\n  b: 1\n  c: 2\n  b: 3')).toEqual([
      'f.yaml:4: a.b: appears twice; the first is at f.yaml:2',
    ]);
    expect(() => read('a:\n  ? [x]\n  : 1')).toThrow('f.yaml:2: a: a key must be a plain word');
  });

  test('an alias stands for its anchor; an undefined alias is rejected', () => {
    const file = read('a: &x { b: "${B:-1}" }\nc: *x');
    expect(file.value).toEqual({ a: { b: '1' }, c: { b: '1' } });
    expect(file.locate(['c', 'b'])).toBe('f.yaml:1');
    expect(() => read('a: 1\nc: *x')).toThrow(
      'f.yaml:2: c: *x is an undefined alias; write &x before it',
    );
  });

  test('a merge key adds what a map lacks; of several maps, the first wins', () => {
    const base = 'x: &x { a: 1, b: 1, c: 1 }\ny: &y { b: 2, d: 2 }\n';
    const file = read(`${base}z:\n  <<: [*y, *x]\n  c: 3`);
    expect(file.value).toMatchObject({ z: { a: 1, b: 2, c: 3, d: 2 } });
    expect(file.locate(['z', 'a'])).toBe('f.yaml:3');
    expect(read(`${base}<<: *x\na: 5`).value).toMatchObject({ a: 5, b: 1 });
    expect(read('z: { "<<": { a: 1 }, b: << }').value).toEqual({ z: { '<<': { a: 1 }, b: '<<' } });
    expect(printed(`${base}z:\n  <<: 5`)).toEqual([
      'f.yaml:4: z.<<: must be a map, or a list of maps',
    ]);
  });

  test('merge keys that add more settings than the limit are refused', () => {
    const map = Array.from({ length: 1_000 }, (_, at) => `k${at}: 1`).join(', ');
    const merging = (count: number): string =>
      `a: &a { ${map} }\n${Array.from({ length: count }, (_, at) => `m${at}: { <<: *a }`).join('\n')}`;
    expect(Object.keys(Object(read(merging(100)).value))).toHaveLength(101);
    expect(() => read(merging(101))).toThrow('may add at most 100000 settings');
  });

  test('every value knows its line; a missing value has that of its nearest parent', () => {
    const file = read('# note\na: 1\nb:\n  c:\n    - d: 1\n    - d: 2\n      e:\n        f');
    expect(file.locate(['a'])).toBe('f.yaml:2');
    expect(file.locate(['b'])).toBe('f.yaml:3');
    expect(file.locate(['b', 'c', 0, 'd'])).toBe('f.yaml:5');
    expect(file.locate(['b', 'c', 1])).toBe('f.yaml:6');
    expect(file.locate(['b', 'c', 1, 'e'])).toBe('f.yaml:7');
    expect(file.locate(['b', 'c', 2, 'e'])).toBe('f.yaml:4');
    expect(file.locate(['z', 'y'])).toBe('f.yaml:2');
  });
});
