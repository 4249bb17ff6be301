import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { NO_PLAN } from '../request-fields.ts';
import type { RequestTarget } from '../translator.ts';
import {
  asChat,
  asMessages,
  inputImage,
  PNG,
  reasoning,
  said,
  signed,
  target,
  user,
} from './request.fixture.ts';
import type { ReadRequest } from './request.ts';

const sent = ({ bodyFor }: ReadRequest, to: RequestTarget): JsonObject =>
  JSON.parse(new TextDecoder().decode(bodyFor(to)));
const HI = { role: 'user', content: 'Hi' };

describe('a chat request', () => {
  test('streams with usage, if the server knows stream_options', () => {
    const read = asChat({ input: 'Hi' }, true);
    expect(sent(read, target())).toEqual({
      model: 'up',
      messages: [HI],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(sent(read, target({ streamOptions: false }))).toEqual({
      model: 'up',
      messages: [HI],
      stream: true,
    });
    expect(sent(asChat({ input: 'Hi' }), target())).toEqual({ model: 'up', messages: [HI] });
  });

  test('has the lower limit that the hold covers, and the fields of the plan', () => {
    const read = asChat({ input: 'Hi', max_output_tokens: 99, service_tier: 'flex', user: 'me' });
    const edits = new Map([
      ['service_tier', null],
      ['user', '"digest"'],
    ]);
    const to = { ...target(), clampedOutput: 7, plan: { ...NO_PLAN, edits } };
    const body = { model: 'up', messages: [HI], max_completion_tokens: 7, user: 'digest' };
    expect(sent(read, to)).toEqual(body);
    const strict = { ...to, quirks: { ...to.quirks, drop: ['user'] } };
    const { user: _, ...rest } = body;
    expect(sent(read, strict)).toEqual(rest);
  });

  test('has the detail of images that the plan writes', () => {
    const read = asChat({ input: [user([inputImage()])] });
    const to = { ...target(), plan: { ...NO_PLAN, imageDetail: 'high' as const } };
    expect(sent(read, to)['messages']).toEqual([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: PNG, detail: 'high' } }] },
    ]);
  });

  test('has a format with its description, and entries of reasoning without places', () => {
    const format = { type: 'json_schema', name: 'n', description: 'A list.', schema: {} };
    const input = [user('Hi'), reasoning({ details: [signed('x')] }), said('b'), user('c')];
    const body = sent(asChat({ input, text: { format } }), target({ reasoningBack: 'reasoning' }));
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'n', description: 'A list.', schema: {} },
    });
    expect(body['messages']).toEqual([
      HI,
      { role: 'assistant', content: 'b', reasoning: 'x', reasoning_details: [signed('x')] },
      { role: 'user', content: 'c' },
    ]);
  });
});

describe('a Messages request', () => {
  test('streams, and has the output limit of the model or of the caller', () => {
    const content = [{ type: 'text', text: 'Hi' }];
    const messages = [{ role: 'user', content }];
    expect(sent(asMessages({ input: 'Hi' }, true), target())).toEqual({
      model: 'up',
      max_tokens: 128_000,
      messages,
      stream: true,
    });
    expect(sent(asMessages({ input: 'Hi', max_output_tokens: 99 }), target())).toEqual({
      model: 'up',
      max_tokens: 99,
      messages,
    });
  });

  test('has a schema for its output, and the fields of the plan', () => {
    const format = {
      type: 'json_schema',
      name: 'n',
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    };
    const edits = new Map([['metadata', '{"user_id":"digest"}']]);
    const to = { ...target(), plan: { ...NO_PLAN, edits } };
    expect(sent(asMessages({ input: 'Hi', text: { format }, user: 'me' }), to)).toMatchObject({
      output_config: {
        format: { type: 'json_schema', schema: { additionalProperties: false } },
      },
      metadata: { user_id: 'digest' },
    });
  });

  test('of a conversation is marked for the cache, unless the caller marks it', () => {
    const long = 'words '.repeat(1_000);
    const request = { input: [user(long), said('b'), user('c')] };
    const to = { ...target(), plan: { ...NO_PLAN, marksCache: true } };
    const isMarked = (more: JsonObject): boolean =>
      JSON.stringify(sent(asMessages({ ...request, ...more }), to)).includes('cache_control');
    expect(isMarked({})).toBe(true);
    expect(isMarked({ prompt_cache_options: { mode: 'explicit' } })).toBe(false);
  });
});
