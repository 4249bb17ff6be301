/**
 * Foreign keys are API keys of other gateways that still work after their accounts moved to this
 * gateway. This gateway's own keys are validated by format and checksum before any query. A foreign
 * key is looked up only if the store contains foreign keys of its format, so that a gateway without
 * foreign keys refuses it without a query.
 */
import { KEY_PREFIX } from './api-key.ts';
import { type ChangeFeed, concerns } from './change-feed.ts';

/** The formats of foreign keys. `sk-48` is the format of one-api and new-api. */
export const KEY_FORMS = {
  'sk-48': /^sk-[0-9A-Za-z]{48}$/,
  'sk-any': /^sk-[!-~]{5,200}$/,
} as const;
export type KeyForm = keyof typeof KEY_FORMS;
export const KEY_FORM_NAMES = Object.keys(KEY_FORMS) as readonly KeyForm[];

/** Returns the most specific format that matches a foreign key; null if no format matches. */
export function formOf(text: string): KeyForm | null {
  if (text.startsWith(KEY_PREFIX)) return null;
  return KEY_FORM_NAMES.find((form) => KEY_FORMS[form].test(text)) ?? null;
}

export class ForeignKeys {
  readonly #load: () => Promise<readonly string[]>;
  #forms: readonly KeyForm[] = [];
  /**
   * The load of the formats that is running; null if none is running. A running load may miss
   * formats that are added after its start. Therefore, all calls of `refresh` while it runs share
   * one further load, `#next`.
   */
  #reading: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  /** @param load returns the formats of the foreign keys in the store. */
  constructor(load: () => Promise<readonly string[]>) {
    this.#load = load;
  }

  /** Loads the formats of the foreign keys in the store. @throws `store_unavailable`. */
  refresh(): Promise<void> {
    if (this.#reading === null) {
      this.#reading = this.#read().finally(() => {
        this.#reading = null;
      });
      return this.#reading;
    }
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.refresh();
      });
    return this.#next;
  }

  /** Whether the store may contain this foreign key, judged by its format. */
  mayExist(text: string): boolean {
    if (this.#forms.length === 0 || text.startsWith(KEY_PREFIX)) return false;
    return this.#forms.some((form) => KEY_FORMS[form].test(text));
  }

  async #read(): Promise<void> {
    const stored = await this.#load();
    this.#forms = KEY_FORM_NAMES.filter((form) => stored.includes(form));
  }
}

export type Following = {
  /** Loads the formats of the foreign keys in the store. */
  readonly find: () => Promise<void>;
  readonly changes: Pick<ChangeFeed, 'subscribe'>;
  /** Adds a listener to the heartbeat, which calls it every few seconds. */
  readonly onBeat: (listener: () => void) => void;
  /** Called for the first of several consecutive failed loads. */
  readonly onFailure: (thrown: unknown) => void;
};

/** Loads the formats after each import of keys. A failed load is retried at each heartbeat. */
export function followForeignKeys({ find, changes, onBeat, onFailure }: Following): void {
  // The first heartbeat also loads the formats, since keys may be imported before this process
  // subscribes to changes.
  let isDue = true;
  let isFailing = false;
  const read = async (): Promise<void> => {
    isDue = false;
    try {
      await find();
      isFailing = false;
    } catch (thrown) {
      isDue = true;
      if (!isFailing) onFailure(thrown);
      isFailing = true;
    }
  };
  changes.subscribe((change) => {
    if (concerns(change, 'key.move_in')) void read();
  });
  onBeat(() => {
    if (isDue) void read();
  });
}
