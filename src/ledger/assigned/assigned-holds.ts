/**
 * Finds the holds that the store must keep as rows when a node surrenders an account (returns the
 * money assigned to it). These are the running holds, and those of unconfirmed charges.
 */
import type { Float } from '../float/float.ts';
import type { FloatHold } from '../float/float-account.ts';
import { meteredHold } from '../meter.ts';

/** The running holds of some accounts, by account id. */
export type RunningHolds = ReadonlyMap<string, readonly FloatHold[]>;

/** Returns the running holds of several accounts, in one pass over all holds. */
export function runningHolds(float: Float, accountIds: readonly string[]): RunningHolds {
  const found = new Map<string, FloatHold[]>();
  for (const id of accountIds) {
    if ((float.accounts.get(id)?.running ?? 0) > 0) found.set(id, []);
  }
  if (found.size === 0) return found;
  for (const held of float.holds.values()) found.get(held.by.accountId)?.push(held);
  return found;
}

/** Returns the number of running holds and unconfirmed charges of an account. */
export function holdCount(float: Float, accountId: string): number {
  const account = float.accounts.get(accountId);
  return account === undefined ? 0 : account.running + account.charges.size;
}

/**
 * Returns the running holds, and the holds whose charge the store has not confirmed. The hold of an
 * unconfirmed charge has only the amount of the charge, because other requests may already hold the
 * rest.
 * @param among a result of `runningHolds`. The account must not have made a hold since then.
 */
export function holdsOf(
  float: Float,
  accountId: string,
  among: RunningHolds,
): readonly FloatHold[] {
  const charges = float.accounts.get(accountId)?.charges.values() ?? [];
  const running = among.get(accountId) ?? [];
  return [
    ...running.filter((held) => float.holds.get(held.by.id) === held),
    ...[...charges].map(({ hold, plan }) => {
      const metered = meteredHold(plan.taken, hold.by.priceRate);
      return { ...hold, amount: plan.taken, own: plan.taken, metered };
    }),
  ];
}
