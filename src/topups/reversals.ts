/** Deducts refunds and disputes of card payments from wallets. */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Currency, formatAmount, type NanoAmount, nano } from '../money/amount.ts';
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
/**
 * Maximum commands that deduct one refund or dispute. After the last one, what is left stays with
 * the account. The provider sends an event about as often.
 */
const MAX_PARTS = 20;

type ReversalDeps = {
  readonly orders: TopUpOrders;
  readonly ledger: Pick<Ledger, 'apply' | 'wallets' | 'inMemory'>;
  readonly clock: Clock;
};

/**
 * Deducts each refund or dispute of a paid order that is not deducted yet. Also deducts the
 * corresponding part of the bonus. Deducts at most what the wallet has. If running requests hold a
 * part of it, deducts the rest, and throws, so that the provider sends the event again.
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
    'The refund or dispute cannot be deducted yet, or only in part: running requests or an unresponsive node of this gateway reserve part of the balance. Send the notification again later.',
    { retryAfterSeconds: 15 },
  );

/**
 * Deducts one refund or dispute, and returns the deducted amount. Each command id deducts once, so
 * a further part has an id of its own.
 */
async function applyReversal(
  deps: ReversalDeps,
  order: TopUpOrder,
  reversal: Reversal,
): Promise<NanoAmount> {
  const { orders, ledger, clock } = deps;
  const { accountId, currency } = order;
  const ids = partIds(reversal);
  const due = amountOfMinor(reversal.amount) + bonusShare(order, reversal.amount);
  let most: bigint = due;
  for (let tries = 0; tries < REVERSAL_TRIES; tries++) {
    const { sum, commands } = await orders.takenBy(ids, accountId);
    const id = ids[commands];
    if (sum >= due || id === undefined) return nano(sum);
    const amount = due - sum < most ? due - sum : most;
    if (amount === 0n) {
      if ((await heldIn(ledger, accountId, currency)) > 0n) throw balanceOutOfReach();
      return nano(sum);
    }
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
        // The wallet is empty, apart from what is held, if this was not all.
        most = 0n;
        continue;
      case 'id_reused':
        continue;
      case 'balance_too_low':
        // Another node may still have a part of the balance in memory.
        if (outcome.isPartial === true) throw balanceOutOfReach();
        most = outcome.available;
        continue;
      default:
        throw new GatewayError('internal_error', 'A refund or dispute was not booked.', {
          cause: new Error(`The ledger answered ${outcome?.status ?? 'nothing'} to ${id}.`),
        });
    }
  }
  throw balanceOutOfReach();
}

/** Returns the ids of the commands that deduct a reversal in parts. */
const partIds = ({ id }: Reversal): readonly string[] =>
  Array.from({ length: MAX_PARTS }, (_, part) => `back_${id}${part === 0 ? '' : `#${part + 1}`}`);

/** Returns the part of a wallet that running requests hold. */
async function heldIn(
  ledger: ReversalDeps['ledger'],
  accountId: string,
  currency: Currency,
): Promise<bigint> {
  const wallet = (await ledger.wallets(accountId)).find((each) => each.currency === currency);
  return (wallet?.held ?? 0n) + ledger.inMemory.wallet(accountId, currency);
}
