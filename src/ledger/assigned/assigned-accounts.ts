/**
 * A node's records of its assignments (the money of accounts that the shared store has assigned to
 * this node), and of the holds that the node may decide itself.
 */
import { type Currency, type NanoAmount, nano } from '../../money/amount.ts';
import { NO_METER } from '../float/account-state.ts';
import type { Float } from '../float/float.ts';
import type { Charge, FloatAccount, FloatHold } from '../float/float-account.ts';
import type { Command, HoldCommand, Outcome } from '../ledger.ts';
import { affordable } from '../settlement-plan.ts';
import { holdsOf, type RunningHolds } from './assigned-holds.ts';
import {
  type AssignedRecord,
  CURRENCIES,
  hasVersion,
  isInUse,
  newRecord,
  sheetOf,
} from './assigned-record.ts';
import type { Assigned, Check, Checked, LoadedKey, Used } from './assignment-store.ts';
import type { NodeRight } from './node-right.ts';

/** Maximum accounts with an `AssignedRecord`. The store decides the holds of further accounts. */
export const MAX_ASSIGNED = 10_000;

/**
 * Returns the wallet whose available amount a command changes. Returns null if the command may
 * change both wallets, such as a void, or does not name its wallet, such as a refund.
 */
function walletOf(command: Command): Pick<HoldCommand, 'accountId' | 'currency'> | null {
  switch (command.kind) {
    case 'settle':
      return command.exchangeId === null ? command.receipt : null;
    case 'hold':
      return command.exchange === null ? command : null;
    case 'credit':
    case 'adjust':
    case 'credit_limit':
      return command;
    default:
      return null;
  }
}

type Terms = Pick<HoldCommand, 'accountId' | 'currency' | 'exchange'>;

export class AssignedAccounts {
  readonly #float: Float;
  readonly #right: NodeRight;
  readonly #records = new Map<string, AssignedRecord>();

  constructor(float: Float, right: NodeRight) {
    this.#float = float;
    this.#right = right;
  }

  get records(): ReadonlyMap<string, AssignedRecord> {
    return this.#records;
  }

  /** Returns an account's record, created if missing; null when there are too many records. */
  record(accountId: string): AssignedRecord | null {
    const known = this.#records.get(accountId);
    if (known !== undefined) return known;
    if (this.#records.size >= MAX_ASSIGNED) return null;
    const record = newRecord(accountId);
    this.#records.set(accountId, record);
    return record;
  }

  /** Whether the record is in use; false if it was dropped, or if the node has lost its lease. */
  isKnown(record: AssignedRecord): boolean {
    return this.#records.get(record.accountId) === record;
  }

  drop({ accountId }: AssignedRecord): void {
    this.#records.delete(accountId);
  }

  /** Whether the store may have assigned money of the account to this node. */
  isAssigned(accountId: string): boolean {
    const record = this.#records.get(accountId);
    return record !== undefined && isInUse(record);
  }

  /** Returns the account if a hold can be decided in memory now, otherwise null. */
  ready({ accountId, keyId, currency, amount, atMs, epoch }: HoldCommand): FloatAccount | null {
    const record = this.#records.get(accountId);
    if (record === undefined || record.isRecalled || record.versions[currency] === null)
      return null;
    const account = this.#float.accounts.get(accountId);
    if (account?.state.covers(keyId, currency, amount, atMs) !== true) return null;
    return this.#right.mayHold(epoch) ? account : null;
  }

  /** Returns the amount that a request could hold, according to this node's records. */
  available({ accountId, currency, exchange }: Terms): NanoAmount {
    const own = this.free(accountId, currency) + this.#rest(accountId, currency);
    if (exchange === null) return nano(affordable({ own, other: 0n, rate: null }));
    const { base } = exchange;
    const other = this.free(accountId, base) + this.#rest(accountId, base);
    return nano(affordable({ own, other, rate: exchange }));
  }

  /**
   * Records the available amount that the store reported after a command. Returns the outcome with
   * an available amount that includes the money assigned to this node. Refusals are returned
   * unchanged, and so are outcomes of commands that can change both wallets, because the store does
   * not report both amounts.
   */
  decided(command: Command, outcome: Outcome): Outcome {
    const wallet = walletOf(command);
    if (wallet === null || outcome.status !== 'applied') return outcome;
    const record = this.#records.get(wallet.accountId);
    if (record === undefined || !hasVersion(record)) return outcome;
    const { result } = outcome;
    record.rest[wallet.currency] = result.available;
    const available = nano(result.available + this.free(wallet.accountId, wallet.currency));
    return { ...outcome, result: { ...result, available } };
  }

