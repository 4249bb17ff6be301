/** The requests and the commands of a simulation, and the check of a settlement's answer. */
import { oneOf, type Random } from '../../../test/support/random.ts';
import type { Currency } from '../../money/amount.ts';
import { FX_SCALE, settleAmount } from '../../money/price.ts';
import {
  adjust,
  checkpoint,
  credit,
  creditLimit,
  exchange,
  refund,
  USD_CNY,
} from '../conformance/ledger.fixture.ts';
import type { Checkpoint, Command, Outcome, SettleCommand, VoidCommand } from '../ledger.ts';
import type { Read } from './simulated-thread.fixture.ts';

/** A request that is running and holds money. */
export type Running = Readonly<Record<'id' | 'accountId' | 'keyId', string>> & {
  readonly currency: Currency;
  readonly exchangeId: string | null;
  held: bigint;
  extensions: number;
  /** The cost of the request so far, which only grows. */
  cost: bigint;
  isSettling: boolean;
};

/** A price card that is not published, so that the ledger refuses a settlement by it. */
export const UNKNOWN_CARD = 'card_none';
export const isRefusable = (command: SettleCommand | VoidCommand): boolean =>
  command.kind === 'settle' && command.receipt.cardId === UNKNOWN_CARD;

export const termsOf = ({ accountId, keyId, currency }: Running) => ({
  accountId,
  keyId,
  currency,
});

/** Returns charge and receipt of a request that costs about `cost`, by a price card in USD. */
export function priced(request: Running, cost: bigint): Checkpoint {
  const terms = termsOf(request);
  if (request.currency === 'USD') return checkpoint(request.id, cost, terms);
  const tokens = (cost * FX_SCALE) / USD_CNY.scaled;
  const sold = { ...terms, cardId: 'card_usd', fxRateId: USD_CNY.id };
  const { receipt } = checkpoint(request.id, tokens, sold);
  return { charge: settleAmount(receipt.costPico, USD_CNY), receipt };
}

export function walletCommand(
  random: Random,
  id: string,
  accountId: string,
  settled: readonly string[],
) {
  const amount = (most: number): bigint => BigInt(1 + Math.floor(random() * most));
  const currency = random() < 0.7 ? 'USD' : 'CNY';
  const wallet = { accountId, currency } as const;
  return oneOf<Command & { readonly amount: bigint }>(random, [
    credit(id, amount(60), wallet),
    adjust(id, -amount(60), wallet),
    adjust(id, -amount(20), wallet),
    creditLimit(id, amount(20), wallet),
    exchange(id, amount(30), accountId),
    refund(id, settled.length > 0 ? oneOf(random, settled) : 'none', amount(20)),
  ]);
}

/** Returns how the answer to a settlement differs from its stored receipts; null if it does not. */
export function wrongAnswer(read: Read, id: string, outcome: Outcome): string | null {
  if (outcome.status !== 'applied' && outcome.status !== 'already_applied') {
    return `the settlement of ${id} was ${outcome.status}`;
  }
  const sums = `SELECT SUM(charge) AS charge, SUM(loss) AS loss FROM (
    SELECT charge, loss FROM receipt WHERE request_id = $1
    UNION ALL SELECT charge, loss FROM late_receipt WHERE request_id = $1)`;
  const { charge, loss } = read(sums, id)[0] ?? {};
  const { result } = outcome;
  if (charge === result.amount && loss === result.loss) return null;
  return `${id} was charged ${charge}, lost ${loss}: answered ${result.amount}, ${result.loss}`;
}

/** Returns the requests of a simulation that have a checkpoint. */
export const checkpointsOf = (read: Read, name: string): readonly string[] =>
  read(`SELECT request_id FROM checkpoint WHERE epoch LIKE '${name}~_%' ESCAPE '~'`).map((row) =>
    String(row['request_id']),
  );
