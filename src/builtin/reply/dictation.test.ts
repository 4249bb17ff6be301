import { describe, expect, test } from 'bun:test';
import { countedOut, dictatedWords } from './dictation.ts';

describe('exact words', () => {
  test.each([
    ['Say exactly "foo bar"', 'foo bar'],
    ['Reply with exactly: pong', 'pong'],
    ['Reply with the word pong and nothing else.', 'pong'],
    ['Repeat after me: the sky is blue', 'the sky is blue'],
    ['Please respond with only the word OK', 'OK'],
    ['Just say hello', 'hello'],
    ['Say hello!', 'hello!'],
    ['请重复：“今天天气很好”', '今天天气很好'],
    ['请只回复：收到', '收到'],
  ])('%s', (asked, words) => {
    expect(dictatedWords(asked)).toBe(words);
  });

  test.each([
    'Hello',
    'Say something nice',
    'Say what you think',
    'Write a poem about the sea',
    'Answer in one word: yes or no?',
    'Write only about cats',
    '你说得对',
  ])('%s dictates nothing', (asked) => {
    expect(dictatedWords(asked)).toBeNull();
  });

  test.each([
    ['quotes', `say ${'"'.repeat(1_500)}x`],
    ['blank lines', '\n'.repeat(3_900)],
    ['blanks', `say x${' '.repeat(1_500)}y`],
  ])('many %s are read at once', (_what, asked) => {
    const startMs = performance.now();
    for (let at = 0; at < 5; at++) dictatedWords(asked);
    // Before, five of them took 4 to 45 s, and those of 4 kB of quotes or blanks minutes.
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  test('counts up and down, to a limit', () => {
    expect(countedOut('Count to 5')).toBe('1, 2, 3, 4, 5');
    expect(countedOut('please count from 3 to 1')).toBe('3, 2, 1');
    expect(countedOut('从1数到3')).toBe('1, 2, 3');
    expect(countedOut('count to 1000000')).toBeNull();
  });
});
