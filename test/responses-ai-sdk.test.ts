/** Responses as the AI SDK's default provider for OpenAI reads them. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { describeJudges } from './support/judge/describe-judges.ts';
import { aiSdkJudge } from './support/judge/judge-ai-sdk.ts';
import { CITY_SCHEMA } from './support/samples.ts';

describeJudges([
  aiSdkJudge({
    client: '@ai-sdk/openai',
    model: ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v2`, apiKey: key })(model),
    // Without `store: false`, the provider refers to stored items instead of sending them.
    always: { openai: { store: false } },
    // Without `forceReasoning`, it leaves the effort out for models that it does not know.
    thinking: {
      openai: {
        store: false,
        forceReasoning: true,
        reasoningEffort: 'high',
        reasoningSummary: 'auto',
      },
    },
  }),
]);

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

test('without `store: false`, a tool loop is refused with what to set', async () => {
  const provider = createOpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key });
  const failed: unknown = await generateText({
    model: provider('gen-opus-4-8'),
    prompt: 'Use get_weather for Paris',
    tools: {
      get_weather: tool({
        inputSchema: jsonSchema<{ city: string }>(CITY_SCHEMA),
        execute: () => 'fine',
      }),
    },
    stopWhen: stepCountIs(3),
    providerOptions: { openai: { forceReasoning: true, reasoningEffort: 'high' } },
  }).catch((error: unknown) => error);
  if (!(failed instanceof APICallError)) throw new Error(`not refused: ${String(failed)}`);
  expect([failed.statusCode, failed.isRetryable]).toEqual([404, false]);
  expect(failed.message).toContain('store');
});
