/** Programs for Vercel's AI SDK. */
import { type Json, namedArguments, TYPESCRIPT } from './literal.ts';
import {
  type ChatRequest,
  type Program,
  parametersAs,
  providerOf,
  type Target,
  typescriptKey,
  withoutSystem,
} from './request.ts';

/** The library's names for chat completions parameters. */
const NAMES: Readonly<Record<string, string>> = {
  max_tokens: 'maxOutputTokens',
  top_p: 'topP',
  stop: 'stopSequences',
};

export function aiSdk({ baseUrl, key }: Target, request: ChatRequest): Program {
  const secret = typescriptKey(key) + (key === null ? " ?? ''" : '');
  const call = request.isStreamed ? 'streamText' : 'generateText';
  const end = request.isStreamed
    ? `const { textStream } = streamText({
${argumentsOf(request)}});
for await (const words of textStream) process.stdout.write(words);
`
    : `const { text } = await generateText({
${argumentsOf(request)}});
console.log(text);
`;
  const code = `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ${call} } from 'ai';

const modelgate = createOpenAICompatible({
  name: 'modelgate',
  baseURL: ${TYPESCRIPT.text(`${baseUrl}/v2`)},
  apiKey: ${secret},
  includeUsage: true,
  supportsStructuredOutputs: true,
});

${end}`;
  return { language: 'typescript', code, install: 'npm install ai @ai-sdk/openai-compatible' };
}

function argumentsOf(request: ChatRequest): string {
  const { model, channel, messages } = request;
  const values: { readonly [name: string]: Json } = {
    ...promptOf(messages),
    ...parametersAs(NAMES, request),
    ...(channel === null ? {} : { providerOptions: { modelgate: providerOf(channel) } }),
  };
  return `  model: modelgate(${TYPESCRIPT.text(model)}),\n${namedArguments(values, TYPESCRIPT, ': ')}`;
}

/**
 * Returns the arguments for a conversation: `prompt` for a single user message, otherwise
 * `messages`. System messages become `instructions`.
 */
function promptOf(messages: ChatRequest['messages']): { readonly [name: string]: Json } {
  const { system, turns } = withoutSystem(messages);
  const [only] = turns;
  return {
    ...(system === undefined ? {} : { instructions: system }),
    ...(turns.length === 1 && only?.role === 'user'
      ? { prompt: only.content }
      : { messages: turns }),
  };
}
