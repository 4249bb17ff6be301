/** Programs for the Anthropic libraries. */
import { type Json, namedArguments, PYTHON, TYPESCRIPT, unknownArgument } from './literal.ts';
import {
  type ChatRequest,
  type Program,
  providerOf,
  pythonStart,
  type Target,
  typescriptKey,
  withoutSystem,
} from './request.ts';

/** The default limit of output tokens, since the Messages API requires one. */
const DEFAULT_MAX_TOKENS = 1024;

export function anthropicPython({ baseUrl, key }: Target, request: ChatRequest): Program {
  const { imports, secret } = pythonStart(key, 'from anthropic import Anthropic');
  const { provider, ...known } = bodyOf(request);
  const values = provider === undefined ? known : { ...known, extra_body: { provider } };
  const named = namedArguments(values, PYTHON, '=');
  const call = request.isStreamed
    ? `with client.messages.stream(
${named}) as stream:
    for words in stream.text_stream:
        print(words, end="", flush=True)
print()
`
    : `message = client.messages.create(
${named})
print("".join(block.text for block in message.content if block.type == "text"))
`;
  const code = `${imports}

client = Anthropic(
    base_url=${PYTHON.text(baseUrl)},
    api_key=${secret},
)

${call}`;
  return { language: 'python', code, install: 'pip install anthropic' };
}

export function anthropicTypescript({ baseUrl, key }: Target, request: ChatRequest): Program {
  const { provider, ...known } = bodyOf(request);
  const channel = provider === undefined ? '' : unknownArgument({ provider });
  const named = namedArguments(known, TYPESCRIPT, ': ') + channel;
  const call = request.isStreamed
    ? `const stream = client.messages.stream({
${named}});
stream.on('text', (words) => process.stdout.write(words));
await stream.finalMessage();
`
    : `const message = await client.messages.create({
${named}});
for (const block of message.content) if (block.type === 'text') console.log(block.text);
`;
  const code = `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: ${TYPESCRIPT.text(baseUrl)},
  apiKey: ${typescriptKey(key)},
});

${call}`;
  return { language: 'typescript', code, install: 'npm install @anthropic-ai/sdk' };
}

/**
 * Returns the request in the Messages protocol, which has a separate system prompt and requires a
 * token limit.
 */
function bodyOf({ model, channel, messages, parameters }: ChatRequest): {
  readonly [name: string]: Json;
} {
  const { system, turns } = withoutSystem(messages);
  const { max_tokens: maxTokens = DEFAULT_MAX_TOKENS, stop, ...rest } = parameters;
  return {
    model,
    max_tokens: maxTokens,
    ...(system === undefined ? {} : { system }),
    messages: turns,
    ...rest,
    ...(stop === undefined ? {} : { stop_sequences: typeof stop === 'string' ? [stop] : stop }),
    ...providerOf(channel),
  };
}
