/**
 * Tests client libraries of the Responses API: the official library with its stream helper and
 * parser, the AI SDK's default provider for OpenAI, and LangChain with `useResponsesApi`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { APICallError, generateText, jsonSchema, stepCountIs, tool } from 'ai';
import OpenAI, { APIError } from 'openai';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { describeJudges } from './support/judge/describe-judges.ts';
import type { Judge, Target } from './support/judge/judge.ts';
import { aiSdkJudge } from './support/judge/judge-ai-sdk.ts';
import { CHAT_TOOLS } from './support/judge/judge-chat-body.ts';
import { langchainJudge } from './support/judge/judge-langchain.ts';
import { judgedResponse, responsesBody } from './support/judge/judge-responses-body.ts';
import { CITY_SCHEMA } from './support/samples.ts';

const made = ({ url, key }: Target) =>
  new OpenAI({ baseURL: `${url}/v2`, apiKey: key, maxRetries: 0 }).responses;

const openai: Judge = {
  client: 'openai 7, responses',
  plain: async (target, question) => {
    const body = responsesBody(target.model, question);
    return judgedResponse(
      question.schema ? await made(target).parse(body) : await made(target).create(body),
    );
  },
  streamed: async (target, question) =>
    judgedResponse(
      await made(target).stream(responsesBody(target.model, question)).finalResponse(),
    ),
  toolLoop: async (target, prompt) => {
    const body = responsesBody(target.model, { prompt, thinking: true, tools: true });
    const first = await made(target).stream(body).finalResponse();
    const outputs = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [
            {
              type: 'function_call_output' as const,
              call_id: item.call_id,
              output: `${item.name} says fine`,
            },
          ]
        : [],
    );
    const said = first.output.filter(
      (item) =>
        item.type === 'reasoning' || item.type === 'message' || item.type === 'function_call',
    );
    const history = [...body.input, ...said, ...outputs];
    const last = await made(target)
      .stream({ ...body, input: history })
      .finalResponse();
    return last.output_text;
  },
};

/**
 * The AI SDK with its OpenAI package. Without `store: false`, the package would refer to stored
 * items by their id instead of sending their content.
 */
const aiSdk = aiSdkJudge({
  client: '@ai-sdk/openai',
  model: ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v2`, apiKey: key })(model),
  always: { openai: { store: false } },
  // Without `forceReasoning`, the SDK omits the reasoning effort for models that it does not know.
  thinking: {
    openai: {
      store: false,
      forceReasoning: true,
      reasoningEffort: 'high',
      reasoningSummary: 'auto',
    },
  },
});

const langchain = langchainJudge({
  client: 'LangChain ChatOpenAI, useResponsesApi',
  bodyOf: (model, question) => ({ messages: responsesBody(model, question).input }),
  modelOf: ({ url, key, model }, question) => {
    const body = responsesBody(model, question);
    const made = new ChatOpenAI({
      model,
      apiKey: key,
      maxRetries: 0,
      maxTokens: body.max_output_tokens,
      useResponsesApi: true,
      // With this option, each request contains the earlier reasoning itself. Without it, the
      // request would contain the id of a stored response, but the gateway stores no responses.
      zdrEnabled: true,
      configuration: { baseURL: `${url}/v2` },
      // The options are passed as `modelKwargs`, because the library omits `reasoning` for unknown
      // models.
      modelKwargs: {
        ...(body.reasoning ? { reasoning: body.reasoning } : {}),
        ...(body.text ? { text: body.text } : {}),
      },
    });
    return question.tools ? made.bindTools(CHAT_TOOLS) : made;
  },
});

describeJudges([openai, aiSdk, langchain]);

describe('what is refused', () => {
  const model = 'gen-opus-4-8';
  let gateway: GatewayProcess;
  let responses: OpenAI['responses'];
  beforeAll(async () => {
    gateway = await startGateway();
    responses = made({ ...gateway, model });
  });
  afterAll(async () => await gateway[Symbol.asyncDispose]());

  const refusal = async (asked: Promise<unknown>): Promise<APIError> => {
    const thrown: unknown = await asked.catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error(`not refused: ${JSON.stringify(thrown)}`);
    return thrown;
  };

  test('an answer is not stored, and says so', async () => {
    const answer = await responses.create({ model, input: 'Hello there', store: true });
    expect(answer.output_text).toContain('Hello there');
    expect(Reflect.get(answer, 'store')).toBe(false);
    expect(await refusal(responses.retrieve(answer.id))).toBeInstanceOf(OpenAI.NotFoundError);
    expect(await refusal(responses.delete(answer.id))).toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('a request over the limit of its key says when to retry', async () => {
    const credit = { amount: '10', currency: 'USD' };
    const limits = { limits: { requests_per_minute: 1 } };
    const key = await newAccountKey(gateway, credit, limits);
    const limited = made({ url: gateway.url, key, model });
    await limited.create({ model, input: 'Hello there' });
    const refused = await refusal(limited.create({ model, input: 'Hello there' }));
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    expect(Number(refused.headers?.get('retry-after'))).toBeGreaterThan(0);
  });

  test('an earlier answer, a conversation and the background', async () => {
    const earlier = await refusal(
      responses.create({ model, input: 'Hello', previous_response_id: 'resp_1' }),
    );
    expect([earlier.status, earlier.code, earlier.param]).toEqual([
      400,
      'previous_response_not_found',
      'previous_response_id',
    ]);
    expect(earlier.message).toContain('store');
    for (const [param, value] of [
      ['conversation', 'conv_1'],
      ['background', true],
    ] as const) {
      const refused = await refusal(responses.create({ model, input: 'Hello', [param]: value }));
      expect([refused.status, refused.code, refused.param]).toEqual([
        400,
        'unsupported_parameter',
        param,
      ]);
    }
  });

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
});
