/**
 * The playground's conversations in this tab. They are stored outside of the page, so that answers
 * continue and drafts stay while another screen is open.
 */
import type { Model } from '#catalogue/models.ts';
import { type Answer, hasOutput, isRunning, newAnswer, type Usage } from '#chat/answer.ts';
import { type AskDeps, ask } from '#chat/ask.ts';
import { cacheSaving } from './answer/live-cost.ts';
import type { Attachment } from './attachments/attachment.ts';
import { bodyOf, NO_SETTINGS, promptWeight, requestOf, type Settings } from './chat-body.ts';
import { type Prompt, threadOf } from './prompts/prompt.ts';
import {
  before,
  type Message,
  mayGoOn,
  runningAnswer,
  type Thread,
  withAnswer,
  withCharge,
  withMessages,
  withoutRunning,
  withResults,
} from './thread.ts';

/**
 * The maximum number of conversations. More columns are unreadable, and each column costs money.
 */
export const MAX_THREADS = 4;

export type ChatState = {
  readonly threads: readonly Thread[];
  readonly settings: Settings;
  /** The message being typed. */
  readonly draft: { readonly text: string; readonly attachments: readonly Attachment[] };
};

export type ChatStoreDeps = AskDeps & {
  readonly newId: () => string;
  /** Calls `run` in the next frame. Until then, further calls of `onNextFrame` are ignored. */
  readonly onNextFrame: (run: () => void) => void;
  /**
   * Reads the recorded charge of a request whose answer did not report its cost; null when no
   * charge is recorded.
   */
  readonly chargeOf: (requestId: string) => Promise<Usage | null>;
  /** Called when an answer has ended in any way, because it may have been charged. */
  readonly onAnswered: () => void;
};

const NO_CHARGE = { spent: {}, saved: {} };
const EMPTY: ChatState = {
  threads: [],
  settings: NO_SETTINGS,
  draft: { text: '', attachments: [] },
};

export class ChatStore {
  readonly #deps: ChatStoreDeps;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  /** The answers that have changed since the last rendered frame, by message id. */
  readonly #news = new Map<string, Answer>();
  #state: ChatState;

  constructor(deps: ChatStoreDeps, state: ChatState = EMPTY) {
    this.#deps = deps;
    this.#state = state;
  }

  readonly state = (): ChatState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  change(change: (state: ChatState) => ChatState): void {
    this.#state = change(this.#state);
    for (const listener of this.#listeners) listener();
  }

  /** Adds a column with a copy of the first conversation. */
  addThread(model: string, channel: string | null): void {
    const [first] = this.#state.threads;
    if (this.#state.threads.length >= MAX_THREADS) return;
    const id = this.#deps.newId();
    const thread = withoutRunning({ messages: [], ...first, id, model, channel, ...NO_CHARGE });
    this.change((state) => ({ ...state, threads: [...state.threads, thread] }));
  }

  /** Adds a column with an unused model or, if all are used, with the model of the first column. */
  compare(models: readonly Model[]): void {
    const used = this.#state.threads.map(({ model }) => model);
    const other = models.find(({ id }) => !used.includes(id))?.id ?? used[0];
    if (other !== undefined) this.addThread(other, null);
  }

  removeThread(id: string): void {
    this.stop(id);
    this.change((state) => ({
      ...state,
      threads: state.threads.filter((thread) => thread.id !== id),
    }));
  }

  /** Chooses the model and the channel for further messages of a thread. */
  choose(id: string, choice: Partial<Pick<Thread, 'model' | 'channel'>>): void {
    this.#changeThread(id, (thread) => ({ ...thread, ...choice }));
  }

  /**
   * Sends the draft, or an example, to all threads except those that are answering or wait for tool
   * results. Sending an example keeps the draft.
   */
  send(models: readonly Model[], example: string | null = null): void {
    const { text, attachments } =
      example === null ? this.#state.draft : { text: example, attachments: [] };
    const free = this.#state.threads.filter(mayGoOn);
    if ((text.trim() === '' && attachments.length === 0) || free.length === 0) return;
    const message: Message = { kind: 'user', id: this.#deps.newId(), text, attachments };
    if (example === null) this.change((state) => ({ ...state, draft: EMPTY.draft }));
    for (const { id } of free) this.#goOn(id, models, (thread) => withMessages(thread, message));
  }

  /**
   * Edits a message in every thread that has it and sends it again. Later messages in these threads
   * are removed.
   */
  edit(messageId: string, text: string, models: readonly Model[]): void {
    for (const { id, messages } of this.#state.threads) {
      const old = messages.find((message) => message.id === messageId);
      if (old?.kind !== 'user') continue;
      this.stop(id);
      this.#goOn(id, models, (thread) =>
        withMessages(before(thread, messageId), { ...old, id: messageId, text }),
      );
    }
  }

  /** Requests an answer again. The old answer and all later messages are removed. */
  regenerate(threadId: string, answerId: string, models: readonly Model[]): void {
    this.stop(threadId);
    this.#goOn(threadId, models, (thread) => before(thread, answerId));
  }

  /**
   * Sends the results of tool calls.
   * @param results the results by tool call id; a missing result is sent as an empty text.
   */
  answerCalls(
    threadId: string,
    results: Readonly<Record<string, string>>,
    models: readonly Model[],
  ): void {
    this.#goOn(threadId, models, (thread) => withResults(thread, results, this.#deps.newId));
  }

  /** Stops the answer of one thread, or of all threads. The received part stays and is charged. */
  stop(threadId?: string): void {
    for (const thread of this.#state.threads) {
      const coming = runningAnswer(thread);
      if (coming === null || (threadId !== undefined && thread.id !== threadId)) continue;
      this.#running.get(coming.id)?.abort();
    }
  }

  /**
   * Clears all conversations. Models, settings and the draft stay.
   * @returns a function that restores the conversations.
   */
  clear(): () => void {
    const { threads } = this.#state;
    return this.#replace({
      threads: threads.map((thread) => ({ ...thread, messages: [], ...NO_CHARGE })),
    });
  }

