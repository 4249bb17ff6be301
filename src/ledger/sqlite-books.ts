/**
 * The books in one SQLite file: what each command reads, decides and writes. Runs on the store's thread,
 * which alone owns the file, inside the transaction of a batch: between the reading and the writing of a
 * command nobody else can be. A command is decided before its first write, so a refused one changes
 * nothing; the CHECKs and keys of the schema stand behind every decision.
 */
import type { Database as SqliteFile } from 'bun:sqlite';
import { GatewayError } from '../errors.ts';
import { type Currency, nano, ZERO } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import type {
  AdjustCommand,
  CreditCommand,
  ExtendCommand,
  HoldCommand,
  Outcome,
} from './ledger.ts';
import {
  affordable,
  MAX_BALANCE,
  type Means,
  planHold,
  planSettle,
  type SettlePlan,
} from './plan.ts';
import { partiesOf, receiptParams, sameReceipt } from './receipt-row.ts';
import { type HoldRow, type PurseRow, type Statements, statementsOn } from './sqlite-statements.ts';
import type { BookCommand, BookedSettle } from './wire.ts';

const DAY_MS = 86_400_000;

export class SqliteBooks {
  readonly #sql: Statements;

  constructor(file: SqliteFile) {
    this.#sql = statementsOn(file);
  }

  /** Applies one command. Throws only on a fault: its transaction must then be rolled back. */
  apply(command: BookCommand): Outcome {
    switch (command.kind) {
      case 'credit':
      case 'adjust':
        return this.#credit(command);
      case 'hold':
        return this.#hold(command);
      case 'extend':
        return this.#extend(command);
      case 'settle':
        return this.#settle(command);
    }
  }

