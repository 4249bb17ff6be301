import { describe, expect, test } from 'bun:test';
import { JsonScan } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { chatToChat } from './translator.ts';

/** The body as an upstream with these quirks gets it. */
function sent(
  body: string,
  {
    stream = false,
    clampedOutput = null,
    ...quirks
  }: Partial<Quirks> & {
    readonly stream?: boolean;
    readonly clampedOutput?: number | null;
  } = {},
): string {
  const bytes = new TextEncoder().encode(body);
  const scanned = new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
  const prepared = chatToChat.prepare(scanned, { maxOutput: 1_000 }, stream);
  const to = { model: 'theirs', quirks: { ...NO_QUIRKS, ...quirks }, clampedOutput };
  return new TextDecoder().decode(prepared.bodyFor(to));
}

const BODY = '{"model":"ours", "messages":[{"role":"user","content":"h\\u0069"}],"x":1.0e2';

test('only the name of the model is another; every other byte is kept', () => {
  expect(sent(`${BODY}}`)).toBe(
    '{"model":"theirs","messages":[{"role":"user","content":"h\\u0069"}],"x":1.0e2}',
  );
  const same = `${BODY.replace('ours', 'theirs')}}`;
  expect(sent(same)).toBe(same);
});

test('our own extension stays with us', () => {
  expect(sent(`${BODY},"provider":{"channel":"direct"}}`)).not.toContain('provider');
});

test('what we sealed for another upstream stays with us; the seals of others are theirs', () => {
  const call = (signature: string) => ({
    id: 'a',
    type: 'function',
    function: { name: 'f', arguments: '{"id":1}' },
    extra_content: { google: { thought_signature: signature } },
  });
  const { extra_content: _, ...bare } = call('');
  const body = (...calls: readonly unknown[]) =>
    JSON.stringify({ model: 'theirs', messages: [{ role: 'assistant', tool_calls: calls }] });
  expect(sent(body(call('modelgate-1.W10'), call('Gem')))).toBe(body(bare, call('Gem')));
});

describe('reasoning that a server wants back of every answer', () => {
  const quirks = { reasoningBack: 'reasoning_content', reasoningRequired: true };
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
  const body = (...answers: readonly object[]) =>
    JSON.stringify({
      model: 'theirs',
      messages: [
        { role: 'user', content: 'u' },
        ...answers.map((a) => ({ role: 'assistant', ...a })),
      ],
    });

  test('is empty where the caller kept none of it', () => {
    const kept = { tool_calls: [call], reasoning_content: 'hm' };
    expect(sent(body(kept, { tool_calls: [call] }, { content: 'b' }), quirks)).toBe(
      body(
        kept,
        { tool_calls: [call], reasoning_content: '' },
        { content: 'b', reasoning_content: '' },
      ),
    );
  });

  test('changes nothing where it is there, without tools, and for other servers', () => {
    for (const [same, to] of [
      [body({ tool_calls: [call], reasoning_content: 'hm' }), quirks],
      [body({ content: 'b' }), quirks],
      [body({ tool_calls: [call] }), {}],
    ] as const) {
      expect(sent(same, to)).toBe(same);
    }
  });
});

describe('a stream', () => {
  test('is asked for with its usage, whatever else its options say', () => {
    const asked = sent(`${BODY},"stream_options":{"include_obfuscation":false}}`, { stream: true });
    expect(JSON.parse(asked)).toMatchObject({
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
  });

  test('of a server that knows no stream options is asked for without them', () => {
    const quirks = { stream: true, streamOptions: false };
    expect(sent(`${BODY},"stream_options":{"include_usage":true}}`, quirks)).not.toContain(
      'stream_options',
    );
  });
});

describe('the most output tokens', () => {
  const limits = (body: string, options: Parameters<typeof sent>[1]): unknown => {
    const { model: _m, messages: _s, x: _x, ...rest } = JSON.parse(sent(body, options));
    return rest;
  };

  test('stay as they were asked for where the server has no name of its own', () => {
    expect(limits(`${BODY},"max_tokens":7}`, {})).toEqual({ max_tokens: 7 });
    expect(limits(`${BODY}}`, {})).toEqual({});
  });

  test('go under the name of the server', () => {
    const old = { maxTokensField: 'max_tokens' } as const;
    expect(limits(`${BODY},"max_completion_tokens":7}`, old)).toEqual({ max_tokens: 7 });
    expect(limits(`${BODY},"max_completion_tokens":7,"max_tokens":9}`, old)).toEqual({
      max_tokens: 7,
    });
    expect(limits(`${BODY},"max_completion_tokens":null,"max_tokens":9}`, old)).toEqual({
      max_tokens: 9,
    });
    const recent = { maxTokensField: 'max_completion_tokens' } as const;
    expect(limits(`${BODY},"max_tokens":9}`, recent)).toEqual({ max_completion_tokens: 9 });
  });

  test('are no more than what is paid for, under one name', () => {
    const clamped = { clampedOutput: 5 };
    expect(limits(`${BODY},"max_tokens":9}`, clamped)).toEqual({ max_tokens: 5 });
    expect(limits(`${BODY}}`, clamped)).toEqual({ max_completion_tokens: 5 });
    expect(limits(`${BODY},"max_completion_tokens":8,"max_tokens":9}`, clamped)).toEqual({
      max_completion_tokens: 5,
    });
    expect(limits(`${BODY}}`, { ...clamped, maxTokensField: 'max_tokens' })).toEqual({
      max_tokens: 5,
    });
  });
});

test('what a server refuses is left out', () => {
  const body = `${BODY},"temperature":0,"reasoning_effort":"low"}`;
  const got = JSON.parse(sent(body, { drop: ['temperature', 'top_p'], reasoningEffort: false }));
  expect(Object.keys(got)).toEqual(['model', 'messages', 'x']);
});

test('a developer is a system to a server that knows no developers', () => {
  const body = '{"model":"m","messages":[{"role":"developer","content":"a \\"developer\\""}]}';
  expect(sent(body)).toContain('"role":"developer"');
  expect(JSON.parse(sent(body, { developerRole: false })).messages).toEqual([
    { role: 'system', content: 'a "developer"' },
  ]);
});
