/** Programs for the OpenAI libraries. */
import { type Json, namedArguments, PYTHON, TYPESCRIPT, unknownArgument } from './literal.ts';
import {
  bodyOf,
  type ModelRequest,
  type Program,
  pythonStart,
  type Target,
  typescriptKey,
} from './request.ts';

export function openaiPython({ baseUrl, key }: Target, request: ModelRequest): Program {
  const { imports, secret } = pythonStart(key, 'from openai import OpenAI');
  const code = `${imports}

client = OpenAI(
    base_url=${PYTHON.text(`${baseUrl}/v2`)},
    api_key=${secret},
)

${pythonCall(request)}`;
  return { language: 'python', code, install: 'pip install openai' };
}

function pythonCall(request: ModelRequest): string {
  // The library has no argument named `provider`, so `extra_body` sends this field.
  const { provider, ...known } = callBody(request);
  const values = provider === undefined ? known : { ...known, extra_body: { provider } };
  const named = namedArguments(values, PYTHON, '=');
  if (request.kind === 'image') {
    return `images = client.images.generate(
${named})
for image in images.data:
    print(image.url or f"{len(image.b64_json)} characters of base64")
`;
  }
  if (request.kind === 'embedding') {
    return `answer = client.embeddings.create(
${named})
print(len(answer.data[0].embedding), answer.data[0].embedding[:3])
`;
  }
  if (request.isStreamed) {
    return `stream = client.chat.completions.create(
${named})
for chunk in stream:
    if chunk.choices and chunk.choices[0].delta.content:
        print(chunk.choices[0].delta.content, end="", flush=True)
print()
`;
  }
  return `answer = client.chat.completions.create(
${named})
print(answer.choices[0].message.content)
`;
}

export function openaiTypescript({ baseUrl, key }: Target, request: ModelRequest): Program {
  const code = `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${TYPESCRIPT.text(`${baseUrl}/v2`)},
  apiKey: ${typescriptKey(key)},
});

${typescriptCall(request)}`;
  return { language: 'typescript', code, install: 'npm install openai' };
}

function typescriptCall(request: ModelRequest): string {
  const { provider, ...known } = callBody(request);
  const channel = provider === undefined ? '' : unknownArgument({ provider });
  const named = namedArguments(known, TYPESCRIPT, ': ') + channel;
  if (request.kind === 'image') {
    return `const images = await client.images.generate({
${named}});
for (const { url, b64_json } of images.data ?? []) console.log(url ?? b64_json?.length);
`;
  }
  if (request.kind === 'embedding') {
    return `const answer = await client.embeddings.create({
${named}});
for (const { embedding } of answer.data) console.log(embedding.length, embedding.slice(0, 3));
`;
  }
  if (request.isStreamed) {
    return `const stream = await client.chat.completions.create({
${named}});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
`;
  }
  return `const answer = await client.chat.completions.create({
${named}});
console.log(answer.choices[0]?.message.content);
`;
}

const callBody = (request: ModelRequest): { readonly [name: string]: Json } =>
  request.kind === 'chat' && request.isStreamed
    ? { ...bodyOf(request), stream: true }
    : bodyOf(request);
