import { describe, expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { NO_PLAN } from '../request-fields.ts';
import type { RequestTarget } from '../translator.ts';
import { Seals } from './seal.ts';
import { responsesToResponses } from './translator.ts';

const TARGET: RequestTarget = {
  model: 'up-sol',
  quirks: NO_QUIRKS,
  clampedOutput: null,
  plan: NO_PLAN,
};
const prepare = (text: string) => {
  const body = scanObject(new TextEncoder().encode(text), 1_000);
  return responsesToResponses.prepare(body, { maxOutput: 1_000 }, false);
};
const sentText = (text: string, to: Partial<RequestTarget> = {}): string =>
  new TextDecoder().decode(prepare(text).bodyFor({ ...TARGET, ...to }));
const sent = (body: object, to: Partial<RequestTarget> = {}) =>
  JSON.parse(sentText(JSON.stringify(body), to));

const ENCRYPTED = 'reasoning.encrypted_content';
const seals = new Seals('the secret of this installation');
const ownReasoning = (text: string) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: seals.seal({ text, details: [], calls: {} }),
});
const theirReasoning = { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' };
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c',
  name: 'add',
  arguments: '{"n":1.0}',
};

describe('the body for the provider', () => {
  test('keeps its bytes except for the model, storing and the encrypted reasoning', () => {
    const text =
      '{"model":"gen-6-sol", "input":"h\\u00e9 \\ud83d","temperature":1.00,"store":false,"include":["reasoning.encrypted_content"],"big":12345678901234567890}';
    expect(sentText(text)).toBe(text.replace('"gen-6-sol", ', '"up-sol",'));
  });

  test.each([[{}], [{ store: true }], [{ store: null }], [{ store: false }]])(
    '%j: is never stored',
    (given) => {
      expect(sent({ model: 'm', input: 'x', ...given })).toMatchObject({ store: false });
    },
  );

  test.each([
    [undefined, [ENCRYPTED]],
    [null, [ENCRYPTED]],
    [[], [ENCRYPTED]],
    [[ENCRYPTED], [ENCRYPTED]],
    [['message.output_text.logprobs'], ['message.output_text.logprobs', ENCRYPTED]],
  ])('include %j becomes %j', (include, expected) => {
    expect(sent({ model: 'm', input: 'x', include }).include).toEqual(expected);
  });

  test("has no field of the gateway's own, and none that the server refuses", () => {
    const body = { model: 'm', input: 'x', provider: { channel: 'direct' }, temperature: 1 };
    const quirks = { ...NO_QUIRKS, drop: ['temperature', 'include', 'store'] };
    expect(sent(body, { quirks })).toEqual({ model: 'up-sol', input: 'x' });
  });

  test('has at most the output that the hold covers', () => {
    const body = { model: 'm', input: 'x', max_output_tokens: 900 };
    expect(sent(body).max_output_tokens).toBe(900);
    expect(sent(body, { clampedOutput: 300 }).max_output_tokens).toBe(300);
    expect(sent({ model: 'm', input: 'x' }, { clampedOutput: 300 }).max_output_tokens).toBe(300);
  });

  test('has the fields that the plan writes, and not those that it leaves out', () => {
    const edits = new Map([
      ['service_tier', '"default"'],
      ['user', null],
      ['store', null],
    ]);
    const body = { model: 'm', input: 'x', user: 'me', store: true };
    const { service_tier, user, store } = sent(body, { plan: { ...NO_PLAN, edits } });
    expect([service_tier, user, store]).toEqual(['default', undefined, false]);
  });

  test('lacks tools that the card does not sell, wherever they are', () => {
    const own = { type: 'function', name: 'f' };
    const search = { type: 'web_search' };
    const input = [ownReasoning('Hm.'), { type: 'additional_tools', tools: [search, own] }, call];
    const leftOut = ['tools[1].type', 'input[1].tools[0].type'];
    const plan = { ...NO_PLAN, leftOut };
    expect(sent({ model: 'm', input, tools: [own, search] }, { plan })).toMatchObject({
      tools: [own],
      input: [{ type: 'additional_tools', tools: [own] }, call],
    });
    expect(
      sent(
        { model: 'm', input: 'Hi', tools: [own, search] },
        { plan: { ...NO_PLAN, leftOut: ['tools[1].type'] } },
      ),
    ).toMatchObject({
      ...{ tools: [own], input: 'Hi' },
    });
  });

  test('may differ for each route', () => {
    const prepared = prepare('{"model":"m","input":"x"}');
    const names = ['one', 'two'].map((model) => {
      const bytes = prepared.bodyFor({ ...TARGET, model });
      return JSON.parse(new TextDecoder().decode(bytes)).model;
    });
    expect(names).toEqual(['one', 'two']);
  });
});

