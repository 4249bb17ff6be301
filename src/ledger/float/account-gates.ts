/**
 * Prevents the store and the float (the holds in memory) from spending the same money. A command
 * that the store decides, such as an adjustment, gets exclusive access to its accounts. From then
 * on, new holds and settlements of these accounts wait until the command ends. The command itself
 * first waits until the store has answered all charges that were sent to it.
 */
export class AccountGates {
  /**
   * For each account, by id, to which a command has exclusive access: a promise that resolves when
   * that command ends.
   */
  readonly #closed = new Map<string, Promise<void>>();
  /** Resolves when the store has answered all charges that were sent to it. */
  readonly #answered: () => Promise<void>;

  constructor(answered: () => Promise<void>) {
    this.#answered = answered;
  }

  /**
   * Resolves when the command with exclusive access to the account ends; null if there is no such
   * command.
   */
  closed(accountId: string): Promise<void> | null {
    return this.#closed.get(accountId) ?? null;
  }

  /** Resolves when no command has exclusive access to any account. */
  async idle(): Promise<void> {
    while (this.#closed.size > 0) await Promise.all(this.#closed.values());
  }

  /**
   * Runs `work` with exclusive access to these accounts. Calls for the same account run one after
   * another.
   */
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
