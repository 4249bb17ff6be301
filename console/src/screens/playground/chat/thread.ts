/** A conversation with one model on one channel, and pure operations on it. */
import type { Answer, ToolCall } from '#chat/answer.ts';
import { formatExact, sum } from '#money/amount.ts';
import type { Attachment } from './attachments/attachment.ts';

export type UserMessage = {
  readonly kind: 'user';
  /** The id of the message, which is the same in every thread that received the message. */
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
  /** The channel; null for the model's default channel. */
  readonly channel: string | null;
  readonly messages: readonly Message[];
  /** The exact sum of the charges by currency, including charges for removed answers. */
  readonly spent: Amounts;
  /**
   * The amounts that the prompt cache saved, exact and by currency: what cache reads saved, minus
   * the additional cost of cache writes.
   */
  readonly saved: Amounts;
};
/** Decimal amounts by currency. */
type Amounts = Readonly<Record<string, string>>;

export const withMessages = (thread: Thread, ...messages: readonly Message[]): Thread => ({
  ...thread,
  messages: [...thread.messages, ...messages],
});

/**
 * Returns the thread with only the messages before the given message; unchanged if it does not
 * contain the message.
 */
export function before(thread: Thread, messageId: string): Thread {
  const at = thread.messages.findIndex(({ id }) => id === messageId);
  return at < 0 ? thread : { ...thread, messages: thread.messages.slice(0, at) };
}

export const withAnswer = (thread: Thread, id: string, answer: Answer): Thread => ({
  ...thread,
  messages: thread.messages.map((message) =>
    message.id === id && message.kind === 'answer' ? { ...message, answer } : message,
  ),
});

/** Adds the known charge of an answer, even when the answer was removed. */
export function withCharge(
  thread: Thread,
  { usage }: Pick<Answer, 'usage'>,
  saving: string | null = null,
): Thread {
  const cost = usage?.cost ?? null;
  if (cost === null) return thread;
  const { currency, amount } = cost;
  const spent = plus(thread.spent, currency, amount);
  return {
    ...thread,
    spent,
    saved: saving === null ? thread.saved : plus(thread.saved, currency, saving),
  };
}

function plus(amounts: Amounts, currency: string, amount: string): Amounts {
  const { [currency]: before = '0' } = amounts;
  return { ...amounts, [currency]: formatExact(sum([before, amount])) };
}

/**
 * Returns the last answer's tool calls without a result, which must be answered before the next
 * message.
 */
export function openCalls({ messages }: Thread): readonly ToolCall[] {
  const at = messages.findLastIndex(({ kind }) => kind === 'answer');
  const last = messages[at];
  if (last?.kind !== 'answer' || last.answer.phase !== 'done') return [];
  const results = messages.slice(at + 1).filter((message) => message.kind === 'result');
  return last.answer.toolCalls.filter(({ id }) => !results.some(({ callId }) => callId === id));
}

/**
 * Adds the results of the open tool calls.
 * @param results the results by tool call id; a missing result becomes an empty text.
 */
export const withResults = (
  thread: Thread,
  results: Readonly<Record<string, string>>,
  newId: () => string,
): Thread =>
  withMessages(
    thread,
    ...openCalls(thread).map(({ id: callId, name }) => ({
      ...{ kind: 'result' as const, id: newId(), callId, name },
      text: results[callId] ?? '',
    })),
  );

/** Returns the last answer while it is awaited or still streaming, otherwise null. */
export const runningAnswer = ({ messages }: Thread): AnswerMessage | null => {
  const last = messages.at(-1);
  const isComing = last?.kind === 'answer' && ['waiting', 'streaming'].includes(last.answer.phase);
  return isComing ? last : null;
};

/**
 * Removes an answer that is awaited or still streaming. Later updates for a removed answer are
 * ignored.
 */
export const withoutRunning = (thread: Thread): Thread => {
  const coming = runningAnswer(thread);
  return coming === null ? thread : before(thread, coming.id);
};

export const mayGoOn = (thread: Thread): boolean =>
  runningAnswer(thread) === null && openCalls(thread).length === 0;
