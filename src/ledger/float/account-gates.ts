/**
 * Keeps the store and the float from spending the same money. A command that the store decides,
 * such as an adjustment, runs alone in its account: it waits for the account's charges that are on
 * their way to the store, and the account's holds and settlements wait for it.
 */
export class AccountGates {
  /** Accounts in which a command runs alone. Each promise resolves when that command has ended. */
  readonly #closed = new Map<string, Promise<void>>();
  /** Resolves when the store has answered all charges that were on their way. */
  readonly #answered: () => Promise<void>;

  constructor(answered: () => Promise<void>) {
    this.#answered = answered;
  }

  /** Resolves when the command that runs alone in the account ends; null if none runs. */
  closed(accountId: string): Promise<void> | null {
    return this.#closed.get(accountId) ?? null;
  }

  /** Resolves when no command runs alone in any account. */
  async idle(): Promise<void> {
    while (this.#closed.size > 0) await Promise.all(this.#closed.values());
  }

  /** Runs `work` alone in these accounts. Calls for the same account run one after another. */
  async alone<Result>(accountIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const ids = [...new Set(accountIds)];
    const before = ids.map((id) => this.#closed.get(id));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const id of ids) this.#closed.set(id, promise);
    try {
      await Promise.all(before);
      await this.#answered();
      return await work();
    } finally {
      for (const id of ids) if (this.#closed.get(id) === promise) this.#closed.delete(id);
      resolve();
    }
  }
}
