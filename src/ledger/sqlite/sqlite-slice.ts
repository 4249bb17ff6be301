/**
 * Books many planned charges in one transaction. Reads and writes a row only once even if several
 * charges change it, such as a wallet.
 */
import type { Currency } from '../../money/amount.ts';
import { type Days, daysAt } from '../../money/calendar.ts';
import { minus, plus, toWhole, type Whole, wholeFromJson } from '../../money/whole.ts';
import type { SqlValue } from '../../store/sql.ts';
import { type WireCharge, type WireWrite, writeFromWire } from '../float/float-wire.ts';
import { dayCountsOf, partiesOf, receiptParams } from '../receipt-row.ts';
import type { SqliteJournal } from './sqlite-journal.ts';
import type { SqliteSettlements } from './sqlite-settlements.ts';
import type { Statements } from './sqlite-statements.ts';

/** A wallet's balance after the charges so far, and by how much they have changed it. */
type WalletSum = { balance: Whole; change: Whole };
/**
 * An account's changed wallets, and its new number of careful answers (see `HoldCommand`); null for
 * what did not change.
 */
type AccountSum = { [Unit in Currency]: WalletSum | null } & { careful: number | null };
/** The amount to add to a spend meter, and the day, week and month in which it counts. */
type MeterSum = { days: Days; metered: Whole };
/** The key and the sums of a row of `usage_day`. */
type UseSum = { readonly key: readonly SqlValue[]; readonly sums: Whole[] };

export class SqliteSlice {
  readonly #sql: Statements;
  readonly #journal: SqliteJournal;
  readonly #settlements: SqliteSettlements;
  readonly #accounts = new Map<string, AccountSum>();
  readonly #meters = new Map<string, MeterSum>();
  readonly #uses = new Map<string, UseSum>();
  /** Accounts with a request that already had a receipt and so was not charged again. */
  readonly repeated = new Set<string>();
  /** Whether there may be checkpoints. If so, each charge deletes the checkpoint of its request. */
  #hasCheckpoints: boolean;

  constructor(sql: Statements, journal: SqliteJournal, settlements: SqliteSettlements) {
    this.#sql = sql;
    this.#journal = journal;
    this.#settlements = settlements;
    this.#hasCheckpoints = sql.anyCheckpoint.get() !== null;
  }

  /** Books a write, except for the rows that several writes share: `finish` writes these. */
  add(wire: WireWrite): void {
    if (wire[0] === 'charge') {
      this.#charge(wire);
      return;
    }
    const write = writeFromWire(wire);
    if (write.kind === 'forget') this.#settlements.forget(write.id);
    else if (write.kind === 'checkpoint') {
      this.#settlements.keep(write);
      this.#hasCheckpoints = true;
    } else throw new Error(`the tail has a write of the unexpected kind ${write.kind}`);
  }

  /** Writes the rows that several charges share. */
  finish(): void {
    for (const [id, { USD, CNY, careful }] of this.#accounts) {
      if (USD !== null) this.#journal.move(id, 'USD', BigInt(USD.change));
      if (CNY !== null) this.#journal.move(id, 'CNY', BigInt(CNY.change));
      if (careful !== null) this.#sql.setCareful.run(id, careful);
    }
    for (const [owner, sum] of this.#meters) this.#spend(owner, sum);
    for (const { key, sums } of this.#uses.values()) this.#sql.addUsage.run(...key, ...sums);
  }

  #charge(wire: WireCharge): void {
    const [, id, price, taken, bought, sold, loss, available, metered, held] = wire;
    const [, , , , , , , , , , exchangeId, careful, atMs, receipt] = wire;
    const { accountId, keyId, currency } = partiesOf(receipt);
    const account = this.#account(accountId);
    const own = this.#wallet(account, accountId, currency === 'USD' ? 'USD' : 'CNY');
    const change = minus(wholeFromJson(bought), wholeFromJson(taken));
    const balance = plus(own.balance, change);
    const other =
      sold === 0 ? null : this.#wallet(account, accountId, currency === 'USD' ? 'CNY' : 'USD');
    const otherBalance = other === null ? null : minus(other.balance, wholeFromJson(sold));
    const params = receiptParams(receipt);
    const charged = [
      ...[taken, loss, available, atMs, this.#journal.nextPlace(), held, exchangeId],
      ...[bought, sold, taken === 0 ? null : balance, otherBalance],
    ];
    if (this.#sql.insertReceipt.run(...params, ...charged).changes === 0) {
      this.repeated.add(accountId);
      return;
    }
    own.balance = balance;
    own.change = plus(own.change, change);
    if (other !== null && otherBalance !== null) {
      other.balance = otherBalance;
      other.change = minus(other.change, wholeFromJson(sold));
    }
    if (careful !== null) account.careful = careful;
    const days = daysAt(atMs);
    const counted = wholeFromJson(metered);
    this.#meter(keyId, days, counted);
    this.#meter(accountId, days, counted);
    this.#use(params, days, [wholeFromJson(taken), wholeFromJson(loss), counted]);
    if (this.#hasCheckpoints) this.#settlements.forget(id);
    if (wholeFromJson(price) > wholeFromJson(held)) {
      this.#sql.insertOverrun.run(id, accountId, held, price, atMs);
    }
  }

  #account(id: string): AccountSum {
    const known = this.#accounts.get(id);
    if (known !== undefined) return known;
    const account = { USD: null, CNY: null, careful: null };
    this.#accounts.set(id, account);
    return account;
  }

  #wallet(account: AccountSum, id: string, currency: Currency): WalletSum {
    const known = account[currency];
    if (known !== null) return known;
    const wallet = { balance: toWhole(this.#journal.wallet(id, currency).balance), change: 0 };
    account[currency] = wallet;
    return wallet;
  }

  /** Adds a charge to a meter. Writes the sum so far when a charge of another day comes. */
  #meter(owner: string, days: Days, metered: Whole): void {
    const known = this.#meters.get(owner);
    if (known === undefined) this.#meters.set(owner, { days, metered });
    else if (known.days.day === days.day) known.metered = plus(known.metered, metered);
    else {
      this.#spend(owner, known);
      this.#meters.set(owner, { days, metered });
    }
  }

  #spend(owner: string, { days: { day, week, month }, metered }: MeterSum): void {
    this.#sql.meterSpent.run(owner, metered, day, week, month);
  }

  #use(receipt: readonly SqlValue[], { day }: Days, money: readonly Whole[]): void {
    const { accountId, keyId, model, channel, currency } = partiesOf(receipt);
    const place = `${accountId}\n${keyId}\n${model}\n${channel}\n${currency}\n${day}`;
    const added = [...dayCountsOf(receipt), ...money];
    const known = this.#uses.get(place);
    if (known === undefined) {
      const key = [accountId, day, keyId, model, channel, currency];
      this.#uses.set(place, { key, sums: added });
      return;
    }
    const { sums } = known;
    for (let each = 0; each < added.length; each += 1) {
      sums[each] = plus(sums[each] ?? 0, added[each] ?? 0);
    }
  }
}
