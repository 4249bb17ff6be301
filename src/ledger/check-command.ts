/** What a command must be before any engine sees it. A breach is a fault of the calling room. */
import { GatewayError } from '../errors.ts';
import { USAGE_BUCKETS } from '../money/usage.ts';
import type { Command, HoldCommand, SettleCommand } from './ledger.ts';
import { MAX_AMOUNT, MAX_BALANCE } from './plan.ts';

function invalid(field: string, must: string): GatewayError {
  return new GatewayError('invalid_value', `${field} must be ${must}.`, { param: field });
}

function within(field: string, amount: bigint, least: bigint, most = MAX_AMOUNT): void {
  if (amount < least || amount > most) {
    throw invalid(field, `between ${least} and ${most} nano-units`);
  }
}

function checkHold(command: HoldCommand): void {
  within('amount', command.amount, 0n);
  within('atLeast', command.atLeast, 0n, command.amount);
  const { exchange, currency } = command;
  if (exchange === null) return;
  if (exchange.quote !== currency || exchange.base === currency || exchange.scaled <= 0n) {
    throw invalid('exchange', `a rate from the other currency to ${currency}`);
  }
}

function checkSettle({ id, charge, receipt }: SettleCommand): void {
  within('charge', charge, 0n);
  if (receipt.requestId !== id) throw invalid('receipt.requestId', "the hold's id");
  within('receipt.costPico', receipt.costPico, 0n, MAX_BALANCE);
  for (const bucket of USAGE_BUCKETS) {
    const count = receipt.usage[bucket];
    if (!Number.isSafeInteger(count) || count < 0) {
      throw invalid(`receipt.usage.${bucket}`, 'a whole number of tokens, zero or more');
    }
  }
  const images = receipt.images?.count ?? 0;
  if (!Number.isSafeInteger(images) || images < 0) {
    throw invalid('receipt.images.count', 'a whole number, zero or more');
  }
}

/** @throws GatewayError `invalid_value` naming the field. */
export function checkCommand(command: Command): void {
  if (!Number.isSafeInteger(command.atMs)) throw invalid('atMs', 'whole milliseconds since 1970');
  switch (command.kind) {
    case 'credit':
    case 'extend':
      within('amount', command.amount, 1n);
      break;
    case 'adjust':
      if (command.amount === 0n) throw invalid('amount', 'other than zero');
      within('amount', command.amount, -MAX_AMOUNT);
      break;
    case 'hold':
      checkHold(command);
      break;
    case 'settle':
      checkSettle(command);
      break;
  }
}
