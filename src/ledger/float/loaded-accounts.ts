/**
 * Loads accounts into the float (the holds in memory) before they are used. Gives a command that
 * the store decides exclusive access to its accounts.
 */
import type { Currency } from '../../money/amount.ts';
import type { HoldCommand } from '../ledger.ts';
import { AccountGates } from './account-gates.ts';
import type { Float } from './float.ts';
import type { FloatAccount } from './float-account.ts';
import type { FloatCommits } from './float-commits.ts';
import type { FloatLink, Touched } from './float-store.ts';
import type { Reserved } from './float-wire.ts';

/** Decides a command about an account. It is only called after the account was loaded. */
type Decide<Result> = (account: FloatAccount) => Result;

export class LoadedAccounts {
  readonly #float: Float;
  readonly #link: FloatLink;
  readonly #gates: AccountGates;
  /** For each account and key that is being loaded: the promise of the load. */
  readonly #loading = new Map<string, Promise<unknown>>();

  constructor(float: Float, link: FloatLink, commits: FloatCommits) {
    this.#float = float;
    this.#link = link;
    this.#gates = new AccountGates(() => commits.answered());
  }

  readonly #isOpen = ({ id }: FloatAccount): boolean => this.#gates.closed(id) === null;

  account(id: string): FloatAccount {
    return this.#float.account(id, this.#isOpen);
  }

  /**
   * Returns the account if it is loaded for the key and no command has exclusive access to it;
   * otherwise null.
   */
  ready({ accountId, keyId }: Pick<HoldCommand, 'accountId' | 'keyId'>): FloatAccount | null {
    const account = this.account(accountId);
    return account.isLoadedFor(keyId) && this.#gates.closed(accountId) === null ? account : null;
  }

  /** Calls `decide` synchronously if the account is loaded, else after loading it. */
  decide<Result>(
    accountId: string,
    keyId: string,
    decide: Decide<Result>,
  ): Result | Promise<Result> {
    const account = this.account(accountId);
    const isReady = account.isLoadedFor(keyId) && this.#gates.closed(accountId) === null;
    return isReady ? decide(account) : this.#decideLater(accountId, keyId, decide);
  }

  /**
   * Runs `work` with exclusive access: holds and settlements of these accounts wait until it ends.
   * Their next use loads the accounts again.
   */
  alone<Result>(accountIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return this.#gates.alone(accountIds, async () => {
      try {
        return await work();
      } finally {
        this.touched(accountIds);
      }
    });
  }

  /** Marks accounts as outdated, so that they are loaded again; null marks all accounts. */
  touched(accountIds: Touched): void {
    const ids = accountIds ?? this.#float.accounts.keys();
    for (const id of ids) this.#float.accounts.get(id)?.markStale();
  }

  /** Returns the part of a wallet that running holds and unconfirmed charges use. */
  heldOf(accountId: string, currency: Currency): bigint {
    return this.#float.accounts.get(accountId)?.reserved(currency) ?? 0n;
  }

  reservedOf(accountId: string): Reserved {
    const [USD, CNY] = [this.heldOf(accountId, 'USD'), this.heldOf(accountId, 'CNY')];
    return { accountId, USD, CNY };
  }

  /** Resolves when no command has exclusive access to any account. */
  idle(): Promise<void> {
    return this.#gates.idle();
  }

  async #decideLater<Result>(
    accountId: string,
    keyId: string,
    decide: Decide<Result>,
  ): Promise<Result> {
    for (;;) {
      await this.#gates.closed(accountId);
      const account = this.account(accountId);
      if (this.#gates.closed(accountId) !== null) continue;
      if (account.isLoadedFor(keyId)) return decide(account);
      await this.#load(accountId, keyId);
    }
  }

  /** Loads an account and one of its keys. Concurrent calls share one request to the store. */
  #load(accountId: string, keyId: string): Promise<unknown> {
    const place = `${accountId} ${keyId}`;
    const loading =
      this.#loading.get(place) ??
      this.#link
        .ask('sheets', { accountId, keyId }, ({ account: sheet, key }) =>
          this.account(accountId).absorb(sheet, keyId, key),
        )
        .finally(() => this.#loading.delete(place));
    this.#loading.set(place, loading);
    return loading;
  }
}
