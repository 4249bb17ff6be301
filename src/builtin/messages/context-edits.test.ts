import { describe, expect, test } from 'bun:test';
import { asList, at, builtinCaller, joinMessages } from '../builtin-caller.fixture.ts';

const { json, events } = builtinCaller();
const long = 'word '.repeat(500);

/** A conversation of four calls, each thought about and with a long result. */
const messages = [
  { role: 'user', content: 'Look things up.' },
  ...[1, 2, 3, 4].flatMap((index) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: long, signature: 's' },
        {
          type: 'tool_use',
          id: `t${index}`,
          name: index === 1 ? 'memory' : 'lookup',
          input: { index },
        },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: long }] },
  ]),
];
const body = { model: 'gen-opus-4-8', max_tokens: 400, messages };
const ask = (edit: Record<string, unknown>) =>
  json('messages', { ...body, context_management: { edits: [edit] } });

describe('clearing', () => {
  test('reports no edits when there is nothing to clear', async () => {
    const answer = await ask({ type: 'clear_thinking_20251015', keep: 'all' });
    expect(answer['context_management']).toEqual({ applied_edits: [] });
    expect(await json('messages', body)).not.toHaveProperty('context_management');
  });

  test('clears old tool results and reports the cleared tokens', async () => {
    const plain = await json('messages', body);
    const answer = await ask({
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'tool_uses', value: 3 },
      keep: { type: 'tool_uses', value: 1 },
      exclude_tools: ['memory'],
    });
    const [edit] = asList(at(answer, 'context_management.applied_edits'));
    expect(edit).toMatchObject({ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2 });
    const saved =
      Number(at(plain, 'usage.input_tokens')) - Number(at(answer, 'usage.input_tokens'));
    expect(edit?.['cleared_input_tokens']).toBe(saved);
    expect(saved).toBeGreaterThan(900);
  });

  test('clears nothing below clear_at_least', async () => {
    const answer = await ask({
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'input_tokens', value: 100 },
      clear_at_least: { type: 'input_tokens', value: 50_000 },
    });
    expect(answer['context_management']).toEqual({ applied_edits: [] });
  });

  test('clears old thinking except the last turns', async () => {
    const answer = await ask({
      type: 'clear_thinking_20251015',
      keep: { type: 'thinking_turns', value: 1 },
    });
    expect(at(answer, 'context_management.applied_edits.0')).toMatchObject({
      cleared_thinking_turns: 3,
    });
  });

  test('count_tokens reports both sizes', async () => {
    const { max_tokens: _, ...counted } = body;
    const edits = [{ type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 0 } }];
    const count = await json('count_tokens', { ...counted, context_management: { edits } });
    const original = Number(at(count, 'context_management.original_input_tokens'));
    expect(original - Number(count['input_tokens'])).toBeGreaterThan(1900);
  });
});

describe('compaction', () => {
  const compact = { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1000 } };

  test('summarizes a long conversation and counts both passes separately', async () => {
    const answer = await ask(compact);
    const [block] = asList(answer['content']);
    expect(block).toMatchObject({
      type: 'compaction',
      content: expect.any(String),
      encrypted_content: null,
    });
    const [first, second] = asList(at(answer, 'usage.iterations'));
    expect(first).toMatchObject({ type: 'compaction' });
    expect(second).toMatchObject({
      type: 'message',
      output_tokens: at(answer, 'usage.output_tokens'),
    });
    expect(Number(first?.['input_tokens'])).toBeGreaterThan(1000);
    expect(answer['stop_reason']).toBe('end_turn');
  });

  test('a pause ends the answer after the summary, with top-level counts of zero', async () => {
    const answer = await ask({ ...compact, pause_after_compaction: true });
    expect(asList(answer['content']).length).toBe(1);
    expect(answer).toMatchObject({
      stop_reason: 'compaction',
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect(asList(at(answer, 'usage.iterations')).length).toBe(1);
  });

  test('a summary request gets one compaction block, streamed as one delta', async () => {
    const wanted = { ...body, compaction: { type: 'summarize' } };
    const whole = await json('messages', wanted);
    const sent = await events('messages', wanted);
    expect(joinMessages(sent)).toEqual(whole);
    expect(sent.filter(({ name }) => name === 'content_block_delta').length).toBe(1);
  });

  test('a compaction block in the request replaces all turns before it', async () => {
    const [block] = asList((await ask(compact))['content']);
    const again = [
      ...messages,
      { role: 'assistant', content: [block] },
      { role: 'user', content: 'Go on.' },
    ];
    const counted = await json('count_tokens', { model: 'm', messages: again });
    expect(Number(counted['input_tokens'])).toBeLessThan(1000);
  });

  test('short conversations are not compacted', async () => {
    const answer = await ask({ type: 'compact_20260112' });
    expect(asList(answer['content']).map((each) => each['type'])).toEqual(['text']);
    expect(at(answer, 'usage')).not.toHaveProperty('iterations');
  });
});
