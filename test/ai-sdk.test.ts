/**
 * Tests the AI SDK, version 7, with each of its provider packages that people use with gateways.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateImage,
  generateObject,
  generateText,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { z } from 'zod';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { countingFetch, pngSize } from './support/samples.ts';

// Turns off the SDK's warnings about unknown model names.
globalThis.AI_SDK_LOG_WARNINGS = false;

type Made = (id: string) => LanguageModel;
type Settings = { readonly apiKey: string; readonly fetch?: typeof fetch };

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

const providers: Readonly<Record<string, (settings: Settings) => Made>> = {
  '@ai-sdk/openai-compatible': (settings) => {
    const name = 'modelgate';
    const made = createOpenAICompatible({
      name,
      baseURL: `${gateway.url}/v2`,
      // Without these options, this provider package requests neither usage nor structured outputs.
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...settings,
    });
    return (id) => made(id);
  },
  '@ai-sdk/openai chat': (settings) => {
    const made = createOpenAI({ baseURL: `${gateway.url}/v2`, ...settings });
    return (id) => made.chat(id);
  },
  '@ai-sdk/anthropic': (settings) => {
    const made = createAnthropic({ baseURL: `${gateway.url}/v1`, ...settings });
    return (id) => made(id);
  },
};

const city = z.object({ city: z.string() });
const asked: string[] = [];
const cityTool = (name: string) =>
  tool({
    description: `${name} in a city`,
    inputSchema: city,
    execute: (input) => {
      asked.push(`${name} ${input.city}`);
      return `${name} says fine`;
    },
  });

describe.each(Object.entries(providers))('%s', (_name, make) => {
  const provider = (more: Partial<Settings> = {}): Made => make({ apiKey: gateway.key, ...more });

  test('generateText and streamText return the same text and usage', async () => {
    const model = provider()('gen-opus-4-8');
    const plain = await generateText({ model, prompt: 'Hello there' });
    expect(plain.text).toContain('Hello there');
    expect(plain.finishReason).toBe('stop');
    const stream = streamText({ model, prompt: 'Hello there' });
    const pieces = await Array.fromAsync(stream.textStream);
    expect(pieces.join('')).toBe(plain.text);
    expect(pieces.length).toBeGreaterThan(3);
    expect(await stream.finishReason).toBe('stop');
    const usage = await stream.usage;
    expect([usage.inputTokens, usage.outputTokens]).toEqual([
      plain.usage.inputTokens,
      plain.usage.outputTokens,
    ]);
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  test('calls parallel tools, returns their results, and uses them', async () => {
    asked.length = 0;
    const result = await generateText({
      model: provider()('gen-opus-4-8'),
      prompt: 'Call get_weather and get_time for Paris',
      tools: { get_weather: cityTool('get_weather'), get_time: cityTool('get_time') },
      stopWhen: stepCountIs(5),
    });
    expect(asked.toSorted()).toEqual(['get_time Paris', 'get_weather Paris']);
    expect(result.text).toContain('get_weather says fine');
    expect(result.steps).toHaveLength(2);
  });

  test('calls and uses tools over a stream', async () => {
    asked.length = 0;
    const result = streamText({
      model: provider()('gen-opus-4-8'),
      prompt: 'Use get_weather for Paris',
      tools: { get_weather: cityTool('get_weather') },
      stopWhen: stepCountIs(5),
    });
    expect(await result.text).toContain('get_weather says fine');
    expect(asked).toEqual(['get_weather Paris']);
  });

  test('generateObject returns an object that matches the schema', async () => {
    const { object } = await generateObject({
      model: provider()('gen-opus-4-8'),
      schema: z.object({ name: z.string(), age: z.number().int() }),
      prompt: 'The name is Ada, the age is 36.',
    });
    expect(object).toEqual({ name: 'Ada', age: 36 });
  });

  test('answers on both protocols for a model priced in CNY', async () => {
    const { text } = await generateText({
      model: provider()('gen-v4-pro'),
      prompt: 'Hello there',
    });
    expect(text).toContain('Hello there');
  });

  test('maps errors to a status, a retry flag and our own message', async () => {
    const failure = async (made: Made, id = 'gen-opus-4-8') => {
      const thrown = await generateText({ model: made(id), prompt: 'Hi' }).catch(
        (error: unknown) => error,
      );
      if (!(thrown instanceof APICallError)) throw new Error(`not refused: ${String(thrown)}`);
      return thrown;
    };
    const { fetch: counting, calls } = countingFetch();
    const bad = await failure(provider({ apiKey: 'sk-bad', fetch: counting as typeof fetch }));
    expect([bad.statusCode, bad.isRetryable, calls()]).toEqual([401, false, 1]);
    expect(bad.message).toContain('This is not an API key of this gateway');
    const unknown = await failure(provider(), 'gen-opus-4-9');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.message).toContain('gen-opus-4-8');
    const poor = await failure(provider({ apiKey: await newAccountKey(gateway, null) }));
    expect([poor.statusCode, poor.isRetryable]).toEqual([402, false]);
    expect(poor.message).toContain('USD wallet');
    const image = await failure(provider(), 'img-2');
    expect(image.statusCode).toBe(400);
    expect(image.message).toContain('/v2/images/generations');
  });
});

describe('features of single providers', () => {
  const provider = (name: string): Made => {
    const make = providers[name];
    if (make === undefined) throw new Error(`no provider ${name}`);
    return make({ apiKey: gateway.key });
  };

  test('openai-compatible returns reasoning and sends the channel', async () => {
    const model = provider('@ai-sdk/openai-compatible');
    const result = await generateText({
      model: model('gen-opus-4-8'),
      prompt: 'Why is the sky blue?',
      providerOptions: {
        modelgate: { reasoningEffort: 'high', provider: { channel: 'economical' } },
      },
    });
    expect(result.reasoningText?.length).toBeGreaterThan(20);
    expect(result.response.headers?.['x-channel']).toBe('economical');
  });

  test('anthropic returns thinking, streaming and non-streaming', async () => {
    const model = provider('@ai-sdk/anthropic');
    const question = {
      model: model('gen-opus-4-8'),
      prompt: 'Why is the sky blue?',
      providerOptions: { anthropic: { thinking: { type: 'adaptive' as const } } },
    };
    const plain = await generateText(question);
    expect(plain.reasoningText?.length).toBeGreaterThan(20);
    expect(await streamText(question).reasoningText).toBe(plain.reasoningText);
  });

  test('accepts a body that a custom fetch extends, so any provider can send a channel', async () => {
    const extended = (async (input: string | URL | Request, init?: RequestInit) => {
      const body = { ...JSON.parse(String(init?.body)), provider: { channel: 'stable' } };
      return await fetch(input, { ...init, body: JSON.stringify(body) });
    }) as typeof fetch;
    for (const make of Object.values(providers)) {
      const model = make({ apiKey: gateway.key, fetch: extended });
      const result = await generateText({ model: model('gen-opus-4-8'), prompt: 'Hello' });
      expect(result.response.headers?.['x-channel']).toBe('stable');
    }
  });

  test('generateImage works with both image providers', async () => {
    const openai = createOpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key });
    const compatible = createOpenAICompatible({
      name: 'modelgate',
      baseURL: `${gateway.url}/v2`,
      apiKey: gateway.key,
    });
    const prompt = 'a lighthouse';
    for (const model of [openai.image('img-2'), compatible.imageModel('img-2')]) {
      const { image } = await generateImage({ model, prompt, size: '256x256' });
      expect(pngSize(image.uint8Array)).toEqual([256, 256]);
      // If the prompt contains images, the SDK requests an image edit.
      const images = [image.uint8Array, image.uint8Array];
      const edited = await generateImage({
        ...{ model, size: '512x512' },
        prompt: { text: prompt, images, mask: image.uint8Array },
      });
      expect(pngSize(edited.image.uint8Array)).toEqual([512, 512]);
    }
  });
});
