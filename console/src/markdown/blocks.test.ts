import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { splitBlocks } from './blocks.ts';

const blocksOf = (text: string): readonly string[] => splitBlocks(text).blocks;

describe('blocks of a text', () => {
  test('paragraphs, headings and quotations stand alone', () => {
    expect(blocksOf('# One\n\ntwo\nlines\n\n\n> three\n')).toEqual([
      '# One\n\n',
      'two\nlines\n\n\n',
      '> three\n',
    ]);
  });

  test('code keeps its blank lines, whatever stands in it', () => {
    const code = '````md\n```\n\n# no heading\n\n```\n\n````\n';
    expect(blocksOf(`before\n\n${code}\nafter`)).toEqual(['before\n\n', `${code}\n`, 'after']);
  });

  test('code that is still open runs to the end', () => {
    expect(blocksOf('a\n\n```ts\nlet b;\n\nlet c;')).toEqual(['a\n\n', '```ts\nlet b;\n\nlet c;']);
  });

  test('a list with blank lines, text and code within its items is one', () => {
    const list = '1. one\n\n   more of it\n\n   ```\n   code\n\n   ```\n\n2. two\n\n';
    expect(blocksOf(`${list}after`)).toEqual([list, 'after']);
  });

  test('code in a quotation ends with it', () => {
    expect(blocksOf('> ```\n> code\n\nafter\n\nlast')).toEqual([
      '> ```\n> code\n\n',
      'after\n\n',
      'last',
    ]);
  });

  test('code within a line opens nothing', () => {
    expect(blocksOf('``` not a fence ```\n\nafter')).toEqual(['``` not a fence ```\n\n', 'after']);
  });

  test('definitions of links are known to all blocks', () => {
    expect(splitBlocks('See [it][1].\n\nMore.\n\n[1]: https://a.example\n').definitions).toBe(
      '[1]: https://a.example',
    );
  });

  test('a text with footnotes is one block', () => {
    const text = 'One[^a].\n\nTwo.\n\n[^a]: A note.\n';
    expect(blocksOf(text)).toEqual([text]);
  });

  test('all blocks joined are the text, and as it grows only the last one changes', () => {
    const piece = fc.constantFrom(
      ...['\n', '\n\n', '# h', '- a', '1. b', '```', '~~~', '> ', '  x', 'word', '[1]: u', '`'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        expect(blocksOf(text).join('')).toBe(text);
        const shorter = blocksOf(text.slice(0, -1));
        expect(blocksOf(text).slice(0, shorter.length - 1)).toEqual(shorter.slice(0, -1));
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });
});
