/** Encodes commands for `books_apply`: wallet commands as arrays, all others as in `wire.ts`. */
import type { Currency } from '../../money/amount.ts';
import type { Command } from '../ledger.ts';
import { sellFor } from '../settlement-plan.ts';
import { commandAudit, commandBody, type WalletCommand } from '../wallet-command.ts';
import { commandToWire } from '../wire.ts';

export const encodeBatch = (batch: readonly Command[]): string => JSON.stringify(batch.map(encode));

function encode(command: Command): readonly unknown[] {
  switch (command.kind) {
    case 'hold':
    case 'extend':
    case 'settle':
    case 'void':
      return commandToWire(command);
    default:
      return encodeWalletCommand(command);
  }
}

function encodeWalletCommand(command: WalletCommand): readonly unknown[] {
  const { kind, id, amount, atMs, reason, actor } = command;
  // Only the store knows the currency of a refund, so audit details for both currencies are sent.
  const detail = (currency: Currency): string =>
    JSON.stringify(commandAudit(command, '', currency).detail);
  return [
    ...['order', kind, id, amount.toString(), atMs, reason, actor, commandBody(command)],
    ...partsOf(command),
    { USD: detail('USD'), CNY: detail('CNY') },
  ];
}

/** Returns account, currency, opposite account, exchange and request id; null if not applicable. */
function partsOf(command: WalletCommand): readonly unknown[] {
  switch (command.kind) {
    case 'credit':
      return [command.accountId, command.currency, command.source, null, null];
    case 'adjust':
    case 'credit_limit':
      return [command.accountId, command.currency, 'adjustment', null, null];
    case 'exchange': {
      const { id, base, quote, scaled } = command.rate;
      const sold = sellFor(command.amount, scaled).toString();
      return [command.accountId, null, null, [id, base, quote, scaled.toString(), sold], null];
    }
    case 'refund':
      return [null, null, null, null, command.requestId];
  }
}