  /** Returns the assigned amount of a wallet that no request holds; 0 when nothing is assigned. */
  free(accountId: string, currency: Currency): bigint {
    const isAssigned = (this.#records.get(accountId)?.versions[currency] ?? null) !== null;
    return isAssigned ? (this.#float.accounts.get(accountId)?.state.free(currency) ?? 0n) : 0n;
  }

  /** Deducts an amount that this node returns to the store, so that no request can hold it. */
  giveBack(accountId: string, currency: Currency, amount: bigint): void {
    this.#float.accounts.get(accountId)?.state.take({ currency, own: amount, other: 0n });
  }

  /** Returns the used amount of each assignment, and the API keys that may hold money in memory. */
  inUse(): Omit<Check, 'epoch'> {
    const used: Used[] = [];
    const keys: LoadedKey[] = [];
    for (const record of this.#records.values()) {
      if (!isInUse(record)) continue;
      const { accountId } = record;
      for (const currency of CURRENCIES) {
        used.push({ accountId, currency, amount: this.reserved(accountId, currency) });
      }
      const state = this.#float.accounts.get(accountId)?.state;
      for (const id of record.keyIds) {
        const sheet = state?.loadedKey(id) ?? null;
        if (sheet !== null) keys.push({ accountId, id, expiresAtMs: sheet.expiresAtMs });
      }
    }
    return { used, keys };
  }

  /** Returns the amount of an assignment that running requests and unconfirmed charges use. */
  reserved(accountId: string, currency: Currency): bigint {
    return this.#float.accounts.get(accountId)?.reserved(currency) ?? 0n;
  }

  /** Returns `reserved` minus the amount last reported to the store; possibly below zero. */
  unreported(accountId: string, currency: Currency): bigint {
    const reported = this.#records.get(accountId)?.reported[currency] ?? 0n;
    return this.reserved(accountId, currency) - reported;
  }

  /** Records the used amounts that the store received, and what it has left per wallet (`rest`). */
  checked(used: readonly Used[], { rests }: Checked): void {
    for (const { accountId, currency, amount } of used) {
      const record = this.#records.get(accountId);
      if (record?.versions[currency] !== null && record !== undefined) {
        record.reported[currency] = amount;
      }
    }
    for (const { accountId, USD, CNY } of rests) {
      const record = this.#records.get(accountId);
      if (record !== undefined) Object.assign(record.rest, { USD, CNY });
    }
  }

  /**
   * Replaces the record's assignments by those that the store reported. Confirmed charges are
   * already deducted from them.
   */
  absorb(record: AssignedRecord, { wallets, keys }: Assigned): void {
    for (const currency of CURRENCIES) {
      record.versions[currency] = wallets[currency].version;
      record.rest[currency] = wallets[currency].rest;
    }
    const account = this.#float.account(record.accountId, ({ id }) => !this.#records.has(id));
    const sheet = sheetOf(wallets);
    account.markStale();
    for (const { id, expiresAtMs } of keys) {
      account.absorb(sheet, id, { isActive: true, expiresAtMs, meter: NO_METER, member: null });
    }
  }

  /** Returns the holds that the store must keep as rows when this node surrenders the account. */
  holdsOf(accountId: string, among: RunningHolds): readonly FloatHold[] {
    return holdsOf(this.#float, accountId, among);
  }

  /** Removes a hold or charge that the store now has, and deducts its money from the assignment. */
  moved({ by, own }: FloatHold): void {
    const account = this.#float.accounts.get(by.accountId);
    const charge = account?.charges.get(by.id);
    if (charge !== undefined) account?.confirm(charge);
    const running = this.#float.holds.get(by.id);
    if (running?.by !== by) return;
    this.#float.release(running);
    this.giveBack(by.accountId, by.currency, own);
  }

  /** Returns the accounts with a charge that waits on disk although its hold has expired. */
  stuck(nowMs: number): readonly string[] {
    const isStuck = ({ isSent, hold }: Charge): boolean => !isSent && hold.by.expiresAtMs <= nowMs;
    return [...this.#float.accounts.values()]
      .filter(({ charges }) => [...charges.values()].some(isStuck))
      .map(({ id }) => id);
  }

  /** Removes a surrendered account's holds and charges, which the store now has. */
  surrendered(accountId: string, holds: readonly FloatHold[]): void {
    const account = this.#float.accounts.get(accountId);
    for (const held of holds) {
      const charge = account?.charges.get(held.by.id);
      if (charge !== undefined) account?.confirm(charge);
      const running = this.#float.holds.get(held.by.id);
      if (running?.by === held.by) this.#float.release(running);
    }
    account?.markStale();
    const record = this.#records.get(accountId);
    if (record !== undefined) Object.assign(record.reported, { USD: 0n, CNY: 0n });
  }

  /** Forgets all records, because assignments and their holds become void when the lease ends. */
  forget(): void {
    this.#records.clear();
    for (const held of this.#float.holds.values()) this.#float.release(held);
    for (const account of this.#float.accounts.values()) {
      for (const charge of account.charges.values()) account.confirm(charge);
      account.markStale();
    }
  }

  #rest(accountId: string, currency: Currency): bigint {
    return this.#records.get(accountId)?.rest[currency] ?? 0n;
  }
}
