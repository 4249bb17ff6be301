/**
 * What an account and its keys may spend, as the store last reported it, and the amounts of their
 * holds, which only the memory of this process has.
 */
import { type Currency, nano } from '../../money/amount.ts';
import { daysAt } from '../../money/calendar.ts';
import type { FxRate } from '../../money/price.ts';
import type { Outcome } from '../ledger.ts';
import { type CapRefusal, capsAt, type Member, type Meter, spend } from '../meter.ts';
import { affordable, type HoldPlan, type Means, planHold } from '../settlement-plan.ts';

/** An account as the store has it. `meter.held` is zero, because only memory has the holds. */
export type AccountSheet = {
  readonly isActive: boolean;
  readonly careful: number;
  readonly wallets: { readonly [Unit in Currency]: { balance: bigint; floor: bigint } };
  readonly meter: Meter;
};
export type KeySheet = {
  readonly isActive: boolean;
  readonly expiresAtMs: number | null;
  readonly meter: Meter;
  /** The caps of the member who created the key; null without caps. */
  readonly member: MemberSheet | null;
};
/** The caps of a member, and the meters of all keys that the member created in the account. */
export type MemberSheet = {
  readonly caps: Member['caps'];
  readonly keys: readonly { readonly id: string; readonly meter: Meter }[];
};

export type FloatWallet = { balance: bigint; held: bigint; floor: bigint };
type FloatMeter = { -readonly [Field in keyof Meter]: Meter[Field] };
type FloatKey = {
  isLoaded: boolean;
  sheet: KeySheet | null;
  readonly meter: FloatMeter;
  /** The member's caps, with the meters of all keys that the member created in the account. */
  member: Member | null;
};

/**
 * The amounts of a hold or a charge. `own` belongs to the wallet of `currency`, `other` to the
 * account's other wallet. `metered` counts against the caps.
 */
export type Change = {
  readonly keyId: string;
  readonly currency: Currency;
  readonly own: bigint;
  readonly other: bigint;
  readonly metered: bigint;
};

/** A meter without spending and without caps. */
export const NO_METER: Meter = {
  ...{ day: 0n, week: 0n, month: 0n, held: 0n, total: 0n, in_day: 0n, in_week: 0n, in_month: 0n },
  ...{ cap_day: null, cap_week: null, cap_month: null, cap_total: null },
};
const otherThan = (currency: Currency): Currency => (currency === 'USD' ? 'CNY' : 'USD');

export class AccountState {
  careful = 0;
  #isLoaded = false;
  #sheet: AccountSheet | null = null;
  readonly wallets: { readonly [Unit in Currency]: FloatWallet } = {
    USD: { balance: 0n, held: 0n, floor: 0n },
    CNY: { balance: 0n, held: 0n, floor: 0n },
  };
  readonly #meter: FloatMeter = { ...NO_METER };
  readonly #keys = new Map<string, FloatKey>();

  isLoadedFor(keyId: string): boolean {
    return this.#isLoaded && this.#keys.get(keyId)?.isLoaded === true;
  }