  #credit(command: CreditCommand | AdjustCommand): Outcome {
    const { id, accountId, currency, amount } = command;
    const seen = row(this.#sql.wallet.get(id, accountId, currency));
    if (seen.id_taken !== 0n) return this.#repeatedCredit(command);
    if (seen.balance === null) return { status: 'account_unknown' };
    const free = freeOf(seen);
    if (free + amount < 0n) return { status: 'balance_too_low', available: nano(free) };
    const balance = seen.balance + amount;
    if (balance > MAX_BALANCE) {
      throw new GatewayError('invalid_value', 'amount must leave the wallet below its limit.', {
        param: 'amount',
      });
    }
    const available = nano(free + amount);
    this.#sql.move.run(accountId, currency, amount, 0n);
    const transaction = this.#record(command.kind, id, command.reason, available, command.atMs);
    this.#post(
      transaction,
      1,
      currency,
      { account: accountId, amount, balance },
      otherSide(command),
    );
    return { status: 'applied', result: { amount, available, loss: ZERO } };
  }

  #repeatedCredit(command: CreditCommand | AdjustCommand): Outcome {
    const { kind, id, accountId, currency, amount, reason } = command;
    const first = this.#sql.sameCredit.get(
      ...[id, kind, reason, accountId, currency, amount],
      otherSide(command),
    );
    if (first === null) return { status: 'id_reused' };
    const available = nano(first.available_after);
    return { status: 'already_applied', result: { amount, available, loss: ZERO } };
  }

  #hold(command: HoldCommand): Outcome {
    const { id, accountId, keyId, currency, exchange } = command;
    const seen = row(this.#sql.admission.get(id, accountId, keyId, currency, exchange?.id ?? null));
    if (seen.id_taken !== 0n) return this.#repeatedHold(command);
    if (seen.account_status === null) return { status: 'account_unknown' };
    const expired = seen.expires_at_ms !== null && seen.expires_at_ms <= BigInt(command.atMs);
    if (seen.key_account !== accountId || seen.key_status !== 'active' || expired) {
      return { status: 'key_inactive' };
    }
    if (seen.account_status !== 'active') return { status: 'account_inactive' };
    if (exchange !== null) mustBePublished(exchange, seen);

    const means = meansOf(seen);
    const plan = planHold(command.amount, command.atLeast, means);
    if (plan === null) return { status: 'balance_too_low', available: nano(affordable(means)) };
    const left = { ...means, own: means.own - plan.own, other: means.other - plan.reserve };
    const available = nano(affordable(left));
    this.#sql.insertHold.run(
      ...[id, accountId, keyId, currency, command.amount, command.atLeast],
      ...[plan.amount, plan.own, plan.reserve, exchange?.base ?? null, exchange?.id ?? null],
      ...[command.epoch, available, command.atMs, command.expiresAtMs],
    );
    this.#setAside(accountId, currency, plan.own);
    this.#setAside(accountId, exchange?.base ?? currency, plan.reserve);
    return { status: 'applied', result: { amount: nano(plan.amount), available, loss: ZERO } };
  }

  #repeatedHold(command: HoldCommand): Outcome {
    const first = this.#sql.holdById.get(command.id);
    const same =
      first !== null &&
      first.account_id === command.accountId &&
      first.key_id === command.keyId &&
      first.currency === command.currency &&
      first.asked === command.amount &&
      first.at_least === command.atLeast &&
      first.fx_rate_id === (command.exchange?.id ?? null) &&
      first.epoch === command.epoch;
    if (!same) return { status: 'id_reused' };
    const { granted, available_after } = first;
    return {
      status: 'already_applied',
      result: { amount: nano(granted), available: nano(available_after), loss: ZERO },
    };
  }

  #extend(command: ExtendCommand): Outcome {
    const { id, holdId, amount } = command;
    if (row(this.#sql.idTaken.get(id)).id_taken !== 0n) return this.#repeatedExtend(command);
    const held = this.#sql.holdToResolve.get(holdId);
    if (held === null) return { status: 'hold_unknown' };
    if (held.state !== 'pending') return { status: 'hold_resolved' };
    const means = meansOf(held);
    const plan = planHold(amount, amount, means);
    if (plan === null) return { status: 'balance_too_low', available: nano(affordable(means)) };
    const left = { ...means, own: means.own - plan.own, other: means.other - plan.reserve };
    const available = nano(affordable(left));
    const total = nano(held.amount + amount);
    this.#sql.growHold.run(holdId, amount, plan.own, plan.reserve);
    this.#setAside(held.account_id, held.currency, plan.own);
    this.#setAside(held.account_id, held.reserve_currency ?? held.currency, plan.reserve);
    this.#sql.insertExtension.run(id, holdId, amount, total, available, command.atMs);
    return { status: 'applied', result: { amount: total, available, loss: ZERO } };
  }

  #repeatedExtend({ id, holdId, amount }: ExtendCommand): Outcome {
    const first = this.#sql.sameExtension.get(id, holdId, amount);
    if (first === null) return { status: 'id_reused' };
    const { total_after, available_after } = first;
    return {
      status: 'already_applied',
      result: { amount: nano(total_after), available: nano(available_after), loss: ZERO },
    };
  }

  #settle(command: BookedSettle): Outcome {
    const held = this.#sql.holdToResolve.get(command.id);
    if (held === null) return { status: 'hold_unknown' };
    if (held.state !== 'pending') return this.#repeatedSettle(command);
    mustMatch(held, command);

    // What the hold had set aside is the request's to spend, along with whatever else is free.
    const free = meansOf(held);
    const means = { ...free, own: free.own + held.own, other: free.other + held.reserve };
    const plan = planSettle(command.charge, means);
    const left = {
      ...means,
      own: means.own + plan.bought - plan.taken,
      other: means.other - plan.sold,
    };
    const available = nano(affordable(left));
    this.#sql.resolveHold.run(command.id, command.atMs);
    this.#sql.insertReceipt.run(
      ...receiptParams(command.receipt),
      ...[plan.taken, plan.loss, available, command.atMs],
    );
    this.#sql.move.run(held.account_id, held.currency, plan.bought - plan.taken, -held.own);
    if (held.reserve_currency !== null) {
      this.#sql.move.run(held.account_id, held.reserve_currency, -plan.sold, -held.reserve);
    }
    if (command.charge > 0n) this.#postCharge(command, held, plan, available);
    return {
      status: 'applied',
      result: { amount: nano(plan.taken), available, loss: nano(plan.loss) },
    };
  }

  /** The exchange, the charge and what could not be charged, as pairs of entries of one transaction. */
  #postCharge(command: BookedSettle, held: HoldRow, plan: SettlePlan, available: bigint): void {
    const { account_id: account, currency, reserve_currency: other } = held;
    const transaction = this.#record('settle', command.id, null, available, command.atMs);
    const { taken, bought, sold, loss } = plan;
    const balance = purse(held).balance + bought;
    if (other !== null && held.other_balance !== null) {
      const rest = held.other_balance - sold;
      this.#post(transaction, 1, other, { account, amount: -sold, balance: rest }, `fx:${other}`);
      this.#post(transaction, 3, currency, { account, amount: bought, balance }, `fx:${currency}`);
    }
    const paid = { account, amount: -taken, balance: balance - taken };
    this.#post(transaction, 5, currency, paid, 'revenue');
    const lost = { account: 'operator_loss', amount: -loss, balance: null };
    this.#post(transaction, 7, currency, lost, 'revenue');
    if (taken > 0n) {
      this.#sql.addSpend.run(held.key_id, currency, Math.floor(command.atMs / DAY_MS), taken);
    }
  }

  #repeatedSettle(command: BookedSettle): Outcome {
    const kept = this.#sql.receiptValues.values(command.id)[0];
    const first = this.#sql.receiptResult.get(command.id);
    const same =
      kept !== undefined &&
      first !== null &&
      first.charge + first.loss === command.charge &&
      sameReceipt(kept, command.receipt);
    if (!same) return { status: 'hold_resolved' };
    return {
      status: 'already_applied',
      result: {
        amount: nano(first.charge),
        available: nano(first.available_after),
        loss: nano(first.loss),
      },
    };
  }

  #record(
    kind: string,
    commandId: string,
    reason: string | null,
    available: bigint,
    atMs: number,
  ): bigint {
    const { lastInsertRowid } = this.#sql.insertTransaction.run(
      kind,
      commandId,
      reason,
      available,
      atMs,
    );
    return BigInt(lastInsertRowid);
  }

  /** A pair of entries, one the other's opposite; none when nothing moves. */
  #post(transaction: bigint, line: number, currency: string, side: Side, other: string): void {
    if (side.amount === 0n) return;
    this.#sql.insertPair.run(
      ...[side.account, currency, transaction, line, side.amount, side.balance],
      ...[other, currency, transaction, line + 1, -side.amount],
    );
  }

  #setAside(accountId: string, currency: string, amount: bigint): void {
    if (amount !== 0n) this.#sql.move.run(accountId, currency, 0n, amount);
  }
}

