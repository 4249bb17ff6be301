/** Tests how the AI SDK's providers for chat completions and Messages read translated answers. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describeJudges } from './support/judge/describe-judges.ts';
import { aiSdkJudge, type Provider } from './support/judge/judge-ai-sdk.ts';

const PROVIDERS: readonly Provider[] = [
  {
    client: '@ai-sdk/openai-compatible',
    model: ({ url, key, model }) =>
      createOpenAICompatible({
        name: 'modelgate',
        baseURL: `${url}/v2`,
        apiKey: key,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
    thinking: { modelgate: { reasoningEffort: 'high' } },
  },
  {
    client: '@ai-sdk/openai, chat',
    model: ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v2`, apiKey: key }).chat(model),
    thinking: { openai: { reasoningEffort: 'high' } },
  },
  {
    client: '@ai-sdk/anthropic',
    model: ({ url, key, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
    thinking: { anthropic: { thinking: { type: 'adaptive' }, effort: 'high' } },
  },
];

describeJudges(PROVIDERS.map(aiSdkJudge));
