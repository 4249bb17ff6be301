/**
 * Validates a command before the store gets it. An invalid command is a bug in the calling code.
 */
import { GatewayError } from '../errors.ts';
import type { Currency } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import { USAGE_BUCKETS } from '../money/usage.ts';
import { checkAuditField } from '../store/audit.ts';
import type { Checkpoint, Command, ExtendCommand, HoldCommand } from './ledger.ts';
import { METER_CURRENCY } from './meter.ts';
import { MAX_AMOUNT, MAX_BALANCE, sellFor } from './settlement-plan.ts';
import type { WalletCommand } from './wallet-command.ts';

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
  within('worstCase', command.worstCase, command.amount);
  const { exchange, priceRate, currency } = command;
  if (exchange !== null) checkRate('exchange', exchange, currency);
  if (priceRate === null) return;
  checkRate('priceRate', priceRate, currency);
  if (priceRate.base !== METER_CURRENCY) {
    throw invalid(
      'priceRate',
      `an exchange rate from ${METER_CURRENCY}, the currency of spending limits`,
    );
  }
}

function checkRate(field: string, { base, quote, scaled }: FxRate, currency: Currency): void {
  if (quote === currency && base !== currency && scaled > 0n) return;
  throw invalid(field, `an exchange rate from the other currency to ${currency}`);
}

function checkExtend({ holdId, amount, checkpoint }: ExtendCommand): void {
  within('amount', amount, 1n);
  if (checkpoint !== null) checkCharge(holdId, checkpoint);
}

const TIMES = ['firstByteMs', 'durationMs'] as const;

/**
 * @throws GatewayError `invalid_value` if the receipt belongs to another request than the hold, or
 *   if a number is out of range.
 */
export function checkCharge(id: string, { charge, receipt }: Checkpoint): void {
  within('charge', charge, 0n);
  if (receipt.requestId !== id) throw invalid('receipt.requestId', "the hold's id");
  within('receipt.costPico', receipt.costPico, 0n, MAX_BALANCE);
  within('receipt.reportedCostPico', receipt.reportedCostPico ?? 0n, 0n, MAX_BALANCE);
  for (const bucket of USAGE_BUCKETS) {
    const count = receipt.usage[bucket];
    if (!Number.isSafeInteger(count) || count < 0) {
      throw invalid(`receipt.usage.${bucket}`, 'a whole number of tokens, zero or more');
    }
  }
  if (!Number.isSafeInteger(receipt.startedAtMs)) {
    throw invalid('receipt.startedAtMs', 'whole milliseconds since 1970');
  }
  for (const field of TIMES) {
    if (!Number.isFinite(receipt[field] ?? 0)) throw invalid(`receipt.${field}`, 'a finite number');
  }
  const images = receipt.images?.count ?? 0;
  if (!Number.isSafeInteger(images) || images < 0) {
    throw invalid('receipt.images.count', 'a whole number, zero or more');
  }
}

/** The prefix of request ids. A wallet command with such an id could collide with a hold. */
const REQUEST_ID = /^req_/;

/** Checks that the audit log, SQLite and PostgreSQL can store the values of a wallet command. */
function checkWalletCommand(command: WalletCommand): void {
  if (REQUEST_ID.test(command.id))
    throw invalid('id', 'an id that does not begin with req_, the prefix of request ids');
  checkAuditField('actor', command.actor);
  if ('accountId' in command) checkAuditField('accountId', command.accountId);
  if (command.reason.includes('\u0000') || !command.reason.isWellFormed()) {
    throw invalid('reason', 'well-formed text without NUL bytes');
  }
  switch (command.kind) {
    case 'credit':
    case 'refund':
      within('amount', command.amount, 1n);
      break;
    case 'adjust':
      if (command.amount === 0n) throw invalid('amount', 'other than zero');
      within('amount', command.amount, -MAX_AMOUNT);
      break;
    case 'exchange': {
      within('amount', command.amount, 1n);
      const { base, quote, scaled } = command.rate;
      if (base === quote || scaled <= 0n)
        throw invalid('rate', 'an exchange rate from one currency to another');
      within('amount', sellFor(command.amount, scaled), 0n);
      break;
    }
    case 'credit_limit':
      within('amount', command.amount, 0n);
      break;
  }
}

/** @throws GatewayError `invalid_value`, which names the invalid field. */
export function checkCommand(command: Command): void {
  if (!Number.isSafeInteger(command.atMs)) throw invalid('atMs', 'whole milliseconds since 1970');
  switch (command.kind) {
    case 'hold':
      checkHold(command);
      break;
    case 'extend':
      checkExtend(command);
      break;
    case 'settle':
      checkCharge(command.id, command);
      if (!Number.isSafeInteger(command.carefulAnswers) || command.carefulAnswers < 0) {
        throw invalid('carefulAnswers', 'a whole number of answers, zero or more');
      }
      if (command.held !== null) within('held', command.held, 0n, MAX_BALANCE);
      break;
    case 'void':
      break;
    default:
      checkWalletCommand(command);
  }
}
