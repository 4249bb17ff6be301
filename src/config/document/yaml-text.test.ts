// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { CORE_SCHEMA, dump } from 'js-yaml';
import { parseYaml } from '../yaml-file.ts';
import { type Document, documentIn, readDocument } from './document.ts';
import { yamlText, yamlTextSteps } from './yaml-text.ts';

const ROOT = join(import.meta.dir, '../../..');

const read = (yaml: string): unknown => parseYaml(yaml, 'f.yaml').value;

/** Expects that the YAML text parses to the same document, with the keys in the same order. */
function expectSame(document: Document): void {
  const text = yamlText(document);
  const again = read(text);
  expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  expect(yamlText(documentIn(again))).toBe(yamlText(documentIn(document)));
}

/** Texts that a YAML parser could interpret as another type or as syntax. */
const odd = fc.constantFrom(
  ...[
    '',
    ' ',
    '-',
    '---',
    '...',
    '~',
    'null',
    'true',
    'yes',
    'no',
    'on',
    '1',
    '1.0',
    '0x1F',
    '1e3',
  ],
  ...['5.00', '.inf', '.nan', '1_000', '12:30', '2026-12-31', '<<', '=', '!', '&a', '*a', '? a'],
  ...['a: b', 'a #b', '# a', '|', '>', '%a', '@a', '`a`', "it's", '"a"', '[a', '{a', 'a\nb', '\n'],
  ...['a\n\n', ' a', 'a ', '\t', '\u0085', '\u2028', '\u0000', '\ufeff', '\u{1f600}', '\ud800'],
  ...[
    '${NAME:-x}',
    '${secret:a.b}',
    '__proto__',
    'constructor',
    'x'.repeat(300),
    `${'y '.repeat(99)}z`,
  ],
);
const text = fc.oneof(odd, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (each === 0 ? 0 : each)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const section = fc.oneof(text, fc.constantFrom('models', 'upstreams', 'fx'));
const document = fc
  .dictionary(section, value, { maxKeys: 6 })
  .map((each) => documentIn(readDocument(JSON.stringify(each))));

describe('a document as YAML', () => {
  test('is read as the same document, whatever its texts', () => {
    fc.assert(fc.property(document, expectSame), { seed: 20261123, numRuns: 600 });
  });

  test('of the shipped file and of each guide is read as the same document', () => {
    const guides = join(ROOT, 'docs/guides');
    const blocks = readdirSync(guides)
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => {
        const page = readFileSync(join(guides, name), 'utf8');
        return [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block);
      });
    expect(blocks.length).toBeGreaterThan(5);
    for (const file of [readFileSync(join(ROOT, 'modelgate.yaml'), 'utf8'), ...blocks]) {
      const document = documentIn(read(file));
      expectSame(document);
      const options = { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true };
      expect(yamlText(document)).toBe(dump(document, options));
    }
  });

  test('has a line for each setting, and texts in quotes where YAML would read a number', () => {
    const price = { models: { 'gen-x': { price: { input: '5.00', output: '-' }, tags: ['a'] } } };
    // The generator yields once for each record.
    expect([...yamlTextSteps({ fx: { a: '1', b: '2' }, ...price })]).toHaveLength(3);
    expect(yamlText(price)).toBe(
      "models:\n  gen-x:\n    price:\n      input: '5.00'\n      output: '-'\n    tags:\n      - a\n",
    );
  });
});
