/**
 * Runs JavaScript clients that the gateway's `npm ci` does not install. Each line of standard input
 * is a request from `test/support/clients/client-process.ts`, and each line of standard output its
 * answer.
 */
import { createInterface } from 'node:readline';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { tool as aiTool, generateText, jsonSchema, Output, stepCountIs, streamText } from 'ai';
import OpenAI from 'openai';

globalThis.AI_SDK_LOG_WARNINGS = false;

const says = (name) => `${name} says fine`;

/** The OpenAI Agents SDK. */
const agents = {
  plain: async (target, question, samples) =>
    agentAnswer(await agentRun(target, question, samples, {})),
  streamed: async (target, question, samples) => {
    const result = await agentRun(target, question, samples, { stream: true });
    await result.completed;
    if (result.error) throw result.error;
    return agentAnswer(result);
  },
  loop: async (target, question, samples) => {
    const result = await agentRun(target, question, samples, { stream: true, isLoop: true });
    await result.completed;
    if (result.error) throw result.error;
    return { ...agentAnswer(result), text: String(result.finalOutput) };
  },
};

function agentRun(target, question, samples, { stream = false, isLoop = false }) {
  const client = new OpenAI({ baseURL: `${target.url}/v2`, apiKey: target.key, maxRetries: 0 });
  const modelProvider = new OpenAIProvider({ openAIClient: client, useResponses: true });
  const agentTool = ({ name, description, parameters }) =>
    tool({ name, description, parameters, strict: false, execute: async () => says(name) });
  const agent = new Agent({
    name: 'Assistant',
    model: target.model,
    modelSettings: {
      store: false,
      maxTokens: question.maxTokens ?? samples.maxTokens,
      ...(question.thinking ? { reasoning: { effort: 'high', summary: 'auto' } } : {}),
    },
    tools: question.tools ? samples.tools.map(agentTool) : [],
    toolUseBehavior: isLoop ? 'run_llm_again' : 'stop_on_first_tool',
    ...(question.schema
      ? {
          outputType: { type: 'json_schema', name: 'person', strict: true, schema: samples.schema },
        }
      : {}),
  });
  const content = [
    { type: 'input_text', text: question.prompt },
    ...(question.image ? [{ type: 'input_image', image: samples.image }] : []),
    ...(question.file ? [{ type: 'input_file', file: samples.file, filename: 'notes.pdf' }] : []),
  ];
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  return runner.run(agent, [{ role: 'user', content }], { stream });
}

function agentAnswer({ newItems, rawResponses }) {
  const calls = newItems
    .filter(({ type }) => type === 'tool_call_item')
    .map(({ rawItem }) => [rawItem.name, JSON.parse(rawItem.arguments)]);
  const texts = newItems
    .filter(({ type }) => type === 'message_output_item')
    .flatMap(({ rawItem }) => rawItem.content.map(({ text }) => text ?? ''));
  const thoughts = newItems
    .filter(({ type }) => type === 'reasoning_item')
    .flatMap(({ rawItem }) => rawItem.content.map(({ text }) => text ?? ''));
  const usage = rawResponses[0].usage;
  return {
    text: texts.join(''),
    thinking: thoughts.join(''),
    calls,
    end: calls.length > 0 ? 'calls' : 'stop',
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  };
}

/** The AI SDK with its provider for any server of the Responses API. */
const openResponses = {
  plain: async (target, question, samples) =>
    openAnswer(await generateText(openCall(target, question, samples))),
  streamed: async (target, question, samples) => {
    const errors = [];
    const onError = ({ error }) => void errors.push(error);
    const result = streamText({ ...openCall(target, question, samples), onError });
    const names = ['text', 'reasoningText', 'toolCalls', 'finishReason', 'usage'];
    const values = await Promise.all(names.map((name) => result[name])).catch((thrown) => {
      throw errors[0] ?? thrown;
    });
    return openAnswer(Object.fromEntries(names.map((name, index) => [name, values[index]])));
  },
  loop: async (target, question, samples) => {
    const call = openCall(target, question, samples);
    const run = ({ name, description, parameters }) => [
      name,
      aiTool({ description, inputSchema: jsonSchema(parameters), execute: () => says(name) }),
    ];
    const tools = Object.fromEntries(samples.tools.map(run));
    const text = await streamText({ ...call, tools, stopWhen: stepCountIs(3) }).text;
    return { text };
  },
};

function openCall(target, question, samples) {
  const provider = createOpenResponses({
    name: 'modelgate',
    url: `${target.url}/v2/responses`,
    apiKey: target.key,
  });
  const described = ({ name, description, parameters }) => [
    name,
    aiTool({ description, inputSchema: jsonSchema(parameters) }),
  ];
  const dataOf = (url) => url.slice(url.indexOf(',') + 1);
  const part = (mediaType, url) => ({ type: 'file', mediaType, data: dataOf(url) });
  return {
    model: provider(target.model),
    maxRetries: 0,
    maxOutputTokens: question.maxTokens ?? samples.maxTokens,
    messages: [
      {
        role: 'user',
        content: [
          ...(question.image ? [part('image/png', samples.image)] : []),
          ...(question.file ? [part('application/pdf', samples.file)] : []),
          { type: 'text', text: question.prompt },
        ],
      },
    ],
    ...(question.thinking
      ? { providerOptions: { modelgate: { reasoningEffort: 'high', reasoningSummary: 'auto' } } }
      : {}),
    ...(question.tools ? { tools: Object.fromEntries(samples.tools.map(described)) } : {}),
    ...(question.schema ? { output: Output.object({ schema: jsonSchema(samples.schema) }) } : {}),
  };
}

const ENDS = { stop: 'stop', length: 'length', 'tool-calls': 'calls' };

const openAnswer = ({ text, reasoningText, toolCalls, finishReason, usage }) => ({
  text,
  thinking: reasoningText ?? '',
  calls: toolCalls.map(({ toolName, input }) => [toolName, input]),
  end: ENDS[finishReason] ?? 'other',
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
});

const CLIENTS = { '@openai/agents': agents, '@ai-sdk/open-responses': openResponses };

async function reply({ client, act, target, question, samples }) {
  try {
    return { answer: await CLIENTS[client][act](target, question, samples) };
  } catch (error) {
    const status = error.status ?? error.statusCode ?? error.lastError?.statusCode ?? null;
    // Errors of `@ai-sdk/open-responses` contain the gateway's message only in `responseBody`.
    const message = `${error} ${error.responseBody ?? ''}`;
    return { failure: { status, message } };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await reply(JSON.parse(line)))}\n`);
