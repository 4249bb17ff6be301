import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { FIXTURE_COST } from '../recorded-streams.fixture.ts';
import { encodeEvent } from '../sse.ts';
import { chunksOf, FIXTURE_MODEL, passThrough, recorded } from './recorded-chat.fixture.ts';
import { openChatStream } from './stream-pass.ts';

type Json = Record<string, unknown>;

const HEAD = { id: 'c', object: 'chat.completion.chunk', created: 1, model: FIXTURE_MODEL };
const choice = (delta: Json, finish: string | null = null, index = 0): Json => ({
  ...HEAD,
  choices: [{ index, delta, logprobs: null, finish_reason: finish }],
});
const event = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`;
const ROLE = event(choice({ role: 'assistant', content: '' }));
const END = `${event(choice({}, 'stop'))}data: [DONE]\n\n`;
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const isUsageChunk = (chunk: unknown): boolean =>
  chunk !== '[DONE]' && ((chunk as Json)['choices'] as unknown[]).length === 0;

describe('the rules that break clients when ignored', () => {
  test.each(recorded.names())('rule 4: never sends id, retry, name or empty data: %s', (name) => {
    const { text } = passThrough([recorded.upstreamBytes(name)]);
    for (const line of text.split('\n')) expect(line).toMatch(/^(?:data: [^\n]*\S)?$/);
  });

  test('rule 5: sends no byte order mark, and a blank line at the end', () => {
    const { text } = passThrough([`\ufeff${ROLE}${END.trimEnd()}`]);
    expect(text.startsWith('data: {')).toBe(true);
    expect(text.endsWith('}\n\ndata: [DONE]\n\n')).toBe(true);
  });

  test.each([
    ...['data: [DONE]\n\n', 'data:[DONE]\n\n', 'data: [DONE] \n\n', 'data: [DONE]'],
    ...[': ping\ndata: [DONE]\n', 'id: 7\r\nevent: end\r\ndata: [DONE]'],
  ])('rule 6: sends exactly data: [DONE] for the end mark %p', (mark) => {
    const { closing, ended } = passThrough([ROLE, event(choice({}, 'stop')), mark], {
      includeUsage: false,
    });
    expect(ended).toBe(true);
    expect(closing).toBe('data: [DONE]\n\n');
  });

  test('rule 8: a later tool fragment carries only its index and arguments', () => {
    const call = (id: string | null, name: string | null, text: string): string =>
      event(
        choice({
          tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: text } }],
        }),
      );
    const { text } = passThrough([
      ROLE +
        call('a', 'f', '') +
        call('a', 'f', '{') +
        call(null, null, '"x":') +
        call('', '', '1}') +
        END,
    ]);
    const fragments = chunksOf(text).flatMap((chunk) => {
      const [first] = ((chunk as Json)['choices'] ?? []) as { delta: { tool_calls?: unknown[] } }[];
      return first?.delta.tool_calls ?? [];
    });
    expect(fragments).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{' } },
      { index: 0, function: { arguments: '"x":' } },
      { index: 0, function: { arguments: '1}' } },
    ]);
  });

  test('rule 8: sends an id once even if the first fragment is repeated', () => {
    const first = event(
      choice({
        tool_calls: [
          { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        ],
      }),
    );
    const { text } = passThrough([ROLE, first, first, first, END]);
    expect(text.split('"id":"a"')).toHaveLength(2);
  });

  test.each([null, false, ''])('rule 9: no error key in an ordinary chunk: %p', (error) => {
    const chunk = event({ ...choice({ content: 'x' }), error });
    const { text, facts } = passThrough([ROLE, chunk, chunk, END]);
    expect(text).not.toContain('"error"');
    expect(facts).toMatchObject({ error: null, outputBytes: 2 });
  });

  test.each(recorded.names())('rule 11: sends a usage chunk only if asked: %s', (name) => {
    const bytes = recorded.upstreamBytes(name);
    const asked = passThrough([bytes]);
    expect(chunksOf(asked.text).filter(isUsageChunk)).toHaveLength(asked.ended ? 1 : 0);
    const unasked = passThrough([bytes], { includeUsage: false });
    expect(chunksOf(unasked.text).filter(isUsageChunk)).toHaveLength(0);
    for (const chunk of chunksOf(unasked.text)) {
      if (chunk !== '[DONE]') expect(Object.keys(chunk as Json)).not.toContain('usage');
    }
    expect(unasked.facts).toEqual(asked.facts);
  });
});

describe('what clients require', () => {
  test('only the first chunk of each choice has a role', () => {
    const { text } = passThrough([
      event(choice({ content: 'a' })),
      event(choice({ role: 'assistant', content: 'b' })),
      event(choice({ role: null, content: 'c' }, null, 1)),
      event(choice({ content: 'd' }, 'stop', 1)),
      END,
    ]);
    const roles = chunksOf(text).flatMap((chunk) => {
      const [first] = ((chunk as Json)['choices'] ?? []) as { delta: { role?: unknown } }[];
      return first === undefined ? [] : [first.delta.role];
    });
    expect(roles).toEqual(['assistant', undefined, 'assistant', undefined, undefined]);
  });

  test('tool fragments without an index are separated by their ids', () => {
    const call = (fields: Json): string => event(choice({ tool_calls: [fields] }));
    const { text } = passThrough([
      ROLE,
      call({ id: 'a', type: 'function', function: { name: 'f', arguments: '{' } }),
      call({ function: { arguments: '}' } }),
      call({ id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }),
      END,
    ]);
    const indexes = [...text.matchAll(/"tool_calls":\[\{"index":(\d)/g)].map(([, index]) => index);
    expect(indexes).toEqual(['0', '0', '1']);
  });

  test('a role, and a finish reason of the protocol', () => {
    const { text, facts } = passThrough([
      event(choice({ role: '', content: 'x' })),
      event(choice({}, 'eos')),
      'data: [DONE]\n\n',
    ]);
    expect(text).toContain('"role":"assistant"');
    expect(text).not.toContain('eos');
    expect(facts.finishReason).toBe('stop');
  });

  test.each(['error', 'insufficient_system_resource', 'abort'])(
    'a failed finish reason is an error: %s',
    (reason) => {
      const { text, ended, facts } = passThrough([
        ROLE,
        event(choice({ content: 'x' })),
        event(choice({}, reason)),
        'data: [DONE]\n\n',
      ]);
      expect(text).not.toContain(reason);
      expect(ended).toBe(false);
      expect(facts.error?.message).toContain(reason);
    },
  );

  test('reasoning sent under both names is counted once', () => {
    const { facts } = passThrough([
      ROLE,
      event(choice({ reasoning: 'hm', reasoning_content: 'hm' })),
    ]);
    expect(facts.outputBytes).toBe(2);
  });

  test.each<[Json, number]>([
    [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }, 2],
    [{ content: [{ type: 'thinking', thinking: 'hmm' }, { type: 'text', text: 'Hi' }, null] }, 5],
    [{ tool_calls: [{ index: 0, function: { arguments: { a: 1 } } }] }, 7],
    [{ function_call: { name: 'f', arguments: { a: 1 } } }, 7],
  ])('output that is not plain text is counted: %j', (delta, bytes) => {
    const { facts } = passThrough([ROLE, event(choice(delta)), event(choice(delta))]);
    expect(facts.outputBytes).toBe(2 * bytes);
  });

  test('a finish reason beside output is deferred', () => {
    const last = event(choice({ content: 'x' }, 'stop'));
    const cut = passThrough([ROLE, last]);
    expect(cut.text).toContain('"content":"x"');
    expect(cut.text).not.toContain('"stop"');
    expect(cut.facts.finishReason).toBe('stop');
    const { text } = passThrough([ROLE, last, 'data: [DONE]\n\n']);
    expect(text.split('\n\n')[2]).toBe(
      `data: ${JSON.stringify({ ...choice({}, 'stop'), usage: null })}`,
    );
  });

  test('drops a chunk without choices, since clients read the first one', () => {
    const { text } = passThrough([event({ ...HEAD, choices: [] }), event({ type: 'ping' }), ROLE]);
    expect(text).toBe(ROLE);
  });
});

describe('the model', () => {
  test("has the caller's name for it, added if missing", () => {
    const unnamed = `data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n`;
    const other = ROLE.replace(FIXTURE_MODEL, 'vendor/secret \\"name\\" 你好');
    for (const stream of [unnamed, other]) {
      const { text } = passThrough([stream]);
      expect(chunksOf(text)).toMatchObject([{ model: FIXTURE_MODEL }]);
      expect(text).not.toContain('vendor');
    }
  });

  test('is replaced in place: every other byte stays, odd spelling included', () => {
    const odd =
      '{"id":"\\u0063","object":"chat.completion.chunk","created":1.0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"\\u4f60"},"x":1e2}]}';
    expect(passThrough([`data: ${odd}\n\n`]).text).toBe(
      `data: ${odd.replace('"m"', `"${FIXTURE_MODEL}"`)}\n\n`,
    );
  });
});

describe('an incomplete answer is never reported as complete', () => {
  test.each([
    ['no end mark', [ROLE, event(choice({}, 'stop'))], null],
    [
      'no finish reason',
      [ROLE, event(choice({ content: 'x' })), 'data: [DONE]\n\n'],
      'without a finish reason',
    ],
    [
      'one choice unfinished',
      [ROLE, event(choice({ content: 'x' }, null, 1)), END],
      'without a finish reason',
    ],
    ['nothing at all', ['data: [DONE]\n\n'], 'without a finish reason'],
    ['no JSON', [ROLE, 'data: <html>\n\n'], 'not a JSON object'],
    ['the same key twice', [ROLE, 'data: {"choices":[{}],"a":1,"a":2,"model":"x"}\n\n'], 'twice'],
  ])('%s', (_what, stream, message) => {
    const { ended, facts, closing } = passThrough(stream);
    expect({ ended, closing }).toEqual({ ended: false, closing: '' });
    if (message === null) expect(facts.error).toBeNull();
    else expect(facts.error?.message).toContain(message);
  });

  test.each([
    ['an error object', { error: { message: 'm', type: 't', code: 429 } }, ['m', 't', '429']],
    ['an error text', { error: 'm' }, ['m', null, null]],
    ['an object of type error', { object: 'error', message: 'm', type: 't' }, ['m', 't', null]],
    ['an empty error object', { error: {} }, ['The provider reported an error', null, null]],
  ])('reports %s, and reads nothing after it', (_what, json, [message, type, code]) => {
    const { facts, text } = passThrough([ROLE, event(json), event(choice({ content: 'x' })), END]);
    expect(facts.error).toMatchObject({ type: type ?? null, code: code ?? null });
    expect(facts.error?.message).toContain(message ?? '');
    expect(text).toBe(ROLE);
  });

  test('an event named error is an error, whatever its data', () => {
    const { facts } = passThrough([ROLE, 'event: error\ndata: {"message":"m"}\n\n']);
    expect(facts.error?.message).toBe('m');
  });

  test("an event beyond the limit is the upstream's failure", () => {
    const pass = openChatStream({
      requestId: 'req_01X',
      createdSeconds: 1_790_000_000,
      model: 'm',
      includeUsage: true,
      maxEventBytes: 100,
      quirks: NO_QUIRKS,
    });
    expect(() => pass.push(encodeEvent(null, 'x'.repeat(200)).subarray(0, 150))).toThrow(
      GatewayError,
    );
  });
});

describe('usage', () => {
  const withUsage = (usage: unknown): string => event({ ...choice({ content: 'x' }), usage });

  test('that is implausible is neither charged nor sent', () => {
    const bad = { prompt_tokens: -3, completion_tokens: 2 };
    const { facts, closing } = passThrough([ROLE, withUsage(bad), END]);
    expect(facts.usage).toBeNull();
    expect(chunksOf(closing)[0]).toMatchObject({ usage: { prompt_tokens: 0, total_tokens: 0 } });
  });

  test('in chunks with choices: only the last counts, sent at the end', () => {
    const later = { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 };
    const { text, facts } = passThrough([ROLE, withUsage(USAGE), withUsage(later), END]);
    expect(facts.usage?.output).toBe(9);
    const sent = chunksOf(text).map((chunk) => (chunk as Json)['usage']);
    expect(sent).toEqual([
      undefined,
      null,
      null,
      undefined,
      { ...later, cost: 0.0001234, cost_exact: FIXTURE_COST.exact, cost_currency: 'USD' },
      undefined,
    ]);
  });
});

describe('chunks recognized by a template', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 });
  const delta = fc.oneof(
    word.map((content) => ({ content })),
    word.map((reasoning_content) => ({ content: null, reasoning_content })),
    fc.tuple(word, word).map(([content, refusal]) => ({ content, refusal })),
    word.map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
  );

  test('are treated as if each had been parsed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(delta, word, fc.nat(2)), { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.constantFrom(FIXTURE_MODEL, 'other'),
        (deltas, includeUsage, model) => {
          const chunks = deltas.map(([each, padding, index]) => ({
            ...choice(each, null, index),
            model,
            usage: null,
            obfuscation: padding,
          }));
          const definition = { name: 'f', arguments: '' };
          const begun = { index: 0, id: 'a', type: 'function', function: definition };
          const first = { role: 'assistant', tool_calls: [begun] };
          const roles = [0, 1, 2].map((index) => choice(first, null, index));
          const { text, facts } = passThrough([...roles, ...chunks].map(event), { includeUsage });
          const expected = chunks.map(({ obfuscation: _, usage, ...rest }) => ({
            ...rest,
            model: FIXTURE_MODEL,
            ...(includeUsage ? { usage } : {}),
          }));
          expect(chunksOf(text).slice(3)).toEqual(expected);
          const written = deltas.flatMap(([each]) => [
            'content' in each ? (each.content ?? '') : '',
            'reasoning_content' in each ? each.reasoning_content : '',
            'refusal' in each ? each.refusal : '',
            'tool_calls' in each ? (each.tool_calls[0]?.function.arguments ?? '') : '',
          ]);
          expect(facts.outputBytes).toBe(Buffer.byteLength(written.join('')));
        },
      ),
      { seed: 20_261_121 },
    );
  });

  test('a finish, a usage or an error after the same prefix is not missed', () => {
    const word = event(choice({ content: 'x' }));
    const sly = word.replace('"finish_reason":null', '"finish_reason":"length"');
    expect(passThrough([ROLE, word, word, sly]).facts.finishReason).toBe('length');
    const failing = word.replace(/\}\n\n$/, ',"error":{"message":"m"}}\n\n');
    expect(passThrough([ROLE, word, word, failing]).facts.error?.message).toBe('m');
  });

  test('a service tier that changes behind the same prefix is not missed', () => {
    const word = (tier: string): string =>
      event({ ...choice({ content: 'x' }), service_tier: tier });
    const words = [word('auto'), word('auto'), word('auto'), word('priority')];
    const { facts, text } = passThrough([ROLE, ...words, END]);
    expect(facts.served).toMatchObject({ tier: 'priority', model: FIXTURE_MODEL, responseId: 'c' });
    expect(text).toContain(words.join(''));
  });

  test("a provider's own name of a service tier is not sent", () => {
    const word = event({ ...choice({ content: 'x' }), service_tier: 'on_demand' });
    const { facts, text } = passThrough([ROLE, word, word, word, word, END]);
    expect(facts.served.tier).toBe('on_demand');
    expect(text).not.toContain('on_demand');
  });

  test("fragments without an index belong to the latest call, not to the template's", () => {
    const call = (members: Json): string => event(choice({ tool_calls: [members] }));
    const piece = (text: string): string => call({ function: { arguments: text } });
    const { text } = passThrough([
      ROLE,
      call({ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      piece('{'),
      piece(' '),
      piece('}'),
      call({ id: 'b', type: 'function', function: { name: 'f', arguments: '' } }),
      piece('{'),
      piece('}'),
      END,
    ]);
    const indexes = [...text.matchAll(/"tool_calls":\[\{"index":(\d)/g)].map(([, index]) => index);
    expect(indexes.join('')).toBe('0000111');
  });

  test('a call that begins with the same name and no id is not missed', () => {
    const call = (text: string): string =>
      event(choice({ tool_calls: [{ index: 0, function: { name: 'f', arguments: text } }] }));
    const { text } = passThrough([ROLE, ...['{"x":', '1', '}', '{"x":2}'].map(call), END]);
    const indexes = [...text.matchAll(/"tool_calls":\[\{"index":(\d)/g)].map(([, index]) => index);
    expect(indexes.join('')).toBe('0001');
  });

  test('a word that is not a valid JSON string is detected', () => {
    const bad = event(choice({ content: 'x' })).replace('"x"', '"\\x"');
    const { facts } = passThrough([ROLE, event(choice({ content: 'a' })), bad]);
    expect(facts.error?.message).toContain('not a JSON object');
  });
});
