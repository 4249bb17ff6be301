import { expect, test } from 'bun:test';
import { sentenceEnd } from '#screens/playground/chat/answer/sentences.ts';
import {
  acceptFor,
  MAX_TOTAL_BYTES,
  problemWith,
} from '#screens/playground/chat/attachments/attachment.ts';
import { EXAMPLE_NAMES, laidOut, parseTools, withExample } from './tools.ts';

const kindOf = (text: string) => {
  const { problem } = parseTools(text);
  return problem === null ? 'fine' : `${problem.kind} ${problem.at}`.trim();
};
const tool = (more: object) => JSON.stringify([{ type: 'function', function: more }]);

test('tools are parsed as in the API, and errors have a path', () => {
  expect(['', ' \n', '[]', tool({ name: 'f' })].map(kindOf)).toEqual(Array(4).fill('fine'));
  expect(kindOf('{')).toBe('json');
  expect(kindOf('{}')).toBe('array');
  expect(kindOf('[1]')).toBe('tool [0]');
  expect(kindOf('[{"type": "retrieval"}]')).toBe('tool [0].type');
  expect(kindOf('[{"type": "function"}]')).toBe('tool [0].function');
  expect(kindOf(tool({ name: 'no spaces' }))).toBe('name [0].function.name');
  expect(kindOf(tool({ name: 'f', parameters: [] }))).toBe('parameters [0].function.parameters');
  const twice = `[${['a', 'b', 'a'].map((name) => tool({ name }).slice(1, -1))}]`;
  expect(kindOf(twice)).toBe('twice [2].function.name');
});

test('an example is a valid tool and is appended', () => {
  let text = tool({ name: 'mine' });
  for (const name of EXAMPLE_NAMES) text = withExample(text, name);
  expect(parseTools(text).tools).toHaveLength(EXAMPLE_NAMES.length + 1);
  expect(parseTools(withExample(text, 'time')).tools).toHaveLength(EXAMPLE_NAMES.length + 1);
  expect(parseTools(withExample('not JSON', 'time')).tools).toHaveLength(1);
  expect([laidOut('[1]'), laidOut('[1')]).toEqual(['[\n  1\n]', '[1']);
});

test('a file is attached only if the model accepts its type and there is room', () => {
  const png = { name: 'a.png', type: 'image/png', size: 10 };
  const all = ['text', 'image', 'file'];
  expect(problemWith(png, [], all)).toBeNull();
  expect(problemWith({ name: 'b.md', type: '', size: 10 }, [], all)).toBeNull();
  expect(problemWith(png, [], ['text'])).toBe('kind');
  expect(problemWith({ name: 'a.zip', type: 'application/zip', size: 1 }, [], all)).toBe('type');
  expect(problemWith({ ...png, size: 0 }, [], all)).toBe('empty');
  expect(problemWith(png, Array(10).fill({ bytes: 1 }), all)).toBe('count');
  expect(problemWith(png, [{ bytes: MAX_TOTAL_BYTES - 10 }], all)).toBeNull();
  expect(problemWith(png, [{ bytes: MAX_TOTAL_BYTES - 9 }], all)).toBe('size');
  expect([acceptFor(['text']), acceptFor(all)]).toEqual([
    '',
    expect.stringContaining('image/png,image/jpeg,image/webp,image/gif,application/pdf'),
  ]);
});

test('an answer is announced in whole sentences', () => {
  const text = 'One. Two is "2.5"! 三。四';
  const cuts: string[] = [];
  let from = 0;
  for (let length = 1; length <= text.length; length += 1) {
    const end = sentenceEnd(text.slice(0, length), from);
    if (end > from) cuts.push(text.slice(from, end));
    from = end;
  }
  expect(cuts).toEqual(['One. ', 'Two is "2.5"! ', '三。']);
});
