/**
 * Checks the Messages bodies to which chat requests are translated, byte for byte where bytes
 * matter.
 */
import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { JSON_ONLY } from './options.ts';
import {
  MODEL,
  messagesBody,
  messagesText,
  refusalOf,
  scanned,
  target,
  user,
} from './request.fixture.ts';
import { chatToMessages } from './translator.ts';

const HI = [user('Hi')];
const tool = (name: string, rest: object = {}) => ({
  type: 'function',
  function: { name, ...rest },
});
const said = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };

describe('the whole request', () => {
  test('is exact for a short request', () => {
    expect(messagesText({ messages: HI })).toBe(
      '{"model":"up-opus","max_tokens":128000,"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}',
    );
  });

  test('writes all members in the order in which the upstream caches', () => {
    const json = {
      messages: [{ role: 'developer', content: 'Be brief.' }, ...HI],
      tools: [
        tool('f', {
          description: 'F',
          strict: true,
          parameters: { type: 'object', properties: {} },
        }),
      ],
      tool_choice: 'auto',
      reasoning_effort: 'xhigh',
      stop: 'END',
      max_tokens: 300,
      user: 'u1',
      service_tier: 'flex',
    };
    expect(messagesText(json, target(), true)).toBe(
      '{"model":"up-opus","max_tokens":300,"system":[{"type":"text","text":"Be brief."}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],' +
        '"tools":[{"name":"f","description":"F","input_schema":{"type":"object","properties":{},"additionalProperties":false},"strict":true}],' +
        '"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"xhigh"},' +
        '"stop_sequences":["END"],"metadata":{"user_id":"u1"},"service_tier":"auto","stream":true}',
    );
  });

  test('omits what one upstream refuses for that upstream only', () => {
    const prepared = chatToMessages.prepare(
      scanned({ model: 'm', messages: HI, temperature: 0, stop: 'END' }),
      MODEL,
      false,
    );
    const sent = (quirks: { readonly drop?: readonly string[] }) =>
      JSON.parse(new TextDecoder().decode(prepared.bodyFor(target(quirks))));
    expect(sent({})).toMatchObject({ temperature: 0, stop_sequences: ['END'] });
    expect(sent({ drop: ['temperature', 'stop_sequences'] })).toEqual({
      model: 'up-opus',
      max_tokens: 128_000,
      messages: [said],
    });
  });
});

describe('the output limit', () => {
  const most = (json: object, clampedOutput: number | null = null) =>
    messagesBody({ messages: HI, ...json }, { ...target(), clampedOutput })['max_tokens'];

  test("is the caller's, with the newer name first", () => {
    expect(most({ max_tokens: 7 })).toBe(7);
    expect(most({ max_tokens: 7, max_completion_tokens: 9 })).toBe(9);
    expect(most({ max_tokens: 7, max_completion_tokens: null })).toBe(7);
  });

  test('is the maximum of the model if the caller sets none', () => {
    expect(most({})).toBe(128_000);
  });

  test('is at most what the hold covers', () => {
    expect(most({ max_tokens: 700 }, 50)).toBe(50);
    expect(most({}, 50)).toBe(50);
  });
});

describe('sampling', () => {
  const sampled = (json: object): JsonObject => {
    const { temperature, top_p, thinking } = messagesBody({ messages: HI, ...json });
    return { temperature, top_p, thinks: thinking !== undefined };
  };

  test('omits defaults', () => {
    expect(sampled({ temperature: 1, top_p: 1 })).toEqual({ thinks: false });
    expect(sampled({ temperature: null, top_p: null })).toEqual({ thinks: false });
  });

  test('clamps the temperature to 1', () => {
    expect(sampled({ temperature: 1.7 })).toEqual({ temperature: 1, thinks: false });
  });

  test('omits top_p with a temperature, since upstreams refuse both', () => {
    expect(sampled({ temperature: 0, top_p: 0.2 })).toEqual({ temperature: 0, thinks: false });
    expect(sampled({ temperature: 1, top_p: 0.2 })).toEqual({ top_p: 0.2, thinks: false });
  });

  test('is omitted with thinking', () => {
    expect(sampled({ temperature: 0, top_p: 0.2, reasoning_effort: 'low' })).toEqual({
      thinks: true,
    });
  });
});

describe('reasoning effort', () => {
  const effort = (reasoning_effort: unknown, rest: object = {}): JsonObject => {
    const { thinking, output_config } = messagesBody({ messages: HI, reasoning_effort, ...rest });
    return { thinking, output_config };
  };
  const adaptive = { type: 'adaptive', display: 'summarized' };

  test('enables thinking with that effort', () => {
    for (const level of ['low', 'medium', 'high', 'xhigh', 'max']) {
      expect(effort(level)).toEqual({ thinking: adaptive, output_config: { effort: level } });
    }
    expect(effort('minimal')).toEqual({ thinking: adaptive, output_config: { effort: 'low' } });
  });

  test('none, null and absent disable thinking', () => {
    for (const level of ['none', null, undefined]) expect(effort(level)).toEqual({});
  });

  test.each([
    ['high', { reasoning: { effort: 'high', exclude: false } }],
    ['low', { reasoning: { max_tokens: 2_000 } }],
    ['medium', { reasoning: { enabled: true } }],
    ['medium', { thinking: { type: 'enabled' } }],
    ['high', { thinking: { type: 'enabled', budget_tokens: 16_000 } }],
    ['low', { reasoning_effort: 'low', reasoning: { effort: 'high' } }],
  ])('is %s with the switches of OpenRouter and DeepSeek in %j', (level, switches) => {
    const { reasoning_effort, ...rest } = { reasoning_effort: undefined, ...switches };
    const asked = { thinking: adaptive, output_config: { effort: level } };
    expect(effort(reasoning_effort, rest)).toEqual(asked);
  });

  test('a switch turns thinking off, and one that only hides it has no effect', () => {
    const off = { thinking: { type: 'disabled' } };
    const body = (rest: object) =>
      messagesBody({ messages: HI, ...rest }, { ...target(), model: 'claude-opus-5' });
    expect(body({ reasoning: { enabled: false } })).toMatchObject(off);
    expect(body({ reasoning: { effort: 'none' } })).toMatchObject(off);
    expect(body({ thinking: { type: 'disabled' } })).toMatchObject(off);
    expect(body({ reasoning: { exclude: true } })['thinking']).toBeUndefined();
  });

  test('omits thinking with a forced tool call, since upstreams refuse both', () => {
    const must = { tools: [tool('f')], tool_choice: 'required' };
    expect(effort('high', must)).toEqual({ output_config: { effort: 'high' } });
  });
});

