/** Applies wallet commands in SQLite. Each applied command writes an entry to the audit log. */
import { GatewayError } from '../../errors.ts';
import { type Currency, nano, ZERO } from '../../money/amount.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type {
  AdjustCommand,
  CreditCommand,
  CreditLimitCommand,
  ExchangeCommand,
  Outcome,
  RefundCommand,
} from '../ledger.ts';
import { ABOVE_MAX_BALANCE, affordable, MAX_BALANCE, sellFor } from '../settlement-plan.ts';
import { commandAudit, commandBody, type WalletCommand } from '../wallet-command.ts';
import { freeOf, type SqliteJournal } from './sqlite-journal.ts';
import type { OrderRow, Statements, WalletRow } from './sqlite-statements.ts';

export class SqliteWalletCommands {
  readonly #sql: Statements;
  readonly #journal: SqliteJournal;
  readonly #audit: (entry: AuditEntry) => void;

  constructor(sql: Statements, journal: SqliteJournal, audit: (entry: AuditEntry) => void) {
    this.#sql = sql;
    this.#journal = journal;
    this.#audit = audit;
  }

  apply(command: WalletCommand): Outcome {
    const first = this.#sql.order.get(command.id);
    if (first !== null) return repeated(command, first);
    switch (command.kind) {
      case 'credit':
      case 'adjust':
        return this.#credit(command);
      case 'exchange':
        return this.#exchange(command);
      case 'refund':
        return this.#refund(command);
      case 'credit_limit':
        return this.#creditLimit(command);
    }
  }

  #credit(command: CreditCommand | AdjustCommand): Outcome {
    const { accountId, currency, amount } = command;
    const wallet = this.#journal.walletOrNull(accountId, currency);
    if (wallet === null) return { status: 'account_unknown' };
    const free = freeOf(wallet);
    if (free + amount < 0n) return { status: 'balance_too_low', available: nano(free) };
    const balance = roomFor(wallet, amount);
    const available = free + amount;
    this.#journal.move(accountId, currency, amount);
    const transaction = this.#record(command, accountId, currency, available);
    const side = { account: accountId, amount, balance };
    this.#journal.post(transaction, 1, currency, side, otherSide(command));
    return applied(command, available);
  }

  #exchange(command: ExchangeCommand): Outcome {
    const { accountId, rate, amount } = command;
    const seller = this.#journal.walletOrNull(accountId, rate.base);
    if (seller === null) return { status: 'account_unknown' };
    this.#journal.mustBePublished(rate);
    const free = freeOf(seller);
    const sold = sellFor(amount, rate.scaled);
    if (sold > free) {
      const buyable = affordable({ own: 0n, other: free, rate });
      return { status: 'balance_too_low', available: nano(buyable) };
    }
    const buyer = this.#journal.wallet(accountId, rate.quote);
    const balance = roomFor(buyer, amount);
    const available = freeOf(buyer) + amount;
    this.#journal.move(accountId, rate.base, -sold);
    this.#journal.move(accountId, rate.quote, amount);
    const transaction = this.#record(command, accountId, rate.quote, available);
    const given = { account: accountId, amount: -sold, balance: seller.balance - sold };
    this.#journal.post(transaction, 1, rate.base, given, `fx:${rate.base}`);
    const got = { account: accountId, amount, balance };
    this.#journal.post(transaction, 3, rate.quote, got, `fx:${rate.quote}`);
    return applied(command, available);
  }

  #refund(command: RefundCommand): Outcome {
    const { requestId, amount } = command;
    const receipt = this.#sql.receiptCharge.get(requestId);
    if (receipt === null) return { status: 'hold_unknown' };
    const { account_id: accountId, currency } = receipt;
    const late = this.#sql.lateCharge.get(requestId);
    const refunded = this.#sql.refunded.get(requestId)?.amount ?? 0n;
    const left = receipt.charge + (late?.charge ?? 0n) - refunded;
    if (amount > left) return { status: 'balance_too_low', available: nano(left) };
    const wallet = this.#journal.wallet(accountId, currency);
    const balance = roomFor(wallet, amount);
    const available = freeOf(wallet) + amount;
    this.#journal.move(accountId, currency, amount);
    const transaction = this.#record(command, accountId, currency, available);
    const side = { account: accountId, amount, balance };
    this.#journal.post(transaction, 1, currency, side, 'revenue');
    this.#sql.insertRefund.run(transaction, requestId, amount);
    return applied(command, available);
  }

  #creditLimit(command: CreditLimitCommand): Outcome {
    const { accountId, currency, amount } = command;
    const wallet = this.#journal.walletOrNull(accountId, currency);
    if (wallet === null) return { status: 'account_unknown' };
    const available = wallet.balance - wallet.held + amount;
    if (available < 0n) return { status: 'balance_too_low', available: nano(freeOf(wallet)) };
    this.#sql.setFloor.run(accountId, currency, -amount);
    const transaction = this.#record(command, accountId, currency, available);
    this.#sql.insertCreditLimit.run(transaction, accountId, currency, amount);
    return applied(command, available);
  }

  /** Records the command as a transaction and in the audit log. Returns the transaction's id. */
  #record(
    command: WalletCommand,
    accountId: string,
    currency: Currency,
    available: bigint,
  ): bigint {
    const { kind, id: commandId, reason, atMs } = command;
    this.#audit(commandAudit(command, accountId, currency));
    const body = commandBody(command);
    return this.#journal.record({ kind, commandId, reason, available, atMs, body });
  }
}

function repeated(command: WalletCommand, first: OrderRow): Outcome {
  if (first.body !== commandBody(command)) return { status: 'id_reused' };
  const { amount } = command;
  const result = { amount, available: nano(first.available_after), loss: ZERO };
  return { status: 'already_applied', result };
}

/** Returns the internal ledger account that gets the opposite entry of a credit or adjustment. */
function otherSide(command: CreditCommand | AdjustCommand): string {
  return command.kind === 'credit' ? command.source : 'adjustment';
}

/**
 * Returns the wallet's balance after adding the amount.
 * @throws GatewayError `invalid_value` if that is above the maximum balance.
 */
function roomFor(wallet: WalletRow, amount: bigint): bigint {
  const balance = wallet.balance + amount;
  if (balance <= MAX_BALANCE) return balance;
  throw new GatewayError('invalid_value', ABOVE_MAX_BALANCE, { param: 'amount' });
}

function applied({ amount }: WalletCommand, available: bigint): Outcome {
  return { status: 'applied', result: { amount, available: nano(available), loss: ZERO } };
}
