/**
 * The spending caps of the ledger model: how much of a cap charges and holds use, and how much of
 * it is left.
 */
import { divideHalfEven, nano } from '../../money/amount.ts';
import type { CapOwner, CapWindow, Outcome } from '../ledger.ts';

export const SCALE = 100_000_000n;
const WINDOWS = ['day', 'week', 'month', 'total'] as const;

/** The keys of the account. A member created the first two of them. */
export type ModelKey = 'key' | 'sibling' | 'other';

/** The caps and spending of a key or an account, and the time of its latest charge. */
type ModelMeter = {
  readonly caps: Record<CapWindow, bigint | null>;
  readonly spent: Record<CapWindow, bigint>;
  latestMs: number;
};
type ModelMeters = { readonly [Owner in ModelKey | 'account']: ModelMeter };

/**
 * A pending hold that counts against caps, which are in USD. `priced` is the exchange rate from USD
 * to the currency of `amount`. If it is null, `amount` counts as USD.
 */
type Counted = {
  readonly key: ModelKey;
  readonly amount: bigint;
  readonly priced: bigint | null;
};
type Model = {
  readonly meters: ModelMeters;
  /**
   * The caps of the member, against which the charges and holds of all of the member's keys count.
   */
  readonly memberCaps: ModelMeter['caps'];
  readonly pending: () => readonly Counted[];
};

export const newMeter = (): ModelMeter => ({
  caps: { day: null, week: null, month: null, total: null },
  spent: { day: 0n, week: 0n, month: 0n, total: 0n },
  latestMs: Number.NEGATIVE_INFINITY,
});

export const newMeters = (): ModelMeters => ({
  key: newMeter(),
  sibling: newMeter(),
  other: newMeter(),
  account: newMeter(),
});

export const keyIn = (keyId: string): ModelKey => {
  if (keyId.startsWith('sibling_')) return 'sibling';
  return keyId.startsWith('other_') ? 'other' : 'key';
};

/** Returns the start of the period that contains a time, as text that sorts by time. */
function windowOf(window: CapWindow, atMs: number): string {
  if (window === 'total') return '';
  const at = new Date(atMs);
  if (window === 'week') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, window === 'month' ? 7 : 10);
}

/** Returns the period of the latest charge; '' before the first charge, because it sorts first. */
const windowIn = (window: CapWindow, latestMs: number): string =>
  latestMs === Number.NEGATIVE_INFINITY ? '' : windowOf(window, latestMs);

/** Adds a charge to a meter, or a correction of an earlier charge if `isFirst` is false. */
export function spend(meter: ModelMeter, metered: bigint, atMs: number, isFirst: boolean): void {
  for (const window of WINDOWS) {
    const [then, latest] = [windowOf(window, atMs), windowIn(window, meter.latestMs)];
    // A charge in a later period starts that period at zero. A charge dated in an earlier period
    // counts in the current one, but a correction of an earlier period does not count.
    if (isFirst && then > latest) meter.spent[window] = 0n;
    if (isFirst || then >= latest) meter.spent[window] += metered;
  }
  if (isFirst && atMs > meter.latestMs) meter.latestMs = atMs;
}

/**
 * Returns `room`, the smallest amount that any cap still allows, in the hold's currency. `refusal`
 * names the first cap that allows less than `atLeast`; null if none does.
 */
export function capsOf(model: Model, hold: Counted, atMs: number, atLeast: bigint) {
  let room = 1n << 100n;
  let first: { owner: CapOwner; window: CapWindow } | null = null;
  for (const { owner, caps, keys } of ownersOf(model, hold.key)) {
    const meters =
      owner === 'account' ? [model.meters.account] : keys.map((key) => model.meters[key]);
    const held = model
      .pending()
      .filter(({ key }) => keys.includes(key))
      .reduce((sum, each) => sum + countsHeld(each), 0n);
    for (const window of WINDOWS) {
      const cap = caps[window];
      if (cap === null) continue;
      const spent = meters.reduce((sum, meter) => sum + spentIn(meter, window, atMs), 0n);
      const left = cap - held - spent;
      const usd = left < 0n ? 0n : left;
      const own = hold.priced === null ? usd : (usd * hold.priced) / SCALE;
      if (own < atLeast) first ??= { owner, window };
      if (own < room) room = own;
    }
  }
  const refusal: Outcome | null =
    first === null ? null : { status: 'cap_reached', ...first, available: nano(room) };
  return { room, refusal };
}

type Owner = {
  readonly owner: CapOwner;
  readonly caps: ModelMeter['caps'];
  /** The keys whose holds count against `caps`. */
  readonly keys: readonly ModelKey[];
};

/** Returns the owners whose caps limit a hold, in the order in which their caps are checked. */
function ownersOf({ meters, memberCaps }: Model, key: ModelKey): readonly Owner[] {
  const ofKey: Owner = { owner: 'key', caps: meters[key].caps, keys: [key] };
  const ofAccount: Owner = {
    ...({ owner: 'account', caps: meters.account.caps } as const),
    keys: ['key', 'sibling', 'other'],
  };
  if (key === 'other') return [ofKey, ofAccount];
  return [ofKey, { owner: 'member', caps: memberCaps, keys: ['key', 'sibling'] }, ofAccount];
}

/** Returns the spending of a meter in the period that contains `atMs`. */
function spentIn({ spent, latestMs }: ModelMeter, window: CapWindow, atMs: number): bigint {
  return windowOf(window, atMs) > windowIn(window, latestMs) ? 0n : spent[window];
}

/** Returns the part of each cap that a charge uses: its value in USD, rounded half to even. */
export const counts = (charge: bigint, priced: bigint | null): bigint =>
  priced === null ? charge : divideHalfEven(charge * SCALE, priced);

/** Returns the part of each cap that a hold uses: its value in USD, rounded up. */
function countsHeld({ amount, priced }: Counted): bigint {
  if (priced === null) return amount;
  const down = (amount * SCALE) / priced;
  return down * priced === amount * SCALE ? down : down + 1n;
}