  /**
   * Shows a prompt in a single column and sends nothing.
   * @returns a function that restores the conversations and the settings.
   */
  load(prompt: Prompt): () => void {
    const threads = [threadOf(prompt, this.#deps.newId)];
    return this.#replace({ threads, settings: prompt.settings });
  }

  #replace(next: Pick<ChatState, 'threads'> & Partial<ChatState>): () => void {
    this.stop();
    const { threads, settings } = this.#state;
    const before = { threads: threads.map(withoutRunning), ...(next.settings && { settings }) };
    this.change((state) => ({ ...state, ...next }));
    return () => this.change((state) => ({ ...state, ...before }));
  }

  #changeThread(id: string, change: (thread: Thread) => Thread): void {
    this.change((state) => ({
      ...state,
      threads: state.threads.map((thread) => (thread.id === id ? change(thread) : thread)),
    }));
  }

  /** Changes a thread with `change`, and requests the model's answer to the changed thread. */
  #goOn(threadId: string, models: readonly Model[], change: (thread: Thread) => Thread): void {
    const found = this.#state.threads.find(({ id }) => id === threadId);
    if (found === undefined) return;
    const changed = change(found);
    const { body, asked, model } = askFor(changed, this.#state.settings, models);
    const id = this.#deps.newId();
    const answer = newAnswer({ ...asked, sentMs: this.#deps.nowMs() });
    this.#changeThread(threadId, () => withMessages(changed, { kind: 'answer', id, answer }));
    const abort = new AbortController();
    this.#running.set(id, abort);
    const { signal } = abort;
    const onChange = (next: Answer): void => this.#update(id, next);
    void ask(this.#deps, { body, asked, signal, onChange }).then((last) => {
      this.#running.delete(id);
      this.#deps.onAnswered();
      return this.#charge(threadId, id, last, model);
    });
  }

  /** Adds an answer's charge to its thread. If the answer has none, asks the gateway for it. */
  async #charge(
    threadId: string,
    id: string,
    answer: Answer,
    model: Model | undefined,
  ): Promise<void> {
    const usage = answer.usage ?? (await recordedUsage(answer, this.#deps));
    if (usage === null) return;
    const charged = { ...answer, usage };
    const saving = cacheSaving(charged, model);
    this.#changeThread(threadId, (thread) =>
      withCharge(withAnswer(thread, id, charged), charged, saving),
    );
  }

  /** Updates an answer. Renders all updates in the next frame, but a final one at once. */
  #update(id: string, answer: Answer): void {
    this.#news.set(id, answer);
    if (!isRunning(answer)) this.#show();
    else this.#deps.onNextFrame(() => this.#show());
  }

  #show(): void {
    if (this.#news.size === 0) return;
    const news = [...this.#news];
    this.#news.clear();
    this.change((state) => ({
      ...state,
      threads: state.threads.map((thread) =>
        news.reduce((changed, [id, answer]) => withAnswer(changed, id, answer), thread),
      ),
    }));
  }
}

/**
 * Reads the recorded charge of an answer. Returns null for an answer that failed before its first
 * token, because such an answer is free. An answer that a person stopped is charged for its prompt
 * even without a token.
 */
async function recordedUsage(
  answer: Answer,
  { chargeOf }: Pick<ChatStoreDeps, 'chargeOf'>,
): Promise<Usage | null> {
  const isCharged = hasOutput(answer) || answer.phase === 'stopped';
  return isCharged && answer.requestId !== null ? await chargeOf(answer.requestId) : null;
}

/**
 * Returns the request of a thread, and the details of the request that are stored with its answer.
 */
function askFor(thread: Thread, settings: Settings, models: readonly Model[]) {
  const { model: id, channel } = thread;
  const model = models.find((each) => each.id === id);
  const request = requestOf(thread, settings, model === undefined ? null : { model, channel });
  const asked = { model: id, requestedChannel: channel, promptWeight: promptWeight(request) };
  return { model, body: bodyOf(request), asked };
}
