/** Tests LangChain's chat models for both protocols. Only their base URL and API key are set. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { at } from './support/wire.ts';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

type Options = { readonly apiKey?: string; readonly model?: string; readonly channel?: string };

function chatOpenAI({ apiKey = gateway.key, model = 'gen-opus-4-8', channel }: Options = {}) {
  return new ChatOpenAI({
    model,
    apiKey,
    maxRetries: 0,
    configuration: { baseURL: `${gateway.url}/v2` },
    ...(channel === undefined ? {} : { modelKwargs: { provider: { channel } } }),
  });
}

function chatAnthropic({ apiKey = gateway.key, model = 'gen-opus-4-8', channel }: Options = {}) {
  return new ChatAnthropic({
    model,
    apiKey,
    maxRetries: 0,
    maxTokens: 1024,
    anthropicApiUrl: gateway.url,
    ...(channel === undefined ? {} : { invocationKwargs: { provider: { channel } } }),
  });
}

const cityTool = (name: string) =>
  tool(({ city }) => `${name} says ${city} is fine`, {
    name,
    description: `${name} in a city`,
    schema: z.object({ city: z.string() }),
  });
const tools = [cityTool('get_weather'), cityTool('get_time')];

describe.each([
  ['ChatOpenAI', chatOpenAI],
  ['ChatAnthropic', chatAnthropic],
] as const)('%s', (_name, make) => {
  test('invoke and stream return the same text and usage', async () => {
    const plain = await make().invoke('Hello there');
    expect(plain.text).toContain('Hello there');
    expect(Number(at(plain, 'usage_metadata.output_tokens'))).toBeGreaterThan(0);
    let whole: AIMessageChunk | null = null;
    let pieces = 0;
    for await (const chunk of await make().stream('Hello there')) {
      whole = whole === null ? chunk : whole.concat(chunk);
      pieces += 1;
    }
    expect(whole?.text).toBe(plain.text);
    expect(pieces).toBeGreaterThan(3);
    for (const count of ['input_tokens', 'output_tokens'])
      expect(at(whole, `usage_metadata.${count}`)).toBe(at(plain, `usage_metadata.${count}`));
  });

  test('makes parallel calls, takes their results, and answers with them', async () => {
    const bound = bind(make());
    const question = new HumanMessage('Call get_weather and get_time for Paris');
    const first = await bound.invoke([question]);
    const calls = first.tool_calls ?? [];
    expect(calls.map(({ name, args }) => [name, args])).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_time', { city: 'Paris' }],
    ]);
    const results = await Promise.all(
      calls.map(async (call) => {
        const found = tools.find(({ name }) => name === call.name);
        if (found === undefined) throw new Error(`no tool ${call.name}`);
        const content = await found.invoke({ city: String(call.args['city']) });
        return new ToolMessage({ content: String(content), tool_call_id: call.id ?? '' });
      }),
    );
    const last = await bound.invoke([question, first, ...results]);
    expect(last.text).toContain('get_weather says Paris is fine');
    expect(last.text).toContain('get_time says Paris is fine');
  });

  test('structured output matches the schema', async () => {
    const Person = z.object({ name: z.string(), age: z.number().int() });
    const person = await structured(make(), Person);
    expect(Person.parse(person)).toEqual({ name: 'Ada', age: 36 });
  });

  test('selects a channel with the extension field', async () => {
    const before = await spentOn('economical');
    await make({ channel: 'economical' }).invoke('Hello there');
    expect(await spentOn('economical')).toBe(before + 1);
  });

  test('errors have the status and our own message', async () => {
    const failure = async (options: Options): Promise<unknown> =>
      await make(options)
        .invoke('Hello')
        .catch((error: unknown) => error);
    const bad = await failure({ apiKey: 'sk-bad' });
    expect(at(bad, 'status')).toBe(401);
    expect(String(bad)).toContain('This is not an API key of this gateway');
    const unknown = await failure({ model: 'gen-opus-4-9' });
    expect(at(unknown, 'status')).toBe(404);
    expect(String(unknown)).toContain('gen-opus-4-8');
    const poor = await failure({ apiKey: await newAccountKey(gateway, null) });
    expect(at(poor, 'status')).toBe(402);
    expect(String(poor)).toContain('USD wallet');
  });
});

const bind = (model: BaseChatModel) => {
  if (model.bindTools === undefined) throw new Error('this model takes no tools');
  return model.bindTools(tools);
};

const structured = async (model: BaseChatModel, schema: z.ZodType): Promise<unknown> =>
  await model
    .withStructuredOutput(schema, { name: 'person' })
    .invoke('The name is Ada, the age is 36.');

/**
 * Returns the number of requests on a channel, from the metrics. LangChain hides the response
 * headers.
 */
async function spentOn(channel: string): Promise<number> {
  const metrics = await metricsText(gateway);
  const lines = metrics.split('\n').filter((line) => line.includes(`channel="${channel}"`));
  const counts = lines.filter((line) => /requests_total\{/.test(line));
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