describe('reasoning', () => {
  test.each([1, 20_000])('that this gateway sealed is not sent (%d characters)', (length) => {
    const user = { role: 'user', content: 'x'.repeat(length) };
    const input = [user, ownReasoning('I think.'), theirReasoning, call];
    expect(sent({ model: 'm', input }).input).toEqual([user, theirReasoning, call]);
  });

  test('that names the seal in a text stays', () => {
    const input = [{ role: 'user', content: 'What is modelgate-responses-1.?' }];
    expect(sent({ model: 'm', input }).input).toEqual(input);
  });

  test('is left out with all ids if the provider cannot read it', () => {
    const input = [ownReasoning('I think.'), theirReasoning, call, 'invalid'];
    const { id: _, ...bare } = call;
    const body = { model: 'm', input, include: [ENCRYPTED, 'other'] };
    const { input: kept, include } = sent(body, { isRepeated: true });
    expect([kept, include]).toEqual([[bare, 'invalid'], ['other']]);
    expect(sent({ model: 'm', input: 'x' }, { isRepeated: true })).not.toHaveProperty('include');
  });

  test('is removed without touching any other number or text', () => {
    const kept = '{"role":"user","content":"h\\u00e9","n":12345678901234567890}';
    const own = JSON.stringify(ownReasoning('x'));
    expect(sentText(`{"model":"m","input":[${own},${kept}]}`)).toContain('12345678901234567890');
  });
});

describe('tools that are not sold', () => {
  const add = { type: 'function', name: 'add', parameters: { maximum: 12.5 } };
  const search = { type: 'web_search', external_web_access: false };
  const body = {
    model: 'm',
    tools: [search, add, search],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }, add] },
    input: [
      { type: 'additional_tools', role: 'developer', tools: [add, search] },
      { role: 'user', content: 'Hi' },
    ],
  };
  const leftOut = ['tools[0].type', 'tools[2].type', 'input[0].tools[1].type'];

  test('are left out, also from items and from the tools that may be chosen', () => {
    expect(sent(body, { plan: { ...NO_PLAN, leftOut } })).toMatchObject({
      tools: [add],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [add] },
      input: [{ type: 'additional_tools', role: 'developer', tools: [add] }, body.input[1]],
    });
  });

  test('leave any other choice as it is', () => {
    const asked = { ...body, tool_choice: 'auto' };
    expect(sent(asked, { plan: { ...NO_PLAN, leftOut } }).tool_choice).toBe('auto');
    expect(sent(asked)).toMatchObject({ tools: body.tools, input: body.input });
  });

  test('are left out of a repeated request too', () => {
    const input = [...body.input, theirReasoning];
    const to = { plan: { ...NO_PLAN, leftOut }, isRepeated: true };
    expect(sent({ ...body, input }, to)).toMatchObject({
      tools: [add],
      input: [{ tools: [add] }, body.input[1]],
    });
  });
});

describe('images', () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const parts = [{ type: 'input_text', text: 'x' }, image, { ...image, detail: 'low' }];
  const input = [
    { role: 'user', content: parts },
    { type: 'function_call_output', call_id: 'c', output: parts },
    { type: 'function_call_output', call_id: 'd', output: 'text' },
  ];

  test('get the detail that the card prices, also in the results of tools', () => {
    const plan = { ...NO_PLAN, imageDetail: 'high' } as const;
    const priced = [parts[0], { ...image, detail: 'high' }, parts[2]];
    expect(sent({ model: 'm', input }, { plan }).input).toEqual([
      { role: 'user', content: priced },
      { type: 'function_call_output', call_id: 'c', output: priced },
      input[2],
    ]);
    const both = { type: 'function_call_output', call_id: 'c', content: parts, output: parts };
    expect(sent({ model: 'm', input: [both] }, { plan }).input).toEqual([
      { ...both, content: priced, output: priced },
    ]);
  });

  test('stay as they are where the provider may choose', () => {
    expect(sent({ model: 'm', input }).input).toEqual(input);
  });
});

describe('the answer', () => {
  const answerOf = (body: object) => {
    const text = JSON.stringify({ output: [], metadata: {}, user: 'digest' });
    const read = prepare(JSON.stringify(body)).readAnswer(new TextEncoder().encode(text), {
      requestId: 'req_1',
      createdSeconds: 0,
      quirks: NO_QUIRKS,
    });
    const cost = { usd: '0', exact: '0', currency: 'USD', estimated: null };
    return JSON.parse(read.write({ model: 'm', cost }));
  };

  test("has the caller's own names and metadata", () => {
    const body = { model: 'm', input: 'x', user: 'me', metadata: { a: 'b' } };
    expect(answerOf(body)).toMatchObject({ user: 'me', metadata: { a: 'b' } });
    expect(answerOf({ model: 'm', input: 'x', user: null })).toMatchObject({ user: 'digest' });
  });

  test('does not repeat a value that no provider accepts', () => {
    const body = { model: 'm', input: 'x', user: 'x'.repeat(20_000) };
    expect(answerOf(body)).toMatchObject({ user: 'digest' });
  });
});
