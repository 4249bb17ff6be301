/** A conversation with one model on one channel, and what may be done to it. Pure. */
import type { Answer, ToolCall } from '../../../chat/answer.ts';
import { formatExact, sum } from '../../../money/amount.ts';
import type { Attachment } from './attachments/attachment.ts';

export type UserMessage = {
  readonly kind: 'user';
  /** The same in every thread that was asked it. */
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
  /** What was charged for its answers, also for those that are gone: by currency, exactly. */
  readonly spent: Readonly<Record<string, string>>;
};

export const withMessages = (thread: Thread, ...messages: readonly Message[]): Thread => ({
  ...thread,
  messages: [...thread.messages, ...messages],
});

/** Up to a message, which goes too; the whole thread when it is not in there. */
export function before(thread: Thread, messageId: string): Thread {
  const at = thread.messages.findIndex(({ id }) => id === messageId);
  return at < 0 ? thread : { ...thread, messages: thread.messages.slice(0, at) };
}

/** Up to and with a message. */
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

/** Once its charge is known; answers are charged whether they are kept or not. */
export function withCharge(thread: Thread, { usage }: Pick<Answer, 'usage'>): Thread {
  const cost = usage?.cost ?? null;
  if (cost === null) return thread;
  const { [cost.currency]: before = '0' } = thread.spent;
  const total = formatExact(sum([before, cost.amount]));
  return { ...thread, spent: { ...thread.spent, [cost.currency]: total } };
}

/** Calls of the last answer that have no result yet: nothing else can be said before they do. */
export function openCalls({ messages }: Thread): readonly ToolCall[] {
  const at = messages.findLastIndex(({ kind }) => kind === 'answer');
  const last = messages[at];
  if (last?.kind !== 'answer' || last.answer.phase !== 'done') return [];
  const results = messages.slice(at + 1).filter((message) => message.kind === 'result');
  return last.answer.toolCalls.filter(({ id }) => !results.some(({ callId }) => callId === id));
}

/** Whether the thread's last answer is still coming. */
export const runningAnswer = ({ messages }: Thread): AnswerMessage | null => {
  const last = messages.at(-1);
  const isComing = last?.kind === 'answer' && ['waiting', 'streaming'].includes(last.answer.phase);
  return isComing ? last : null;
};

/** What is coming belongs to somebody else, or comes no more. */
export const withoutRunning = (thread: Thread): Thread => {
  const coming = runningAnswer(thread);
  return coming === null ? thread : before(thread, coming.id);
};

export const mayGoOn = (thread: Thread): boolean =>
  runningAnswer(thread) === null && openCalls(thread).length === 0;
