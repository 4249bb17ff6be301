/**
 * Takes back from a wallet what the provider gave back, or what a payer's bank took back, of a payment:
 * as much as is there, down to the wallet's floor. What is spent already stays spent, and is told.
 */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type NanoAmount, nano, ZERO } from '../money/amount.ts';
import {
  amountOfMinor,
  type Reversal,
  type TopUpOrder,
  type TopUpOrders,
} from './top-up-orders.ts';

/** Requests that run may empty a wallet between a refusal and the next attempt; more often they do not. */
const TRIES = 5;

type Deps = {
  readonly orders: TopUpOrders;
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

/**
 * Of a paid order: each of its reversals that is not taken yet.
 * @throws GatewayError `store_unavailable`; then it is repeated, and takes nothing twice.
 */
export async function takeBack(
  deps: Deps,
  order: TopUpOrder,
): Promise<readonly { readonly reversal: Reversal; readonly taken: NanoAmount }[]> {
  const done: { reversal: Reversal; taken: NanoAmount }[] = [];
  for (const reversal of await deps.orders.reversals(order.id)) {
    if (reversal.taken !== null) continue;
    done.push({ reversal, taken: await takeOne(deps, order, reversal) });
  }
  return done;
}

/** The amount depends on what is there, so the id alone makes it happen once; the books say how much. */
async function takeOne(deps: Deps, order: TopUpOrder, reversal: Reversal): Promise<NanoAmount> {
  const { orders, ledger, clock } = deps;
  const { accountId, currency } = order;
  const id = `back_${reversal.id}`;
  const moved = await orders.movedBy(id, accountId);
  if (moved !== null) return nano(-moved);
  let amount = amountOfMinor(reversal.amount);
  for (let tries = 0; tries < TRIES && amount > 0n; tries++) {
    const [outcome] = await ledger.apply([
      {
        kind: 'adjust',
        id,
        accountId,
        currency,
        amount: nano(-amount),
        reason: `${reversal.kind} of card payment ${order.id}`,
        actor: 'system',
        atMs: clock.nowMs(),
      },
    ]);
    switch (outcome?.status) {
      case 'applied':
      case 'already_applied':
        return amount;
      case 'id_reused':
        return nano(-((await orders.movedBy(id, accountId)) ?? ZERO));
      case 'balance_too_low':
        amount = outcome.available;
        continue;
      default:
        throw new GatewayError('internal_error', 'A refund was not booked.', {
          cause: new Error(`The ledger answered ${outcome?.status ?? 'nothing'} to ${id}.`),
        });
    }
  }
  return ZERO;
}
