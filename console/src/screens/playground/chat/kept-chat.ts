/**
 * The playground's state as it outlives a reload of the tab. It stays in the browser's session storage: no
 * server keeps what was said, and another person who signs in here does not get it.
 */
import { isRunning } from '../../../chat/answer.ts';
import type { ChatState } from './chat-store.ts';
import type { Message, Thread } from './thread.ts';

const KEY = 'modelgate.playground.chat';
/** Raised when what is kept changes its form; older ones are forgotten. */
const VERSION = 1;
/** Browsers keep about five million characters for all of the console. */
const MAX_CHARACTERS = 1_500_000;

type Kept = {
  readonly version: typeof VERSION;
  readonly personId: string;
  readonly state: ChatState;
};

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Conversations with attachments, and long ones, are not kept; what was typed and set always is. */
export function keepChat(storage: Storage, personId: string, state: ChatState): void {
  const whole = text(personId, { ...state, threads: state.threads.map(settled) });
  if (!whole.includes('"dataUrl"') && whole.length <= MAX_CHARACTERS) {
    storage.setItem(KEY, whole);
    return;
  }
  const threads = state.threads.map((thread) => ({ ...thread, messages: [] }));
  const draft = { ...state.draft, attachments: [] };
  storage.setItem(KEY, text(personId, { ...state, threads, draft }));
}

/** @returns null when nothing is kept for this person, or nothing that can be read. */
export function keptChat(storage: Storage, personId: string): ChatState | null {
  const kept = storage.getItem(KEY);
  if (kept === null) return null;
  const found: Partial<Kept> = JSON.parse(kept);
  if (found.version === VERSION && found.personId === personId) return found.state ?? null;
  storage.removeItem(KEY);
  return null;
}

const text = (personId: string, state: ChatState): string =>
  JSON.stringify({ version: VERSION, personId, state } satisfies Kept);

/** What is coming does not come on after a reload, and why something failed is not kept with it. */
const settled = (thread: Thread): Thread => ({
  ...thread,
  messages: thread.messages.map((message): Message => {
    if (message.kind !== 'answer') return message;
    const { answer } = message;
    const wasCut = isRunning(answer) || answer.phase === 'failed';
    return wasCut
      ? { ...message, answer: { ...answer, phase: 'stopped', problem: null } }
      : message;
  }),
});
