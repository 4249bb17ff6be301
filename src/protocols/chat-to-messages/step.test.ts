/** Tests `step` alone: the content of its state, and that it does not mutate its input. */
import { describe, expect, test } from 'bun:test';
import { type Chunk, type StreamState, startState, step } from './step.ts';

type Event = { readonly type: string; readonly [member: string]: unknown };

/** Applies these events. Returns all chunks and the final state. */
function run(events: readonly Event[], maxThoughtUnits: number) {
  let state: StreamState = startState(maxThoughtUnits);
  const chunks: Chunk[] = [];
  for (const event of events) {
    const [next, sent] = step(deepFrozen(state), { type: event.type, json: event });
    state = next;
    chunks.push(...sent);
  }
  return { state, chunks };
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFrozen);
  return Object.freeze(value);
}

const start = { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 0 } } };
const begin = (index: number) => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'thinking', thinking: '', signature: '' },
});
const delta = (index: number, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: fields,
});
const thinks = (index: number, thinking: string) =>
  delta(index, { type: 'thinking_delta', thinking });
const signs = (index: number, signature: string) =>
  delta(index, { type: 'signature_delta', signature });
const close = (index: number) => ({ type: 'content_block_stop', index });
const ends = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: 9 },
};
const stop = { type: 'message_stop' };

describe('thinking without end', () => {
  test('is streamed and not kept', () => {
    const words = Array.from({ length: 100 }, () => thinks(0, 'x'.repeat(100)));
    const { state, chunks } = run([start, begin(0), ...words], 1_000);
    expect(chunks.filter(({ kind }) => kind === 'reasoning')).toHaveLength(100);
    expect(state.open).toMatchObject({ kind: 'thinking', thinking: '' });
  });

  test('discards what was kept before, since a part is useless', () => {
    const short = [begin(0), thinks(0, 'Hm'), signs(0, 's'), close(0)];
    const endless = [begin(1), thinks(1, 'x'.repeat(2_000)), close(1)];
    const { chunks } = run([start, ...short, ...endless, ends, stop], 1_000);
    expect(chunks.map(({ kind }) => kind)).toEqual([
      'role',
      'reasoning',
      'thought',
      'reasoning',
      'finish',
    ]);
    expect(run([start, ...short, ends, stop], 1_000).chunks.map(({ kind }) => kind)).toEqual([
      'role',
      'reasoning',
      'thought',
      'thoughts',
      'finish',
    ]);
  });
});

describe('counts', () => {
  test('keep only known names, however many an upstream invents', () => {
    const made = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`tokens_${at}`, at]));
    const usage = { ...made, output_tokens: 9, cache_read_input_tokens: null };
    const { state } = run([start, { ...ends, usage }, { ...ends, usage: made }], 1_000);
    expect(state.counts).toEqual({ input_tokens: 1, output_tokens: 9 });
  });
});
