/**
 * Saves the playground's state across reloads in session storage. The server never stores
 * conversations, and another person who signs in here does not see them.
 */
import { isRunning } from '../../../chat/answer.ts';
import type { ChatState } from './chat-store.ts';
import type { Message, Thread } from './thread.ts';

const KEY = 'modelgate.playground.chat';
/** Increased when the saved format changes; older formats are discarded. */
const VERSION = 1;
/** Browsers allow about five million characters for the whole origin. */
const MAX_CHARACTERS = 1_500_000;

type Kept = {
  readonly version: typeof VERSION;
  readonly personId: string;
  readonly state: ChatState;
};

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Long conversations and those with attachments are not saved; the draft and the settings always
 * are.
 */
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

/** @returns null when nothing valid is saved for this person. */
export function savedChat(storage: Storage, personId: string): ChatState | null {
  const kept = storage.getItem(KEY);
  if (kept === null) return null;
  const found: Partial<Kept> = JSON.parse(kept);
  if (found.version === VERSION && found.personId === personId) return found.state ?? null;
  storage.removeItem(KEY);
  return null;
}

const text = (personId: string, state: ChatState): string =>
  JSON.stringify({ version: VERSION, personId, state } satisfies Kept);

/** Streaming does not resume after a reload, and errors are not saved. */
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
