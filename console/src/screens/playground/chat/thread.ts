/** A conversation with one model on one channel, and the operations on it. Pure. */
import type { Answer, ToolCall } from '../../../chat/answer.ts';
import { formatExact, sum } from '../../../money/amount.ts';
import type { Attachment } from './attachments/attachment.ts';

export type UserMessage = {
  readonly kind: 'user';
  /** The same in every thread that received the message. */
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
};
export type AnswerMessage = {
  readonly kind: 'answer';
  readonly id: string;
  readonly answer: Answer;
};
export type ResultMessage = {
  readonly kind: 'result';
  readonly id: string;
  readonly callId: string;
  readonly name: string;
  readonly text: string;
};
export type Message = UserMessage | AnswerMessage | ResultMessage;

export type Thread = {
  readonly id: string;
  readonly model: string;
  /** Null: the model's default. */
  readonly channel: string | null;
  readonly messages: readonly Message[];
  /** The exact charges by currency, including those of removed answers. */
  readonly spent: Readonly<Record<string, string>>;
};

export const withMessages = (thread: Thread, ...messages: readonly Message[]): Thread => ({
  ...thread,
  messages: [...thread.messages, ...messages],
});

/** The messages before the given one; the whole thread when it is not there. */
export function before(thread: Thread, messageId: string): Thread {
  const at = thread.messages.findIndex(({ id }) => id === messageId);
  return at < 0 ? thread : { ...thread, messages: thread.messages.slice(0, at) };
}

/** The messages up to and including the given one. */
export function through(thread: Thread, messageId: string): Thread {
  const at = thread.messages.findIndex(({ id }) => id === messageId);
  return at < 0 ? thread : { ...thread, messages: thread.messages.slice(0, at + 1) };
}

export const withAnswer = (thread: Thread, id: string, answer: Answer): Thread => ({
  ...thread,
  messages: thread.messages.map((message) =>
    message.id === id && message.kind === 'answer' ? { ...message, answer } : message,
  ),
});

/** Adds a charge once it is known, also for answers that were removed. */
export function withCharge(thread: Thread, { usage }: Pick<Answer, 'usage'>): Thread {
  const cost = usage?.cost ?? null;
  if (cost === null) return thread;
  const { [cost.currency]: before = '0' } = thread.spent;
  const total = formatExact(sum([before, cost.amount]));
  return { ...thread, spent: { ...thread.spent, [cost.currency]: total } };
}

/** The last answer's tool calls without a result. They must be answered before the next message. */
export function openCalls({ messages }: Thread): readonly ToolCall[] {
  const at = messages.findLastIndex(({ kind }) => kind === 'answer');
  const last = messages[at];
  if (last?.kind !== 'answer' || last.answer.phase !== 'done') return [];
  const results = messages.slice(at + 1).filter((message) => message.kind === 'result');
  return last.answer.toolCalls.filter(({ id }) => !results.some(({ callId }) => callId === id));
}

/** Whether the last answer is still streaming. */
export const runningAnswer = ({ messages }: Thread): AnswerMessage | null => {
  const last = messages.at(-1);
  const isComing = last?.kind === 'answer' && ['waiting', 'streaming'].includes(last.answer.phase);
  return isComing ? last : null;
};

/** Updates for an answer that was removed or replaced are ignored. */
export const withoutRunning = (thread: Thread): Thread => {
  const coming = runningAnswer(thread);
  return coming === null ? thread : before(thread, coming.id);
};

export const mayGoOn = (thread: Thread): boolean =>
  runningAnswer(thread) === null && openCalls(thread).length === 0;
