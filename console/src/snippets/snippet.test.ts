import { describe, expect, test } from 'bun:test';
import { type ChatRequest, type ImageRequest, simpleChat } from './request.ts';
import { CLIENTS, clientsFor, programFor } from './snippet.ts';

const TARGET = { baseUrl: 'https://gate.example', key: 'sk-mg-secret' };
const QUESTION = simpleChat('gen-v4-pro');
const PICTURE: ImageRequest = {
  kind: 'image',
  model: 'img-3',
  channel: null,
  prompt: 'a lighthouse',
  parameters: { size: '1024x1024' },
};
const WITH_TOOLS: ChatRequest = { ...QUESTION, parameters: { tools: [] } };
const WITH_PARTS: ChatRequest = {
  ...QUESTION,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello!' }] }],
};

describe('each client', () => {
  test.each(CLIENTS.map((client) => [client]))('%s has the address and the key', (client) => {
    const { code } = programFor(client, TARGET, QUESTION);
    expect(code).toContain('https://gate.example');
    expect(code).toContain('sk-mg-secret');
  });

  test.each(CLIENTS.map((client) => [client]))(
    '%s reads a missing key from the environment',
    (client) => {
      const { code } = programFor(client, { ...TARGET, key: null }, QUESTION);
      expect(code).toContain('MODELGATE_API_KEY');
      expect(code).not.toContain('null');
    },
  );

  const calling = CLIENTS.filter(
    (client) => !['claude-code', 'codex', 'environment'].includes(client),
  );
  test.each(calling.map((client) => [client]))('%s names the model and the channel', (client) => {
    const request = simpleChat('gen-v4-pro', { channel: 'economical' });
    const { code } = programFor(client, TARGET, request);
    expect(code).toContain('gen-v4-pro');
    expect(code).toContain('economical');
    expect(programFor(client, TARGET, QUESTION).code).not.toContain('provider');
  });

  test.each(calling.map((client) => [client]))('%s streams on request', (client) => {
    const streamed = programFor(client, TARGET, simpleChat('gen-v4-pro', { isStreamed: true }));
    expect(streamed.code).not.toBe(programFor(client, TARGET, QUESTION).code);
  });
});

test('only native clients support images, tools and content parts', () => {
  const own = ['curl', 'openai-python', 'openai-typescript'] as const;
  expect(clientsFor(QUESTION)).toEqual(CLIENTS);
  for (const request of [PICTURE, WITH_TOOLS, WITH_PARTS]) {
    expect(clientsFor(request)).toEqual(own);
    expect(() => programFor('langchain', TARGET, request)).toThrow(RangeError);
  }
});

test('a Messages request has no temperature', () => {
  const clients = clientsFor({ ...QUESTION, parameters: { temperature: 0.5 } });
  expect(clients).toEqual(CLIENTS.filter((client) => !client.startsWith('anthropic-')));
});

test('the Python program, verbatim', () => {
  const request = simpleChat('gen-v4-pro', { channel: 'stable', isStreamed: true });
  expect(programFor('openai-python', TARGET, request).code).toBe(`from openai import OpenAI

client = OpenAI(
    base_url="https://gate.example/v2",
    api_key="sk-mg-secret",
)

stream = client.chat.completions.create(
    model="gen-v4-pro",
    messages=[{"role": "user", "content": "Hello!"}],
    stream=True,
    extra_body={"provider": {"channel": "stable"}},
)
for chunk in stream:
    if chunk.choices and chunk.choices[0].delta.content:
        print(chunk.choices[0].delta.content, end="", flush=True)
print()
`);
  expect(programFor('anthropic-python', { ...TARGET, key: null }, QUESTION).code).toBe(`import os
from anthropic import Anthropic

client = Anthropic(
    base_url="https://gate.example",
    api_key=os.environ["MODELGATE_API_KEY"],
)

message = client.messages.create(
    model="gen-v4-pro",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello!"}],
)
print("".join(block.text for block in message.content if block.type == "text"))
`);
});

test('each client has the system prompt in its own place', () => {
  const request: ChatRequest = {
    ...QUESTION,
    messages: [{ role: 'system', content: 'Be brief.' }, ...QUESTION.messages],
    parameters: { max_tokens: 50, stop: 'END' },
  };
  const anthropic = programFor('anthropic-typescript', TARGET, request).code;
  expect(anthropic).toContain("system: 'Be brief.'");
  expect(anthropic).toContain('max_tokens: 50');
  expect(anthropic).toContain("stop_sequences: ['END']");
  const ai = programFor('ai-sdk', TARGET, request).code;
  expect(ai).toContain("instructions: 'Be brief.'");
  expect(ai).toContain("prompt: 'Hello!'");
  expect(ai).toContain('maxOutputTokens: 50');
});
