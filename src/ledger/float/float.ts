/**
 * The float: all money that requests hold in the memory of this process. It makes, extends and
 * releases these holds synchronously. Other files write charges and checkpoints to the store.
 *
 * With SQLite, an account is loaded from the store at its first use. With PostgreSQL, an account
 * has only the money that the store has assigned to this node. If there are too many accounts,
 * those without holds and unconfirmed charges are dropped, so the memory is limited.
 */
import { nano, ZERO } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import { fault } from '../../store/store-fault.ts';
import type {
  Breach,
  ExtendCommand,
  HoldCommand,
  Outcome,
  PublishedRate,
  SettleCommand,
  VoidCommand,
} from '../ledger.ts';
import { type Charge, FloatAccount, type FloatHold } from './float-account.ts';

/**
 * Maximum accounts in memory, of about a kilobyte each. Accounts with holds may exceed this limit.
 */
export const MAX_ACCOUNTS = 10_000;
/**
 * Maximum accounts to check in order to drop one. If none of them can be dropped, the memory grows.
 */
const MAX_LOOKS = 64;

export class Float {
  /** The epoch that has the lease; null before it is taken and after it has ended. */
  live: string | null = null;
  readonly #accounts = new Map<string, FloatAccount>();
  readonly #holds = new Map<string, FloatHold>();
  /** The published exchange rates by id. There are few, and they never change. */
  readonly #rates = new Map<string, Pick<FxRate, 'base' | 'quote' | 'scaled'>>();
  readonly #maxAccounts: number;

  constructor(maxAccounts = MAX_ACCOUNTS) {
    this.#maxAccounts = maxAccounts;
  }

  get holds(): ReadonlyMap<string, FloatHold> {
    return this.#holds;
  }

  get accounts(): ReadonlyMap<string, FloatAccount> {
    return this.#accounts;
  }

