/** Computes the answer to a Messages request, before it is written as JSON or as a stream. */
import type { Conversation } from '../builtin-conversation.ts';
import { type CacheUse, NO_CACHE_USE, type PromptCache } from '../prompt-cache.ts';
import { type PromptUnit, promptTokens, promptUnits, seedOf } from '../prompt-units.ts';
import { type Block, type Finish, type Reply, writeReply } from '../reply/reply.ts';
import { countTokens } from '../tokenizer.ts';
import { type AppliedEdit, applyEdits, compact, needsCompaction } from './context-edits.ts';
import type { MessagesRequest } from './messages-request.ts';

export type MessagesBlock = Block | { readonly kind: 'compaction'; readonly text: string };

/** Tokens of one pass of the model. The input counts are disjoint. */
export type PassUsage = {
  readonly input: number;
  readonly cache: CacheUse;
  readonly output: number;
  readonly thinking: number;
};

export type MessagesAnswer = {
  readonly request: MessagesRequest;
  readonly seed: bigint;
  readonly blocks: readonly MessagesBlock[];
  readonly finish: Finish | { readonly kind: 'compaction' };
  readonly usage: PassUsage;
  /** The pass that wrote the summary. Not part of `usage`. */
  readonly compaction: PassUsage | null;
  /** Null when the request has no `context_management`. */
  readonly appliedEdits: readonly AppliedEdit[] | null;
};

const NO_PASS: PassUsage = { input: 0, cache: NO_CACHE_USE, output: 0, thinking: 0 };

/** @param check throws when the prompt is too long. */
export function answerMessages(
  request: MessagesRequest,
  cache: PromptCache,
  owner: string,
  check: (tokens: number) => void,
): MessagesAnswer {
  const { contextEdits } = request;
  const edited =
    contextEdits === null
      ? { conversation: request.conversation, applied: null }
      : applyEdits(request.conversation, contextEdits);
  let { conversation } = edited;
  const blocks: MessagesBlock[] = [];
  let compaction: PassUsage | null = null;
  const isLong = contextEdits !== null && needsCompaction(conversation, contextEdits);
  const units = promptUnits(conversation);
  const common = { request, seed: seedOf(units, conversation), appliedEdits: edited.applied };
  if (request.summarizes || isLong) {
    const { summary, conversation: shorter } = compact(conversation);
    blocks.push({ kind: 'compaction', text: summary });
    compaction = { ...NO_PASS, input: promptTokens(units), output: countTokens(summary) };
    if (request.summarizes || contextEdits?.compact?.pauses === true) {
      return { ...common, blocks, finish: { kind: 'compaction' }, usage: NO_PASS, compaction };
    }
    conversation = shorter;
  }
  const pass = compaction === null ? units : promptUnits(conversation);
  check(promptTokens(pass));
  const reply = writeReply(conversation, seedOf(pass, conversation));
  const usage = passUsage(pass, cache.useMarked(owner, pass), reply);
  return {
    ...common,
    blocks: [...blocks, ...reply.blocks],
    finish: reply.finish,
    usage,
    compaction,
  };
}

function passUsage(units: readonly PromptUnit[], cache: CacheUse, reply: Reply): PassUsage {
  return {
    input: promptTokens(units) - cache.read - cache.write5m - cache.write1h,
    cache,
    output: reply.outputTokens,
    thinking: reply.thinkingTokens,
  };
}

/** The body of `count_tokens`. */
export function countMessages(request: MessagesRequest): Record<string, unknown> {
  const size = (conversation: Conversation): number => promptTokens(promptUnits(conversation));
  const { conversation, contextEdits } = request;
  if (contextEdits === null) return { input_tokens: size(conversation) };
  return {
    input_tokens: size(applyEdits(conversation, contextEdits).conversation),
    context_management: { original_input_tokens: size(conversation) },
  };
}
