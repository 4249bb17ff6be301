/**
 * The books in one SQLite file: what each command reads, decides and writes. Runs on the store's thread,
 * which alone owns the file, inside the transaction of a batch: between the reading and the writing of a
 * command nobody else can be. A command is decided before its first write, so a refused one changes
 * nothing; the CHECKs and keys of the schema stand behind every decision.
 */
import type { Database as SqliteFile } from 'bun:sqlite';
import { GatewayError } from '../errors.ts';
import { type Currency, nano, ZERO } from '../money/amount.ts';
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
import {
  type HoldRow,
  type KeyRow,
  type Statements,
  statementsOn,
  type WalletRow,
} from './sqlite-statements.ts';
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
    if (this.#isTaken(id)) return this.#repeatedCredit(command);
    const wallet = this.#sql.wallet.get(accountId, currency);
    if (wallet === null) return { status: 'account_unknown' };
    const free = freeOf(wallet);
    if (free + amount < 0n) return { status: 'balance_too_low', available: nano(free) };
    const balance = wallet.balance + amount;
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
      id,
      kind,
      reason,
      accountId,
      currency,
      amount,
      otherSide(command),
    );
    if (first === null) return { status: 'id_reused' };
    const available = nano(first.available_after);
    return { status: 'already_applied', result: { amount, available, loss: ZERO } };
  }

  #hold(command: HoldCommand): Outcome {
    const { id, accountId, keyId, currency, exchange } = command;
    if (this.#isTaken(id)) return this.#repeatedHold(command);
    const account = this.#sql.accountStatus.get(accountId);
    if (account === null) return { status: 'account_unknown' };
    if (!isUsable(this.#sql.key.get(keyId), command)) return { status: 'key_inactive' };
    if (account.status !== 'active') return { status: 'account_inactive' };

    const { means } = this.#purses(accountId, currency, exchange?.id ?? null);
    if (exchange !== null && means.rate?.scaled !== exchange.scaled) {
      throw new Error(`exchange rate ${exchange.id} was published with another number`);
    }
    const plan = planHold(command.amount, command.atLeast, means);
    if (plan === null) return { status: 'balance_too_low', available: nano(affordable(means)) };
    const left = { ...means, own: means.own - plan.own, other: means.other - plan.reserve };
    const available = nano(affordable(left));
    this.#sql.insertHold.run(
      id,
      accountId,
      keyId,
      currency,
      command.amount,
      command.atLeast,
      plan.amount,
      plan.own,
      plan.reserve,
      exchange?.base ?? null,
      exchange?.id ?? null,
      command.epoch,
      available,
      command.atMs,
      command.expiresAtMs,
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
    if (this.#isTaken(id)) return this.#repeatedExtend(command);
    const held = this.#sql.holdToResolve.get(holdId);
    if (held === null) return { status: 'hold_unknown' };
    if (held.state !== 'pending') return { status: 'hold_resolved' };
    const { means, other } = this.#purses(held.account_id, held.currency, held.fx_rate_id);
    const plan = planHold(amount, amount, means);
    if (plan === null) return { status: 'balance_too_low', available: nano(affordable(means)) };
    const left = { ...means, own: means.own - plan.own, other: means.other - plan.reserve };
    const available = nano(affordable(left));
    const total = nano(held.amount + amount);
    this.#sql.growHold.run(holdId, amount, plan.own, plan.reserve);
    this.#setAside(held.account_id, held.currency, plan.own);
    this.#setAside(held.account_id, other?.currency ?? held.currency, plan.reserve);
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
    const purses = this.#purses(held.account_id, held.currency, held.fx_rate_id);
    const { means: free, other } = purses;
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
      plan.taken,
      plan.loss,
      available,
      command.atMs,
    );
    this.#sql.move.run(held.account_id, held.currency, plan.bought - plan.taken, -held.own);
    if (other !== null) {
      this.#sql.move.run(held.account_id, other.currency, -plan.sold, -held.reserve);
    }
    if (command.charge > 0n) this.#postCharge(command, held, purses, plan, available);
    return {
      status: 'applied',
      result: { amount: nano(plan.taken), available, loss: nano(plan.loss) },
    };
  }

  /** The exchange, the charge and what could not be charged, as pairs of entries of one transaction. */
  #postCharge(
    command: BookedSettle,
    held: HoldRow,
    { wallet, other }: Purses,
    plan: SettlePlan,
    available: bigint,
  ): void {
    const { account_id: account, currency } = held;
    const transaction = this.#record('settle', command.id, null, available, command.atMs);
    const { taken, bought, sold, loss } = plan;
    const balance = wallet.balance + bought;
    if (other !== null) {
      const rest = { account, amount: -sold, balance: other.balance - sold };
      this.#post(transaction, 1, other.currency, rest, `fx:${other.currency}`);
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
      side.account,
      currency,
      transaction,
      line,
      side.amount,
      side.balance,
      other,
      currency,
      transaction,
      line + 1,
      -side.amount,
    );
  }

  #isTaken(id: string): boolean {
    return this.#sql.idTaken.get(id)?.id_taken !== 0n;
  }

  /** The wallet of `currency`, and the other one when the rate leads there. */
  #purses(accountId: string, currency: Currency, rateId: string | null): Purses {
    const wallet = this.#walletOf(accountId, currency);
    const own = freeOf(wallet);
    if (rateId === null) return { wallet, other: null, means: { own, other: 0n, rate: null } };
    const rate = this.#sql.rate.get(rateId);
    if (rate === null) throw new Error(`exchange rate ${rateId} was never published`);
    const other = this.#walletOf(accountId, rate.base);
    return {
      wallet,
      other: { currency: rate.base, balance: other.balance },
      means: { own, other: freeOf(other), rate },
    };
  }

  #walletOf(accountId: string, currency: Currency): WalletRow {
    const wallet = this.#sql.wallet.get(accountId, currency);
    if (wallet === null) throw new Error(`account ${accountId} has no ${currency} wallet`);
    return wallet;
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

type Purses = {
  readonly wallet: WalletRow;
  readonly other: { readonly currency: Currency; readonly balance: bigint } | null;
  readonly means: Means;
};

/** What the wallet could part with: nothing when an operator has raised the floor above it. */
function freeOf({ balance, held, floor }: WalletRow): bigint {
  const free = balance - held - floor;
  return free < 0n ? 0n : free;
}

function isUsable(key: KeyRow | null, { accountId, atMs }: HoldCommand): boolean {
  if (key === null || key.account_id !== accountId || key.status !== 'active') return false;
  return key.expires_at_ms === null || key.expires_at_ms > BigInt(atMs);
}

function mustMatch(held: HoldRow, { id, receipt }: BookedSettle): void {
  const { accountId, keyId, currency } = partiesOf(receipt);
  if (held.account_id !== accountId || held.key_id !== keyId || held.currency !== currency) {
    throw new Error(`the receipt of ${id} names another account, key or currency than its hold`);
  }
}