  /**
   * Returns an account, which is possibly not loaded yet. If too many accounts are in memory, first
   * drops another one for which `isDroppable` is true.
   */
  account(id: string, isDroppable: (account: FloatAccount) => boolean): FloatAccount {
    const known = this.#accounts.get(id);
    if (known !== undefined) {
      known.isUsed = true;
      return known;
    }
    if (this.#accounts.size >= this.#maxAccounts) this.#drop(isDroppable);
    const account = new FloatAccount(id);
    this.#accounts.set(id, account);
    return account;
  }

  learn(rates: readonly Omit<PublishedRate, 'effectiveFromMs'>[]): void {
    for (const rate of rates) if (!this.#rates.has(rate.id)) this.#rates.set(rate.id, rate);
  }

  /**
   * Makes a hold. The account must be loaded.
   * @throws Error when an exchange rate was not published, or was published with another value.
   */
  hold(command: HoldCommand, account: FloatAccount): Outcome {
    const known = this.#holds.get(command.id);
    if (known !== undefined) return repeatedHold(command, known);
    if (command.exchange !== null) this.#mustBePublished(command.exchange);
    if (command.priceRate !== null) this.#mustBePublished(command.priceRate);
    const held = account.hold(command, this.live);
    if ('status' in held) {
      // The account or key may be created or activated later, so the next hold asks the store
      // again.
      const { status } = held;
      if (status === 'account_unknown' || status === 'key_inactive') account.markStale();
      return held;
    }
    this.#holds.set(command.id, held);
    return { status: 'applied', result: held.result };
  }

  extend(command: ExtendCommand, account: FloatAccount): Outcome {
    const held = this.#holds.get(command.holdId);
    if (held === undefined) return { status: 'hold_unknown' };
    const { lastExtension: last } = held;
    if (last?.by.id !== command.id) return account.extend(command, held);
    const isSame = last.by.holdId === command.holdId && last.by.amount === command.amount;
    return isSame ? { status: 'already_applied', result: last.result } : { status: 'id_reused' };
  }

  /** Releases a hold. An unknown id has no effect. */
  void({ id, accountId, keyId, currency }: VoidCommand): Outcome {
    const held = this.#holds.get(id);
    const nothing = { amount: ZERO, available: ZERO, loss: ZERO };
    if (held === undefined) return { status: 'applied', result: nothing };
    const { by } = held;
    if (by.accountId !== accountId || by.keyId !== keyId || by.currency !== currency) {
      return { status: 'id_reused' };
    }
    const amount = nano(held.amount);
    return { status: 'applied', result: { ...nothing, amount, available: this.release(held) } };
  }

  /** Releases a running hold. @returns the amount that a new hold could then reserve. */
  release(held: FloatHold) {
    this.#holds.delete(held.by.id);
    return nano(this.#of(held).release(held));
  }

  /**
   * Deducts a running hold's charge.
   * @throws Error when receipt and hold do not match, or the receipt's exchange rate is unknown.
   */
  charge(command: SettleCommand, held: FloatHold): Charge {
    const rateId = command.receipt.fxRateId;
    const rate = rateId === null ? null : this.#rate(rateId);
    const charge = this.#of(held).charge(command, held, rate);
    this.#holds.delete(command.id);
    return charge;
  }

  /** Undoes a charge that the store refused as invalid, so that its hold runs again. */
  restore(charge: Charge): void {
    this.#of(charge.hold).restore(charge);
    this.#holds.set(charge.by.id, charge.hold);
  }

  /** Returns, sorted by id, the holds that have expired or whose epoch does not have the lease. */
  lost(nowMs: number): readonly FloatHold[] {
    return [...this.#holds.values()]
      .filter(({ by }) => by.epoch !== this.live || by.expiresAtMs <= nowMs)
      .sort(({ by: a }, { by: b }) => (a.id < b.id ? -1 : 1));
  }

  /** Returns the wallets whose held amount differs from the sum of their running holds. */
  breaches(): readonly Breach[] {
    const held = new Map<string, bigint>();
    const add = (id: string, amount: bigint) => held.set(id, (held.get(id) ?? 0n) + amount);
    for (const { by, own, reserve } of this.#holds.values()) {
      add(`${by.accountId} ${by.currency}`, own);
      add(`${by.accountId} ${by.currency === 'USD' ? 'CNY' : 'USD'}`, reserve);
    }
    return [...this.#accounts.values()].flatMap((account) =>
      (['USD', 'CNY'] as const).flatMap((currency) => {
        const subject = `${account.id} ${currency}`;
        const sum = held.get(subject) ?? 0n;
        const wallet = account.wallets[currency];
        if (wallet.held === sum) return [];
        const detail = `held ${wallet.held}, running holds ${sum}`;
        return [{ invariant: HELD_LAW, subject, detail }];
      }),
    );
  }

  /** Whether an exchange rate with this id and exactly these values was loaded. */
  knows({ id, base, quote, scaled }: FxRate): boolean {
    const rate = this.#rates.get(id);
    return rate?.scaled === scaled && rate.base === base && rate.quote === quote;
  }

  hasRate(id: string): boolean {
    return this.#rates.has(id);
  }

  #of({ by }: FloatHold): FloatAccount {
    const account = this.#accounts.get(by.accountId);
    if (account === undefined) throw new Error(`the account of hold ${by.id} is not in memory`);
    return account;
  }

  #rate(id: string): Pick<FxRate, 'base' | 'quote' | 'scaled'> {
    const rate = this.#rates.get(id);
    if (rate === undefined)
      throw fault('internal_error', `exchange rate ${id} was never published`);
    return rate;
  }

  #mustBePublished(rate: FxRate): void {
    if (this.knows(rate)) return;
    this.#rate(rate.id);
    throw fault('internal_error', `exchange rate ${rate.id} was published with another number`);
  }

  /** Drops the first account that is droppable and was not used since it was last checked. */
  #drop(isDroppable: (account: FloatAccount) => boolean): void {
    let looks = MAX_LOOKS;
    for (const [id, account] of this.#accounts) {
      if (looks-- === 0) return;
      const wasUsed = account.isUsed;
      account.isUsed = false;
      this.#accounts.delete(id);
      if (!wasUsed && account.isIdle && isDroppable(account)) return;
      this.#accounts.set(id, account);
    }
  }
}

export const HELD_LAW = "a wallet's held amount in memory is the sum of its running holds";

function repeatedHold(command: HoldCommand, { by, result }: FloatHold): Outcome {
  const isSame =
    by.accountId === command.accountId &&
    by.keyId === command.keyId &&
    by.currency === command.currency &&
    by.amount === command.amount &&
    by.atLeast === command.atLeast &&
    by.exchange?.id === command.exchange?.id &&
    by.priceRate?.id === command.priceRate?.id &&
    by.epoch === command.epoch;
  return isSame ? { status: 'already_applied', result } : { status: 'id_reused' };
}
