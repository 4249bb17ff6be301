import { type Json, literal, namedArguments, TYPESCRIPT } from './literal.ts';
import {
  type ChatRequest,
  type Program,
  parametersAs,
  providerOf,
  type Target,
  typescriptKey,
} from './request.ts';

const NAMES: Readonly<Record<string, string>> = { max_tokens: 'maxTokens', top_p: 'topP' };

export function langchain({ baseUrl, key }: Target, request: ChatRequest): Program {
  const secret = typescriptKey(key) + (key === null ? " ?? ''" : '');
  const { model, channel, messages } = request;
  const options: { readonly [name: string]: Json } = {
    ...parametersAs(NAMES, request),
    ...(channel === null ? {} : { modelKwargs: providerOf(channel) }),
  };
  const prompt = promptOf(messages);
  const end = request.isStreamed
    ? `for await (const piece of await chat.stream(${prompt})) process.stdout.write(piece.text);\n`
    : `const answer = await chat.invoke(${prompt});\nconsole.log(answer.text);\n`;
  const code = `import { ChatOpenAI } from '@langchain/openai';

const chat = new ChatOpenAI({
  model: ${TYPESCRIPT.text(model)},
  apiKey: ${secret},
  configuration: { baseURL: ${TYPESCRIPT.text(`${baseUrl}/v2`)} },
${namedArguments(options, TYPESCRIPT, ': ')}});

${end}`;
  return { language: 'typescript', code, install: 'npm install @langchain/core @langchain/openai' };
}

/** Returns the prompt: a string for a single user message, otherwise a list of messages. */
function promptOf(messages: ChatRequest['messages']): string {
  const [only] = messages;
  return messages.length === 1 && only?.role === 'user'
    ? literal(only.content, TYPESCRIPT)
    : literal(messages, TYPESCRIPT);
}
