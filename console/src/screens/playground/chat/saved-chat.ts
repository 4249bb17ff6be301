/**
 * Saves the playground's state in session storage, where it survives reloads. The server never
 * stores conversations, and another person who signs in here does not see them.
 */
import { isRunning } from '#chat/answer.ts';
import type { ChatState } from './chat-store.ts';
import type { Message, Thread } from './thread.ts';

const KEY = 'modelgate.playground.chat';
/** The version of the saved format. Other versions are discarded. */
const VERSION = 2;
/**
 * The maximum length of the saved text. Browsers allow about five million characters for the whole
 * origin.
 */
const MAX_CHARACTERS = 1_500_000;

type Kept = {
  readonly version: typeof VERSION;
  readonly personId: string;
  readonly state: ChatState;
};

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Saves the chat. If it is too long or has attachments, leaves out all messages and attachments.
 * The rest is still saved, such as the models, the settings and the text of the draft.
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

/** Returns the saved chat; null when nothing valid is saved for this person. */
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

/**
 * Returns the thread to save. Unfinished and failed answers become stopped answers, because
 * streaming does not resume after a reload, and errors are not saved.
 */
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
