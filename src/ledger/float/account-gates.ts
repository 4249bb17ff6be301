/**
 * Keeps the store and the float from spending the same money. A command that the store decides,
 * such as an adjustment, is alone with its account: it waits for the account's charges that are on
 * their way to the store, and the account's holds and settlements wait for it.
 */
export class AccountGates {
  /** Resolves when the account is open again, by account id. */
  readonly #closed = new Map<string, Promise<void>>();
  /** Charges on their way to the store, by account id. */
  readonly #sending = new Map<string, Set<Promise<unknown>>>();

  /** Resolves when the account is open; null when it is. */
  closed(accountId: string): Promise<void> | null {
    return this.#closed.get(accountId) ?? null;
  }

  /** Whether anything of the account is going on. */
  isBusy(accountId: string): boolean {
    return this.#closed.has(accountId) || this.#sending.has(accountId);
  }

  /** Resolves when no command is alone with an account. */
  async idle(): Promise<void> {
    while (this.#closed.size > 0) await Promise.all(this.#closed.values());
  }

  /** Remembers a charge that is being sent, until it ends. */
  async track<Result>(accountId: string, sending: Promise<Result>): Promise<Result> {
    const all = this.#sending.get(accountId) ?? new Set();
    this.#sending.set(accountId, all);
    all.add(sending);
    try {
      return await sending;
    } finally {
      all.delete(sending);
      if (all.size === 0) this.#sending.delete(accountId);
    }
  }

  /** Runs `work` while nothing else of these accounts runs. Calls run in the order of calling. */
  async alone<Result>(accountIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const ids = [...new Set(accountIds)];
    const before = ids.map((id) => this.#closed.get(id));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const id of ids) this.#closed.set(id, promise);
    try {
      await Promise.all(before);
      const sending = ids.flatMap((id) => [...(this.#sending.get(id) ?? [])]);
      await Promise.allSettled(sending);
      return await work();
    } finally {
      for (const id of ids) if (this.#closed.get(id) === promise) this.#closed.delete(id);
      resolve();
    }
  }
}
