/** What one node knows of its assignments, and which holds it may decide by them. */
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

/** Maximum accounts with a record. The store decides the holds of further ones. */
export const MAX_ASSIGNED = 10_000;

/** Returns the one wallet that a command may take money from; null if it is not known, or both. */
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

  /** Returns the record of an account; null when there are too many. */
  record(accountId: string): AssignedRecord | null {
    const known = this.#records.get(accountId);
    if (known !== undefined) return known;
    if (this.#records.size >= MAX_ASSIGNED) return null;
    const record = newRecord(accountId);
    this.#records.set(accountId, record);
    return record;
  }

  /** Whether the record is in use. It is not once it was dropped, or the node has a new lease. */
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

  /** What the account could hold for a request like this, as far as this node knows. */
  available({ accountId, currency, exchange }: Terms): NanoAmount {
    const own = this.free(accountId, currency) + this.#rest(accountId, currency);
    if (exchange === null) return nano(affordable({ own, other: 0n, rate: null }));
    const { base } = exchange;
    const other = this.free(accountId, base) + this.#rest(accountId, base);
    return nano(affordable({ own, other, rate: exchange }));
  }

  /**
   * Takes over what is available after a command of the store, and adds what is assigned to this
   * node. What an exchange would add is not known apart, so it is left as the store says.
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

  /** What is assigned of a wallet, and no request holds. */
  free(accountId: string, currency: Currency): bigint {
    const isAssigned = (this.#records.get(accountId)?.versions[currency] ?? null) !== null;
    return isAssigned ? (this.#float.accounts.get(accountId)?.state.free(currency) ?? 0n) : 0n;
  }

  /** Money that is returned to the store is not held any more. */
  giveBack(accountId: string, currency: Currency, amount: bigint): void {
    this.#float.accounts.get(accountId)?.state.take({ currency, own: amount, other: 0n });
  }

  /** What is used of each assignment, and the keys that may hold in memory. */
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

  /** What running requests and unconfirmed charges use of an assignment. */
  reserved(accountId: string, currency: Currency): bigint {
    return this.#float.accounts.get(accountId)?.reserved(currency) ?? 0n;
  }

  /** What requests use that was not reported to the store yet. */
  unreported(accountId: string, currency: Currency): bigint {
    const reported = this.#records.get(accountId)?.reported[currency] ?? 0n;
    return this.reserved(accountId, currency) - reported;
  }

  /** The store has noted what is used. */
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

  /** Takes over what the store reported. It includes every charge that the store confirmed. */
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

  /** See `holdsOf`. */
  holdsOf(accountId: string, among: RunningHolds): readonly FloatHold[] {
    return holdsOf(this.#float, accountId, among);
  }

  /** The store has a hold or a charge as a row, and the assignment lacks its money. */
  moved({ by, own }: FloatHold): void {
    const account = this.#float.accounts.get(by.accountId);
    const charge = account?.charges.get(by.id);
    if (charge !== undefined) account?.confirm(charge);
    const running = this.#float.holds.get(by.id);
    if (running?.by !== by) return;
    this.#float.release(running);
    this.giveBack(by.accountId, by.currency, own);
  }

  /** Accounts with charges that wait to be sent again for longer than their holds may live. */
  stuck(nowMs: number): readonly string[] {
    const isStuck = ({ isSent, hold }: Charge): boolean => !isSent && hold.by.expiresAtMs <= nowMs;
    return [...this.#float.accounts.values()]
      .filter(({ charges }) => [...charges.values()].some(isStuck))
      .map(({ id }) => id);
  }

  /** The store has these holds as rows, or their receipts. */
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

  /** Forgets everything: the lease ended, so the assignments are void and so are their holds. */
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