describe('the response format', () => {
  const format = (response_format: unknown) => messagesBody({ messages: HI, response_format });
  const point = { type: 'object', properties: { x: { type: 'number' } } };

  test('maps a JSON schema to the output format with closed objects', () => {
    const json_schema = { name: 'point', strict: true, schema: point };
    expect(format({ type: 'json_schema', json_schema })['output_config']).toEqual({
      format: { type: 'json_schema', schema: { ...point, additionalProperties: false } },
    });
  });

  test('describes constraints exactly, also in a long request', () => {
    const schema = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER };
    const messages = [{ role: 'user', content: 'a'.repeat(20_000) }];
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    expect(messagesBody({ messages, response_format })['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: { type: 'integer', description: 'maximum: 9007199254740991' },
      },
    });
  });

  test('asks for a JSON object by an instruction after the system text', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, ...HI];
    const { system, output_config } = messagesBody({
      messages,
      response_format: { type: 'json_object' },
    });
    expect(system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: JSON_ONLY },
    ]);
    expect(output_config).toBeUndefined();
  });

  test('states a schema that upstreams cannot enforce in an instruction, unless it is strict', () => {
    const schema = { type: 'object', additionalProperties: { type: 'number' } };
    const json_schema = { name: 'scores', schema };
    const { system, output_config } = format({ type: 'json_schema', json_schema });
    expect(system).toEqual([
      { type: 'text', text: expect.stringMatching(/JSON Schema:\n\{"type":"object","additional/) },
    ]);
    expect(output_config).toBeUndefined();
    const response_format = { type: 'json_schema', json_schema: { ...json_schema, strict: true } };
    expect(refusalOf({ messages: HI, response_format })).toBe(
      'unsupported_value at response_format: response_format: this model cannot enforce the ' +
        'schema: an object with properties of any name cannot be enforced; list its properties, ' +
        'or use an array of objects with a name and a value; change it, or set strict to false.',
    );
  });

  test('states a schema with too many types to enforce in an instruction, unless it is strict', () => {
    const names = Array.from({ length: 17 }, (_, at) => `p${at}`);
    const schema = {
      ...{ type: 'object', required: names, additionalProperties: false },
      properties: Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'] }])),
    };
    const sent = (strict: boolean) =>
      format({ type: 'json_schema', json_schema: { name: 'n', schema, strict } });
    expect(sent(false)['output_config']).toBeUndefined();
    expect(sent(false)['system']).toHaveLength(1);
    expect(sent(true)['output_config']).toEqual({ format: { type: 'json_schema', schema } });
  });

  test('treats a missing schema as JSON object, and omits text', () => {
    expect(format({ type: 'json_schema', json_schema: { name: 'any' } })['system']).toEqual([
      { type: 'text', text: JSON_ONLY },
    ]);
    expect(format({ type: 'text' })).toEqual(messagesBody({ messages: HI }));
  });
});

describe('stop sequences', () => {
  test('become a list without empty ones', () => {
    expect(messagesBody({ messages: HI, stop: 'a' })['stop_sequences']).toEqual(['a']);
    expect(messagesBody({ messages: HI, stop: ['', 'b', 'c\n'] })['stop_sequences']).toEqual([
      'b',
      'c\n',
    ]);
    expect(messagesBody({ messages: HI, stop: '' })['stop_sequences']).toBeUndefined();
  });

  test('of whitespace alone are rejected', () => {
    expect(refusalOf({ messages: HI, stop: ['a', '\n\n'] })).toBe(
      'unsupported_value at stop[1]: stop[1]: this model does not stop at whitespace alone; ' +
        'omit it, or use visible characters.',
    );
    expect(refusalOf({ messages: HI, stop: '\n' })).toStartWith('unsupported_value at stop:');
  });
});

describe('the user', () => {
  const asked = (json: object): JsonObject => {
    const { metadata, service_tier } = messagesBody({ messages: HI, ...json });
    return { metadata, service_tier };
  };

  test('is the safety identifier, or else the user', () => {
    expect(asked({ user: 'u', safety_identifier: 's' })).toEqual({ metadata: { user_id: 's' } });
    expect(asked({ user: 'u' })).toEqual({ metadata: { user_id: 'u' } });
  });

  test('keeps the default tier', () => {
    expect(asked({ service_tier: 'default' })).toEqual({ service_tier: 'standard_only' });
    expect(asked({ service_tier: 'priority' })).toEqual({ service_tier: 'auto' });
    expect(asked({ service_tier: null })).toEqual({});
  });
});
