import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { definitionsIn, splitBlocks } from './blocks.ts';

const blocksOf = (text: string): readonly string[] => splitBlocks(text).blocks;

describe('Markdown blocks', () => {
  test('paragraphs, headings and quotations are blocks', () => {
    expect(blocksOf('# One\n\ntwo\nlines\n\n\n> three\n')).toEqual([
      '# One\n\n',
      'two\nlines\n\n\n',
      '> three\n',
    ]);
  });

  test('a code block keeps blank lines and any content', () => {
    const code = '````md\n```\n\n# no heading\n\n```\n\n````\n';
    expect(blocksOf(`before\n\n${code}\nafter`)).toEqual(['before\n\n', `${code}\n`, 'after']);
  });

  test('an open code block runs to the end', () => {
    expect(blocksOf('a\n\n```ts\nlet b;\n\nlet c;')).toEqual(['a\n\n', '```ts\nlet b;\n\nlet c;']);
  });

  test('a list with blank lines, text and code is one block', () => {
    const list = '1. one\n\n   more of it\n\n   ```\n   code\n\n   ```\n\n2. two\n\n';
    expect(blocksOf(`${list}after`)).toEqual([list, 'after']);
  });

  test('a code block in a quotation ends with the quotation', () => {
    expect(blocksOf('> ```\n> code\n\nafter\n\nlast')).toEqual([
      '> ```\n> code\n\n',
      'after\n\n',
      'last',
    ]);
  });

  test('inline code opens no code block', () => {
    expect(blocksOf('``` not a fence ```\n\nafter')).toEqual(['``` not a fence ```\n\n', 'after']);
  });

  test('a block gets the definitions that it uses, from the whole text', () => {
    const text =
      'See [it][1], [A  b] and ![x][c].\n\n[other]\n\n[1]: /1\n[a b]: /2\n[C]: /3\n[1]: /4\n';
    const { blocks, definitions } = splitBlocks(text);
    const used = blocks.map((block) => definitionsIn(block, definitions));
    expect(used.slice(0, 2)).toEqual(['[1]: /1\n[a b]: /2\n[C]: /3', '']);
  });

  test('a text with footnotes is one block', () => {
    const text = 'One[^a].\n\nTwo.\n\n[^a]: A note.\n';
    expect(blocksOf(text)).toEqual([text]);
  });

  test('the blocks join to the text, and appending changes only the last one', () => {
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
