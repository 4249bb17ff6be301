import { expect, test } from 'bun:test';
import { chunksOf, passThrough } from './recorded-chat.fixture.ts';

type Json = Record<string, unknown>;

const event = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`;
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const OWN = { id: 'chatcmpl-01X', object: 'chat.completion.chunk', created: 1_790_000_000 };

test.each([
  ['no member', {}, OWN],
  ['members that are null', { id: null, object: null, created: null }, OWN],
  ['an id alone', { id: 'vendor-1' }, { ...OWN, id: 'vendor-1' }],
])('the head of each chunk is complete although the upstream sends %s', (_, sent, expected) => {
  const bare = (delta: Json, finish: string | null = null): string =>
    event({ ...sent, choices: [{ index: 0, delta, finish_reason: finish }] });
  const words = bare({ role: 'assistant', content: '' }) + bare({ content: 'H' }).repeat(3);
  const usage = event({ ...sent, choices: [], usage: USAGE });
  const { text } = passThrough([`${words}${bare({}, 'stop')}${usage}data: [DONE]\n\n`]);
  const heads = chunksOf(text).filter((chunk) => chunk !== '[DONE]');
  expect(heads).toHaveLength(6);
  for (const chunk of heads) expect(chunk).toMatchObject(expected);
});
