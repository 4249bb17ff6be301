/**
 * Tests how the stream helpers of both tested versions of the official Anthropic library read
 * translated answers.
 */
import Anthropic from '@anthropic-ai/sdk';
import Anthropic0 from 'anthropic-sdk-0';
import { describeJudges } from './support/judge/describe-judges.ts';
import type { Judge, Target } from './support/judge/judge.ts';
import { judgedMessage, messagesBody } from './support/judge/judge-messages-body.ts';

const settings = ({ url, key }: Target) => ({ baseURL: url, apiKey: key, maxRetries: 0 });

/**
 * Returns the first request body of a loop of tool calls with thinking. The client must send the
 * thinking blocks back with their signatures, before the tool results.
 */
const loopBody = (target: Target, prompt: string) =>
  messagesBody(target.model, { prompt, thinking: true, tools: true });

type ToolUse = { readonly type: 'tool_use'; readonly id: string; readonly name: string };

const resultsOf = (content: readonly (ToolUse | { readonly type: string })[]) =>
  content.flatMap((block) =>
    block.type === 'tool_use' && 'id' in block
      ? [
          {
            type: 'tool_result' as const,
            tool_use_id: block.id,
            content: `${block.name} says fine`,
          },
        ]
      : [],
  );

const anthropic1: Judge = {
  client: '@anthropic-ai/sdk 1',
  plain: async (target, question) => {
    const { messages } = new Anthropic(settings(target));
    const body = messagesBody(target.model, question);
    return judgedMessage(
      question.schema ? await messages.parse(body) : await messages.create(body),
    );
  },
  streamed: async (target, question) => {
    const body = messagesBody(target.model, question);
    return judgedMessage(
      await new Anthropic(settings(target)).messages.stream(body).finalMessage(),
    );
  },
  toolLoop: async (target, prompt) => {
    const { messages } = new Anthropic(settings(target));
    const body = loopBody(target, prompt);
    const first = await messages.stream(body).finalMessage();
    const history: Anthropic.MessageParam[] = [
      ...body.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: resultsOf(first.content) },
    ];
    return await messages.stream({ ...body, messages: history }).finalText();
  },
};

const anthropic0: Judge = {
  client: '@anthropic-ai/sdk 0.39',
  plain: async (target, question) =>
    judgedMessage(
      await new Anthropic0(settings(target)).messages.create(messagesBody(target.model, question)),
    ),
  streamed: async (target, question) => {
    const body = messagesBody(target.model, question);
    return judgedMessage(
      await new Anthropic0(settings(target)).messages.stream(body).finalMessage(),
    );
  },
  toolLoop: async (target, prompt) => {
    const { messages } = new Anthropic0(settings(target));
    const body = loopBody(target, prompt);
    const first = await messages.stream(body).finalMessage();
    const history: Anthropic0.MessageParam[] = [
      ...body.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: resultsOf(first.content) },
    ];
    return await messages.stream({ ...body, messages: history }).finalText();
  },
};

describeJudges([anthropic1, anthropic0]);