type Side = { readonly account: string; readonly amount: bigint; readonly balance: bigint | null };

/** The account of the books opposite the wallet. */
function otherSide(command: CreditCommand | AdjustCommand): string {
  return command.kind === 'credit' ? command.source : 'adjustment';
}

function purse(seen: PurseRow): { balance: bigint; held: bigint; floor: bigint } {
  const { balance, held, floor } = seen;
  if (balance === null || held === null || floor === null) {
    throw new Error('an account without a wallet');
  }
  return { balance, held, floor };
}

/** What the wallet could part with: nothing when an operator has raised the floor above it. */
function freeOf(seen: PurseRow): bigint {
  const { balance, held, floor } = purse(seen);
  const free = balance - held - floor;
  return free < 0n ? 0n : free;
}

type TwoPurses = PurseRow & {
  readonly other_free: bigint | null;
  readonly fx_scaled: bigint | null;
};

function meansOf(seen: TwoPurses): Means {
  const { fx_scaled: scaled, other_free: other } = seen;
  return {
    own: freeOf(seen),
    other: other === null || other < 0n ? 0n : other,
    rate: scaled === null ? null : { scaled },
  };
}

/** The rate a hold names is the published one: that one it is settled by, however long it takes. */
function mustBePublished(
  rate: FxRate,
  seen: { readonly fx_base: Currency | null; readonly fx_scaled: bigint | null },
): void {
  if (seen.fx_base !== rate.base || seen.fx_scaled !== rate.scaled) {
    throw new Error(`exchange rate ${rate.id} was not published as ${rate.base} ${rate.scaled}`);
  }
}

function mustMatch(held: HoldRow, { id, receipt }: BookedSettle): void {
  const { accountId, keyId, currency } = partiesOf(receipt);
  if (held.account_id !== accountId || held.key_id !== keyId || held.currency !== currency) {
    throw new Error(`the receipt of ${id} names another account, key or currency than its hold`);
  }
}

function row<Row>(found: Row | null): Row {
  if (found === null) throw new Error('a statement that always answers gave no row');
  return found;
}
