import { expect, test } from 'bun:test';
import { LINES_A_STEP, type Line, LineTokens } from './line-tokens.ts';

/**
 * A tokenizer for tests: a line is part of a string if an odd number of quotation marks precede it.
 */
function quoted(code: string, state: boolean | null) {
  let isString = state ?? false;
  const lines = code.split('\n').map((text): Line => {
    const line: Line = [{ text, kind: isString ? 'string' : null }];
    if (text.split('"').length % 2 === 0) isString = !isString;
    return line;
  });
  return { lines, state: isString };
}

const kinds = (lines: readonly Line[]) => lines.map(([token]) => token?.kind);
const readWhole = (tokens: LineTokens<boolean>, code: string) => {
  while (tokens.step(code));
  return tokens.linesOf(code);
};

test('growing code continues at its last complete line', () => {
  const code = 'a "\nb\nc "\nd';
  const grown = new LineTokens(quoted);
  let tokenized = 0;
  const counting = new LineTokens((text: string, state: boolean | null) => {
    tokenized += text.length;
    return quoted(text, state);
  });
  for (let end = 0; end <= code.length; end += 1) {
    readWhole(grown, code.slice(0, end));
    readWhole(counting, code.slice(0, end));
  }
  expect(kinds(grown.linesOf(code))).toEqual([null, 'string', 'string', null]);
  expect(kinds(grown.linesOf(code))).toEqual(kinds(readWhole(new LineTokens(quoted), code)));
  expect(tokenized).toBeLessThan(code.length);
});

test('the unfinished line and lines not yet tokenized are plain', () => {
  const code = `"\n${'x\n'.repeat(LINES_A_STEP * 2)}end`;
  const tokens = new LineTokens(quoted);
  expect(tokens.step(code)).toBe(true);
  const lines = tokens.linesOf(code);
  expect(lines).toHaveLength(LINES_A_STEP * 2 + 2);
  expect(kinds(lines).lastIndexOf('string')).toBe(LINES_A_STEP - 1);
  expect(
    tokens
      .linesOf(code)
      .map(([token]) => token?.text)
      .join('\n'),
  ).toBe(code);
});

test('different code starts over', () => {
  const tokens = new LineTokens(quoted);
  readWhole(tokens, '"\na\n');
  expect(kinds(tokens.linesOf('b\nc\n'))).toEqual([null, null, null]);
  expect(kinds(readWhole(tokens, 'b\n"\nc\n'))).toEqual([null, null, 'string', null]);
});
