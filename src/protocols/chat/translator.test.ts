import { describe, expect, test } from 'bun:test';
import { JsonScan } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { NO_PLAN } from '../request-fields.ts';
import { chatToChat } from './translator.ts';

/** Returns the body that is sent to an upstream with these quirks. */
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
  const to = {
    model: 'theirs',
    quirks: { ...NO_QUIRKS, ...quirks },
    clampedOutput,
    plan: NO_PLAN,
  };
  return new TextDecoder().decode(prepared.bodyFor(to));
}

const BODY = '{"model":"ours", "messages":[{"role":"user","content":"h\\u0069"}],"x":1.0e2';

test("changes the model's name and keeps every other byte", () => {
  expect(sent(`${BODY}}`)).toBe(
    '{"model":"theirs","messages":[{"role":"user","content":"h\\u0069"}],"x":1.0e2}',
  );
  const same = `${BODY.replace('ours', 'theirs')}}`;
  expect(sent(same)).toBe(same);
});

test('removes our own extension', () => {
  expect(sent(`${BODY},"provider":{"channel":"direct"}}`)).not.toContain('provider');
});

test("writes the server's own switch for the effort none, unless the caller wrote it", () => {
  const body = (members: object) => JSON.stringify({ model: 'theirs', messages: [], ...members });
  const deepseek = { thinkingOff: { thinking: { type: 'disabled' } } };
  const none = { reasoning_effort: 'none' };
  expect(sent(body(none), deepseek)).toBe(body(deepseek.thinkingOff));
  expect(sent(body({ ...none, thinking: { type: 'enabled' } }), deepseek)).toBe(
    body({ thinking: { type: 'enabled' } }),
  );
  expect(sent(body(none), { thinkingOff: none })).toBe(body(none));
  expect(sent(body(none))).toBe(body(none));
  expect(sent(body({ reasoning_effort: 'low' }), deepseek)).toBe(body({ reasoning_effort: 'low' }));
});

test('removes our own signatures and keeps those of others', () => {
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

test('removes reasoning that a server would refuse, and keeps its own', () => {
  const said = { role: 'assistant', content: 'a', reasoning_content: 'Hm' };
  const foreign = { reasoning: 'Hm', reasoning_details: [{ type: 'x' }], thinking_blocks: [] };
  const body = (message: object) =>
    JSON.stringify({ model: 'theirs', messages: [message, { role: 'user', content: 'b' }] });
  const mixed = body({ ...said, ...foreign });
  const strict = { onlyReasoningBack: true };
  expect(sent(mixed, strict)).toBe(body({ role: 'assistant', content: 'a' }));
  expect(sent(mixed, { ...strict, reasoningBack: 'reasoning_content' })).toBe(body(said));
  expect(sent(mixed)).toBe(mixed);
  const plain = body({ role: 'user', content: 'the word "reasoning_details"' });
  expect(sent(plain, strict)).toBe(plain);
});

describe('reasoning that a server requires in every assistant message', () => {
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

  test('is empty if the caller kept none', () => {
    const kept = { tool_calls: [call], reasoning_content: 'hm' };
    expect(sent(body(kept, { tool_calls: [call] }, { content: 'b' }), quirks)).toBe(
      body(
        kept,
        { tool_calls: [call], reasoning_content: '' },
        { content: 'b', reasoning_content: '' },
      ),
    );
  });

  test('changes nothing if present, without tools, or for other servers', () => {
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
  test('is requested with usage, whatever its options', () => {
    const asked = sent(`${BODY},"stream_options":{"include_obfuscation":false}}`, { stream: true });
    expect(JSON.parse(asked)).toMatchObject({
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
  });

  test('is requested without stream_options if the server refuses them', () => {
    const quirks = { stream: true, streamOptions: false };
    expect(sent(`${BODY},"stream_options":{"include_usage":true}}`, quirks)).not.toContain(
      'stream_options',
    );
  });
});

describe('the output limit', () => {
  const limits = (body: string, options: Parameters<typeof sent>[1]): unknown => {
    const { model: _m, messages: _s, x: _x, ...rest } = JSON.parse(sent(body, options));
    return rest;
  };

  test('stays as sent if the server accepts both names', () => {
    expect(limits(`${BODY},"max_tokens":7}`, {})).toEqual({ max_tokens: 7 });
    expect(limits(`${BODY}}`, {})).toEqual({});
  });

  test('is the newer one of two, since the server may obey the other', () => {
    for (const older of [9000, null])
      expect(limits(`${BODY},"max_tokens":${older},"max_completion_tokens":7}`, {})).toEqual({
        max_completion_tokens: 7,
      });
  });

  test("gets the server's name", () => {
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

  test('is at most what the hold covers, under one name', () => {
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

test('omits what a server refuses', () => {
  const body = `${BODY},"temperature":0,"reasoning_effort":"low"}`;
  const got = JSON.parse(sent(body, { drop: ['temperature', 'top_p'], reasoningEffort: false }));
  expect(Object.keys(got)).toEqual(['model', 'messages', 'x']);
});

test('renames developer to system for a server without developers', () => {
  const body = '{"model":"m","messages":[{"role":"developer","content":"a \\"developer\\""}]}';
  expect(sent(body)).toContain('"role":"developer"');
  expect(JSON.parse(sent(body, { developerRole: false })).messages).toEqual([
    { role: 'system', content: 'a "developer"' },
  ]);
});
