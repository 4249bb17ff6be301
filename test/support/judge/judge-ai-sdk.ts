/**
 * For tests: the AI SDK as a library under test, with any provider package. Compares `streamText`
 * with `generateText`.
 */
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
import { CITY_SCHEMA, PIXEL_PNG } from '../samples.ts';
import { at } from '../wire.ts';
import {
  type Judge,
  type JudgedAnswer,
  MAX_TOKENS,
  PERSON_SCHEMA,
  type Question,
  SMALL_PDF,
  type Target,
} from './judge.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;

type ProviderOptions = Parameters<typeof generateText>[0]['providerOptions'] & object;

export type Provider = {
  readonly client: Judge['client'];
  readonly model: (target: Target) => LanguageModel;
  /** The provider options of requests without thinking. Default: none. */
  readonly always?: ProviderOptions;
  /** The provider's options that enable thinking. */
  readonly thinking: ProviderOptions;
};

const describedTool = (name: string) => ({
  description: `${name} in a city`,
  inputSchema: jsonSchema<{ city: string }>(CITY_SCHEMA),
});
/** Tools without `execute`. The SDK cannot run them, so the answer ends with the tool calls. */
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
    providerOptions: (thinking ? provider.thinking : provider.always) ?? {},
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

export const aiSdkJudge = (provider: Provider): Judge => ({
  client: provider.client,
  plain: async (target, question) =>
    judgedAnswerOf(await generateText(callOf(provider, target, question))),
  streamed: async (target, question) => {
    // The promises of the result do not reject with the error, so a callback collects it.
    const errors: unknown[] = [];
    const onError = ({ error }: { readonly error: unknown }): void => void errors.push(error);
    const result = streamText({ ...callOf(provider, target, question), onError });
    const whole = Promise.all([
      result.text,
      result.reasoningText,
      result.toolCalls,
      result.finishReason,
      result.usage,
    ]);
    const [text, reasoningText, toolCalls, finishReason, usage] = await whole.catch(
      (thrown: unknown) => Promise.reject(errors[0] ?? thrown),
    );
    return judgedAnswerOf({ text, reasoningText, toolCalls, finishReason, usage });
  },
  toolLoop: async (target, prompt) =>
    await streamText({
      ...callOf(provider, target, { prompt, thinking: true }),
      tools: RUN_TOOLS,
      stopWhen: stepCountIs(3),
    }).text,
});
