/**
 * Decides whether the balance of a wallet is low. An account may let its USD wallet pay what its
 * CNY wallet lacks; then it is the USD wallet that becomes low.
 */
import { affordable } from '../../ledger/settlement-plan.ts';
import { type Currency, type NanoAmount, nano } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import { integer } from '../../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../../store/sql.ts';

/**
 * The next alert is possible only after the balance has exceeded the threshold by one tenth (1/10)
 * of it.
 */
const REARM_PART = 10n;
/**
 * An observed balance: the amount that the wallet can still spend, whether a credit caused the
 * change, and the rate at which another wallet pays what this one lacks. With such a rate,
 * `available` includes the other wallet.
 */
export type Seen = {
  readonly available: NanoAmount;
  readonly isRise: boolean;
  readonly exchange: FxRate | null;
};
/** A balance of this wallet alone, or one that includes the other wallet as the store knows it. */
export type Exact = Omit<Seen, 'exchange'> & { readonly currency: Currency };
export type Watched = { readonly threshold: NanoAmount; isLow: boolean };
export type Account = {
  readonly readAtMs: number;
  readonly wallets: ReadonlyMap<Currency, Watched>;
};

/**
 * Returns how the balance changes the state of the wallet; null for no change.
 *
 * - `fallen`: a charge made the balance low.
 * - `low`: the balance is low after a credit, which causes no alert.
 * - `filled`: the balance is no longer low, so the next fall causes an alert.
 */
export function changeOf(
  watched: Watched | undefined,
  { available, isRise }: Omit<Seen, 'exchange'>,
): 'fallen' | 'low' | 'filled' | null {
  if (watched === undefined) return null;
  const { threshold, isLow } = watched;
  if (isLow) return available >= filledFrom(threshold) ? 'filled' : null;
  if (available >= threshold) return null;
  return isRise ? 'low' : 'fallen';
}

/** Whether the balance may change the state of its wallet, or of the wallet that pays for it. */
export function isDue({ wallets }: Account, currency: Currency, seen: Seen): boolean {
  if (changeOf(wallets.get(currency), seen) !== null) return true;
  const { exchange, available } = seen;
  const payer = exchange === null ? undefined : wallets.get(exchange.base);
  if (exchange === null || payer === undefined || payer.isLow) return false;
  return available < affordable({ own: 0n, other: payer.threshold, rate: exchange });
}

/**
 * Returns the balances that an observed balance consists of. The other wallet may have paid a
 * charge: it has, if the wallet has no money of its own. Then only the other one causes an alert,
 * if it has a threshold.
 */
export async function balancesOf(
  sql: SqlExecutor,
  accountId: string,
  { wallets }: Account,
  currency: Currency,
  { exchange, ...seen }: Seen,
): Promise<readonly Exact[]> {
  if (exchange === null) return [{ ...seen, currency }];
  const rows = await sql.query(statement`SELECT currency, balance - floor AS free FROM wallet
    WHERE account_id = ${accountId}`);
  const [own, other] = [freeIn(rows, currency), freeIn(rows, exchange.base)];
  const both = nano(affordable({ own, other, rate: exchange }));
  const payer = wallets.get(exchange.base);
  const hasPaid = own === 0n && payer !== undefined && (other > 0n || payer.isLow);
  const total = { currency, available: both, isRise: hasPaid };
  // While the wallet pays itself, the other one is only noted as empty.
  return hasPaid || other === 0n
    ? [total, { currency: exchange.base, available: other, isRise: !hasPaid }]
    : [total];
}

function freeIn(rows: readonly SqlRow[], currency: Currency): NanoAmount {
  const row = rowOf(rows, currency);
  const free = row === undefined ? 0n : integer(row, 'free');
  return nano(free > 0n ? free : 0n);
}

/** Returns the balance from which a wallet no longer counts as low. */
export const filledFrom = (threshold: NanoAmount): NanoAmount =>
  nano(threshold + threshold / REARM_PART);

export const rowOf = (rows: readonly SqlRow[], currency: Currency): SqlRow | undefined =>
  rows.find((row) => row['currency'] === currency);
