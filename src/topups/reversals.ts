/** Deducts refunds and disputes of card payments from wallets. */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatAmount, type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { bonusShare } from './bonuses.ts';
import { type ProviderEvent, WITHDRAWN } from './stripe-provider.ts';
import {
  amountOfMinor,
  disputeIdOf,
  type Reversal,
  type TopUpOrder,
  type TopUpOrders,
} from './top-up-orders.ts';

export type ReversedEvent = Extract<ProviderEvent, { readonly kind: 'refund' | 'dispute' }>;

/** Describes the event in the list of payment events. It names the dispute. */
export const reversalDetail = (event: ReversedEvent): string =>
  `The provider reported a ${event.kind === 'refund' ? 'refund' : `dispute ${event.disputeId}`}.`;

/**
 * Describes the part of a refund or dispute that is not deducted, because earlier ones already
 * reach the amount of the payment, or because the same dispute was deducted before; null without
 * such a part. A won dispute, for example, leaves the payment refundable.
 * @param detail the `reversalDetail` of the event, under which an earlier withdrawal is recorded.
 */
export async function excessOf(
  orders: TopUpOrders,
  event: ReversedEvent,
  order: TopUpOrder,
  detail: string,
): Promise<string | null> {
  const noted = (await orders.reversals(order.id))
    .filter(({ id, kind }) =>
      event.kind === 'refund' ? kind === 'refund' : id === disputeIdOf(event.disputeId),
    )
    .reduce((sum, { amount }) => sum + amount, 0n);
  const due = BigInt(event.kind === 'refund' ? event.refunded : event.disputed);
  if (noted >= due) {
    const { type } = event;
    const isAgain =
      type === WITHDRAWN && (await orders.knowsEventLike({ type, orderId: order.id, detail }));
    return isAgain
      ? 'The money of a dispute was withdrawn again: nothing more was deducted. If you credited it back after you had won, deduct it by hand.'
      : null;
  }
  const [all, excess] = [due, due - noted].map((it) => formatAmount(amountOfMinor(it)));
  return `${event.kind} of ${all} ${order.currency} in all: ${excess} of it was not deducted, because earlier refunds and disputes reach the amount of the payment. If you credited a won dispute back, deduct it by hand.`;
}

/**
 * Maximum attempts to deduct an amount. Running requests may empty the wallet between two attempts.
 */
const REVERSAL_TRIES = 5;

type ReversalDeps = {
  readonly orders: TopUpOrders;
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly clock: Clock;
};

/**
 * Deducts each refund or dispute of a paid order that is not deducted yet. Also deducts the
 * corresponding part of the bonus. Deducts at most the available balance of the wallet.
 */
export async function applyReversals(
  deps: ReversalDeps,
  order: TopUpOrder,
): Promise<readonly { readonly reversal: Reversal; readonly taken: NanoAmount }[]> {
  const done: { reversal: Reversal; taken: NanoAmount }[] = [];
  for (const reversal of await deps.orders.reversals(order.id)) {
    if (reversal.taken !== null) continue;
    done.push({ reversal, taken: await applyReversal(deps, order, reversal) });
  }
  return done;
}

const balanceOutOfReach = (): GatewayError =>
  new GatewayError(
    'store_unavailable',
    'The refund or dispute cannot be deducted yet: part of the balance may be reserved by an unresponsive node of this gateway, for at most 15 seconds. After that, send the notification again.',
    { retryAfterSeconds: 15 },
  );

/**
 * Deducts one refund or dispute, and returns the deducted amount. A retry with another amount
 * deducts nothing more, because the ledger applies each command id only once.
 */
async function applyReversal(
  deps: ReversalDeps,
  order: TopUpOrder,
  reversal: Reversal,
): Promise<NanoAmount> {
  const { orders, ledger, clock } = deps;
  const { accountId, currency } = order;
  const id = `back_${reversal.id}`;
  const moved = await orders.movedBy(id, accountId);
  if (moved !== null) return nano(-moved);
  let amount = nano(amountOfMinor(reversal.amount) + bonusShare(order, reversal.amount));
  for (let tries = 0; tries < REVERSAL_TRIES && amount > 0n; tries++) {
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
        // Another node may still have a part of the balance in memory. A deduction cannot be
        // increased afterward, so this throws, and the provider sends the event again later.
        if (outcome.isPartial === true) throw balanceOutOfReach();
        amount = outcome.available;
        continue;
      default:
        throw new GatewayError('internal_error', 'A refund or dispute was not booked.', {
          cause: new Error(`The ledger answered ${outcome?.status ?? 'nothing'} to ${id}.`),
        });
    }
  }
  return ZERO;
}
