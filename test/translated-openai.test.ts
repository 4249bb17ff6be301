/**
 * Tests how the stream helpers of both tested versions of the official OpenAI library read
 * translated answers.
 */
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import { describeJudges } from './support/judge/describe-judges.ts';
import { type Judge, type JudgedAnswer, MAX_TOKENS, type Target } from './support/judge/judge.ts';
import { CHAT_TOOLS, chatBody, judgedChat } from './support/judge/judge-chat-body.ts';
import { at } from './support/wire.ts';

const settings = ({ url, key }: Target) => ({
  baseURL: `${url}/v2`,
  apiKey: key,
  maxRetries: 0,
});
const WITH_USAGE = { stream_options: { include_usage: true } };

/**
 * The tools in the format that the helper `runTools` requires, with functions that parse the
 * arguments and return the result.
 */
const RUNNABLE = CHAT_TOOLS.map(({ type, function: described }) => ({
  type,
  function: {
    ...described,
    parse: JSON.parse,
    function: (args: unknown) => {
      if (at(args, 'city') !== 'Paris') throw new Error(`not Paris: ${JSON.stringify(args)}`);
      return `${described.name} says fine`;
    },
  },
}));

const loopBody = ({ model }: Target, prompt: string) => ({
  model,
  stream: true as const,
  max_completion_tokens: MAX_TOKENS,
  messages: [{ role: 'user' as const, content: prompt }],
  tools: RUNNABLE,
});

type Runner<Completion> = {
  readonly on: (event: 'chunk', listener: (chunk: unknown) => void) => unknown;
  readonly finalChatCompletion: () => Promise<Completion>;
};

/**
 * Returns the answer that a stream helper of the library assembled. The reasoning is read from the
 * chunks, because the helper does not know the field `reasoning_content` and keeps only its last
 * chunk.
 */
async function judgedRunner<Completion>(runner: Runner<Completion>): Promise<JudgedAnswer> {
  let thinking = '';
  runner.on('chunk', (chunk) => {
    thinking += String(at(chunk, 'choices.0.delta.reasoning_content') ?? '');
  });
  return { ...judgedChat(await runner.finalChatCompletion()), thinking };
}

const openai7: Judge = {
  client: 'openai 7',
  plain: async (target, question) => {
    const { completions } = new OpenAI(settings(target)).chat;
    const body = chatBody(target.model, question);
    return judgedChat(
      question.schema ? await completions.parse(body) : await completions.create(body),
    );
  },
  streamed: async (target, question) => {
    const body = { ...chatBody(target.model, question), ...WITH_USAGE };
    return await judgedRunner(new OpenAI(settings(target)).chat.completions.stream(body));
  },
  toolLoop: async (target, prompt) => {
    const { completions } = new OpenAI(settings(target)).chat;
    return (await completions.runTools(loopBody(target, prompt)).finalContent()) ?? '';
  },
};

const openai4: Judge = {
  client: 'openai 4',
  plain: async (target, question) => {
    const { chat, beta } = new OpenAI4(settings(target));
    const body = chatBody(target.model, question);
    return judgedChat(
      question.schema
        ? await beta.chat.completions.parse(body)
        : await chat.completions.create(body),
    );
  },
  streamed: async (target, question) => {
    const body = { ...chatBody(target.model, question), ...WITH_USAGE };
    return await judgedRunner(new OpenAI4(settings(target)).beta.chat.completions.stream(body));
  },
  toolLoop: async (target, prompt) => {
    const { completions } = new OpenAI4(settings(target)).beta.chat;
    return (await completions.runTools(loopBody(target, prompt)).finalContent()) ?? '';
  },
};

describeJudges([openai7, openai4]);
