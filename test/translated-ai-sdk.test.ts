/** Translated answers as the AI SDK's providers read them: `streamText` beside `generateText`. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  Output,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
} from 'ai';
import {
  describeJudges,
  type Judge,
  type JudgedAnswer,
  MAX_TOKENS,
  PERSON_SCHEMA,
  type Question,
  SMALL_PDF,
  type Target,
} from './support/judge/judge.ts';
import { CITY_SCHEMA, PIXEL_PNG } from './support/samples.ts';
import { at } from './support/wire.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;

type Provider = {
  readonly name: string;
  readonly endpoint: Judge['endpoint'];
  readonly model: (target: Target) => LanguageModel;
  /** The provider's own option that enables thinking. */
  readonly thinking: Parameters<typeof generateText>[0]['providerOptions'] & object;
  readonly showsThinking: boolean;
};

const PROVIDERS: readonly Provider[] = [
  {
    name: '@ai-sdk/openai-compatible',
    endpoint: 'chat',
    model: ({ url, key, model }) =>
      createOpenAICompatible({
        name: 'modelgate',
        baseURL: `${url}/v2`,
        apiKey: key,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
    thinking: { modelgate: { reasoningEffort: 'high' } },
    showsThinking: true,
  },
  {
    name: '@ai-sdk/openai chat',
    endpoint: 'chat',
    model: ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v2`, apiKey: key }).chat(model),
    thinking: { openai: { reasoningEffort: 'high' } },
    // The provider ignores the field that carries reasoning.
    showsThinking: false,
  },
  {
    name: '@ai-sdk/anthropic',
    endpoint: 'messages',
    model: ({ url, key, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
    thinking: { anthropic: { thinking: { type: 'adaptive' }, effort: 'high' } },
    showsThinking: true,
  },
];

const describedTool = (name: string) => ({
  description: `${name} in a city`,
  inputSchema: jsonSchema<{ city: string }>(CITY_SCHEMA),
});
/** Tools that the SDK cannot run, because they have no `execute`: their calls end the answer. */
const ASKED_TOOLS: ToolSet = {
  get_weather: tool(describedTool('get_weather')),
  get_time: tool(describedTool('get_time')),
};
const runTool = (name: string) =>
  tool({
    ...describedTool(name),
    execute: ({ city }) => `${name} says ${city === 'Paris' ? 'fine' : city}`,
  });
const RUN_TOOLS: ToolSet = {
  get_weather: runTool('get_weather'),
  get_time: runTool('get_time'),
};

function callOf(provider: Provider, target: Target, question: Question) {
  const { prompt, thinking, tools, image, file, schema, stop } = question;
  return {
    model: provider.model(target),
    maxRetries: 0,
    maxOutputTokens: question.maxTokens ?? MAX_TOKENS,
    messages: [
      {
        role: 'user' as const,
        content: [
          ...(image ? [{ type: 'file' as const, data: PIXEL_PNG, mediaType: 'image/png' }] : []),
          ...(file
            ? [{ type: 'file' as const, data: SMALL_PDF, mediaType: 'application/pdf' }]
            : []),
          { type: 'text' as const, text: prompt },
        ],
      },
    ],
    ...(thinking ? { providerOptions: provider.thinking } : {}),
    ...(tools ? { tools: ASKED_TOOLS } : {}),
    ...(schema ? { output: Output.object({ schema: jsonSchema(PERSON_SCHEMA) }) } : {}),
    ...(stop === undefined ? {} : { stopSequences: [stop] }),
  };
}

const ENDS: Readonly<Record<string, JudgedAnswer['end']>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'calls',
};

type Result = {
  readonly text: string;
  readonly reasoningText: string | undefined;
  readonly toolCalls: readonly { readonly toolName: string; readonly input: unknown }[];
  readonly finishReason: string;
  readonly usage: unknown;
};

const judgedAnswerOf = ({
  text,
  reasoningText,
  toolCalls,
  finishReason,
  usage,
}: Result): JudgedAnswer => ({
  text,
  thinking: reasoningText ?? '',
  calls: toolCalls.map(({ toolName, input }) => [toolName, input]),
  end: ENDS[finishReason] ?? 'other',
  inputTokens: Number(at(usage, 'inputTokens')),
  outputTokens: Number(at(usage, 'outputTokens')),
});

const judgeOf = (provider: Provider): Judge => ({
  name: provider.name,
  endpoint: provider.endpoint,
  showsThinking: provider.showsThinking,
  keepsFirstCount: false,
  plain: async (target, question) =>
    judgedAnswerOf(await generateText(callOf(provider, target, question))),
  streamed: async (target, question) => {
    const result = streamText({
      ...callOf(provider, target, question),
      onError: ({ error }) => {
        throw error;
      },
    });
    const [text, reasoningText, toolCalls, finishReason, usage] = await Promise.all([
      result.text,
      result.reasoningText,
      result.toolCalls,
      result.finishReason,
      result.usage,
    ]);
    return judgedAnswerOf({ text, reasoningText, toolCalls, finishReason, usage });
  },
  toolLoop: async (target, prompt) =>
    await streamText({
      ...callOf(provider, target, { prompt, thinking: true }),
      tools: RUN_TOOLS,
      stopWhen: stepCountIs(3),
    }).text,
});

describeJudges(PROVIDERS.map(judgeOf));