  /**
   * Returns what the store reported about a key; null if the report is missing or may be outdated.
   */
  loadedKey(keyId: string): KeySheet | null {
    return this.isLoadedFor(keyId) ? (this.#keys.get(keyId)?.sheet ?? null) : null;
  }

  /** Returns the meter of the account, or of the key `keyId`; null if that key is not in memory. */
  meter(keyId: string | null): Readonly<Meter> | null {
    return keyId === null ? this.#meter : (this.#keys.get(keyId)?.meter ?? null);
  }

  /**
   * Marks the store's reports as outdated.
   * @param isIdle true if nothing is held, so keys can be dropped
   */
  markStale(isIdle: boolean): void {
    this.#isLoaded = false;
    if (isIdle) this.#keys.clear();
    for (const key of this.#keys.values()) key.isLoaded = false;
  }

  /**
   * Records the store's report about the account and one of its keys.
   * @returns the keys whose meters were replaced: this key and, if its member has a cap, the other
   *   keys of the member that are in memory
   */
  absorb(
    sheet: AccountSheet | null,
    keyId: string,
    keySheet: KeySheet | null,
  ): ReadonlySet<string> {
    this.#isLoaded = true;
    this.#sheet = sheet;
    this.careful = sheet?.careful ?? 0;
    for (const unit of ['USD', 'CNY'] as const) {
      this.wallets[unit].balance = sheet?.wallets[unit].balance ?? 0n;
      this.wallets[unit].floor = sheet?.wallets[unit].floor ?? 0n;
    }
    refresh(this.#meter, sheet?.meter ?? NO_METER);
    const key = this.#keys.get(keyId) ?? newKey();
    this.#keys.set(keyId, key);
    key.isLoaded = true;
    key.sheet = keySheet;
    key.member = null;
    refresh(key.meter, keySheet?.meter ?? NO_METER);
    const replaced = new Set([keyId]);
    if (keySheet !== null && keySheet.member !== null)
      this.#absorbMember(keySheet.member, replaced);
    return replaced;
  }

  /**
   * Records the meters of all keys of a member. The meter of a key that is not in memory only
   * counts for the member's caps.
   */
  #absorbMember({ caps, keys }: MemberSheet, replaced: Set<string>): void {
    const meters: Meter[] = [];
    const member: Member = { caps, meters };
    for (const { id, meter } of keys) {
      const key = this.#keys.get(id);
      meters.push(key?.meter ?? meter);
      if (key === undefined) continue;
      refresh(key.meter, meter);
      key.member = member;
      replaced.add(id);
    }
  }

  /**
   * Returns a refusal if key or account is unknown, inactive or expired; null if a hold is allowed.
   */
  refusal(keyId: string, atMs: number): Outcome | null {
    if (this.#sheet === null) return { status: 'account_unknown' };
    const key = this.#keys.get(keyId)?.sheet ?? null;
    const isUsable = key?.isActive === true && (key.expiresAtMs === null || key.expiresAtMs > atMs);
    if (!isUsable) return { status: 'key_inactive' };
    return this.#sheet.isActive ? null : { status: 'account_inactive' };
  }

  /**
   * Whether memory knows that the key may hold `amount` from this one wallet. Caps are not checked.
   */
  covers(keyId: string, currency: Currency, amount: bigint, atMs: number): boolean {
    if (!this.isLoadedFor(keyId) || this.careful > 0) return false;
    return this.refusal(keyId, atMs) === null && this.free(currency) >= amount;
  }

  /**
   * Returns the amount that a wallet can spend: its balance above the floor, minus holds; at least
   * 0.
   */
  free(currency: Currency): bigint {
    return freeOf(this.wallets[currency]);
  }

  means(currency: Currency, exchange: FxRate | null): Means {
    const own = freeOf(this.wallets[currency]);
    const other = exchange === null ? 0n : freeOf(this.wallets[exchange.base]);
    return { own, other, rate: exchange };
  }

  caps(keyId: string, atMs: number, rate: Pick<FxRate, 'scaled'> | null, atLeast: bigint): Caps {
    const { meter, member } = this.#key(keyId);
    return capsAt({ key: meter, member, account: this.#meter }, atMs, rate, atLeast);
  }

  /** Adds the amounts to the held amounts. Negative amounts release held money. */
  hold({ keyId, currency, own, other, metered }: Change): void {
    this.wallets[currency].held += own;
    this.wallets[otherThan(currency)].held += other;
    this.#meter.held += metered;
    this.#key(keyId).meter.held += metered;
  }

  /** Deducts a charge from the wallets. */
  take({ currency, own, other }: Omit<Change, 'keyId' | 'metered'>): void {
    this.wallets[currency].balance -= own;
    this.wallets[otherThan(currency)].balance -= other;
  }

  /** Counts a charge against the caps of the account and, unless `keyId` is null, of the key. */
  spend(metered: bigint, atMs: number, keyId: string | null): void {
    const days = daysAt(atMs);
    spend(this.#meter, metered, days);
    if (keyId !== null) spend(this.#key(keyId).meter, metered, days);
  }

  #key(keyId: string): FloatKey {
    const key = this.#keys.get(keyId);
    if (key === undefined) throw new Error(`the key ${keyId} is not in memory`);
    return key;
  }
}

const newKey = (): FloatKey => ({
  meter: { ...NO_METER },
  sheet: null,
  isLoaded: true,
  member: null,
});

export type Caps = { readonly room: bigint; readonly refusal: CapRefusal | null } | null;

/**
 * Plans a hold of up to `amount`, as wallets and caps allow. Returns the refusal if they do not
 * allow `atLeast`.
 */
export function grant(
  amount: bigint,
  atLeast: bigint,
  means: Means,
  caps: Caps,
): HoldPlan | Outcome {
  const most = affordable(means);
  if (most < atLeast) return { status: 'balance_too_low', available: nano(most) };
  if (caps !== null && caps.refusal !== null) {
    const { owner, window, available } = caps.refusal;
    return { status: 'cap_reached', owner, window, available: nano(available) };
  }
  const wanted = caps !== null && caps.room < amount ? caps.room : amount;
  const plan = planHold(wanted, atLeast, means);
  if (plan === null)
    throw new Error('a hold that the wallets and spending limits allow could not be planned');
  return plan;
}

export function worstCaseTooLow(means: Means, caps: Caps): Outcome {
  const most = affordable(means);
  const available = caps !== null && caps.room < most ? caps.room : most;
  return { status: 'worst_case_too_low', available: nano(available) };
}

/**
 * Returns the amount that a wallet can spend: its balance above the floor, minus holds; at least 0.
 */
function freeOf({ balance, held, floor }: FloatWallet): bigint {
  const free = balance - held - floor;
  return free < 0n ? 0n : free;
}

/** Overwrites a meter with the stored one, except `held`, which only this process knows. */
function refresh(meter: FloatMeter, sheet: Meter): void {
  Object.assign(meter, sheet, { held: meter.held });
}
