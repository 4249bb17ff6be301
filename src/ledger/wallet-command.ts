/**
 * Makes the stored text and the audit entry of wallet commands. These are credits, adjustments,
 * exchanges, refunds and changes of credit limits.
 */
import { type Currency, formatAmount, type NanoAmount } from '../money/amount.ts';
import type { AuditDetail, AuditEntry } from '../store/audit.ts';
import type {
  AdjustCommand,
  CreditCommand,
  CreditLimitCommand,
  ExchangeCommand,
  RefundCommand,
} from './ledger.ts';

export type WalletCommand =
  | CreditCommand
  | AdjustCommand
  | ExchangeCommand
  | RefundCommand
  | CreditLimitCommand;

/**
 * Returns the command as text, without its time. A retry of the command must have the same text.
 */
export function commandBody(command: WalletCommand): string {
  const { kind, amount, reason, actor } = command;
  return JSON.stringify([kind, amount.toString(), reason, actor, ...partsOf(command)]);
}

function partsOf(command: WalletCommand): string[] {
  switch (command.kind) {
    case 'credit':
      return [command.accountId, command.currency, command.source];
    case 'adjust':
    case 'credit_limit':
      return [command.accountId, command.currency];
    case 'exchange':
      return [command.accountId, command.rate.id];
    case 'refund':
      return [command.requestId];
  }
}

/** Returns the audit entry of a wallet command, whose amount is in `currency`. */
export function commandAudit(
  command: WalletCommand,
  accountId: string,
  currency: Currency,
): AuditEntry {
  const { kind, id, amount, reason, atMs, actor } = command;
  const detail = { id, ...money(amount, currency), reason, ...auditParts(command) };
  return { atMs, actor, action: `wallet.${kind}`, subject: accountId, detail };
}

const money = (amount: NanoAmount, currency: Currency): AuditDetail => ({
  amount: formatAmount(amount),
  currency,
});

function auditParts(command: WalletCommand): AuditDetail {
  switch (command.kind) {
    case 'credit':
      return { source: command.source };
    case 'exchange':
      return { rate: command.rate.id };
    case 'refund':
      return { request: command.requestId };
    case 'adjust':
    case 'credit_limit':
      return {};
  }
}
