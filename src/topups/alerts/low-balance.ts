/**
 * Sends low-balance alerts. After each settlement, the node checks the balance in memory. If the
 * balance falls below the threshold, a conditional statement in the store selects the one node that
 * sends the alert. The next alert is sent only after the balance was clearly above the threshold,
 * so that small changes do not cause alerts all day.
 */
import {
  entityTag,
  type IfMatch,
  requireMatch,
  retryOnConflict,
} from '../../accounts/optimistic-update.ts';
import { type Clock, newId } from '../../clock.ts';
import {
  CURRENCIES,
  type Currency,
  formatAmount,
  type NanoAmount,
  nano,
} from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import { auditEntry } from '../../store/audit.ts';
import {
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../../store/sql.ts';
import { type Alert, alertOf, deliveryOf } from './alert-outbox.ts';
import {
  type Account,
  balancesOf,
  changeOf,
  type Exact,
  filledFrom,
  isDue,
  rowOf,
  type Seen,
  type Watched,
} from './low-wallets.ts';

/**
 * Maximum accounts with cached thresholds. At this limit, the account that was loaded longest ago
 * is dropped.
 */
const MAX_REMEMBERED = 20_000;
/** How long cached thresholds are used. Another node may change them, so this is short. */
const FRESH_MS = 60_000;
/**
 * How long a node trusts its cached information that a wallet is low. The time is short because
 * another node may credit the wallet.
 */
const LOW_FRESH_MS = 5_000;
/**
 * Maximum accounts with a running query. At this limit, a check of another account is skipped, and
 * the next settlement from its wallet checks again.
 */
const MAX_ASKING = 16;

export type Thresholds = Readonly<Record<Currency, NanoAmount | null>>;
export type LowBalanceDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** The configured thresholds, for accounts without their own; null for no alert. */
  readonly defaults: Thresholds;
  /** Called for each alert, after it is stored. */
  readonly onLow: (alert: Alert) => void;
  /** Called when a check fails. The next settlement checks again. */
  readonly onFailure: (thrown: unknown) => void;
};

export class LowBalance {
  readonly #deps: LowBalanceDeps;
  readonly #accounts = new Map<string, Account>();
  /** The accounts with a running query, each with its latest balances that are not checked yet. */
  readonly #asking = new Map<string, Map<Currency, Seen>>();
  readonly #running = new Set<Promise<void>>();

  constructor(deps: LowBalanceDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a check of `available`, the amount that a wallet can still spend after a charge. With an
   * `exchange`, `available` includes the other wallet, which is checked too. Never throws.
   */
  observe(
    accountId: string,
    currency: Currency,
    available: NanoAmount,
    exchange: FxRate | null = null,
  ): void {
    this.#see(accountId, currency, { available, isRise: false, exchange });
  }

  /**
   * Starts a check of a balance after a credit, which never sends an alert. If the balance is high
   * enough, the wallet no longer counts as low.
   */
  observeRise(accountId: string, currency: Currency, available: NanoAmount): void {
    this.#see(accountId, currency, { available, isRise: true, exchange: null });
  }

  #see(accountId: string, currency: Currency, seen: Seen): void {
    const asking = this.#asking.get(accountId);
    if (asking !== undefined) {
      // If an observed drop is not checked yet, the balances after it count as drops too.
      // Otherwise, a credit would hide the drop.
      const isRise = seen.isRise && asking.get(currency)?.isRise !== false;
      asking.set(currency, { ...seen, isRise });
      return;
    }
    const account = this.#accounts.get(accountId);
    if (account === undefined) {
      this.#ask(accountId, currency, seen, null);
      return;
    }
    const ageMs = this.#deps.clock.monotonicMs() - account.readAtMs;
    const watched = account.wallets.get(currency);
    if (ageMs > FRESH_MS || (watched?.isLow === true && ageMs > LOW_FRESH_MS)) {
      this.#ask(accountId, currency, seen, null);
      return;
    }
    if (isDue(account, currency, seen)) this.#ask(accountId, currency, seen, account);
  }

  /** Returns the account's own thresholds; null where the configured threshold applies. */
  async thresholds(accountId: string): Promise<Thresholds> {
    const rows = await this.#rows(accountId);
    return { USD: thresholdOf(rows, 'USD'), CNY: thresholdOf(rows, 'CNY') };
  }

  /**
   * Returns the thresholds that apply: the account's own, or else the configured ones. Null means
   * that no alert is sent.
   */
  async inForce(accountId: string): Promise<Thresholds> {
    const own = await this.thresholds(accountId);
    const of = (currency: Currency): NanoAmount | null => {
      const threshold = own[currency] ?? this.#deps.defaults[currency];
      return threshold === 0n ? null : threshold;
    };
    return { USD: of('USD'), CNY: of('CNY') };
  }

  /**
   * Sets thresholds, and marks the wallets of the changed currencies as not low. Null restores the
   * configured threshold, and zero disables the alert. Absent currencies keep their threshold.
   * @throws GatewayError `store_unavailable`, `conflict` (concurrent changes), `revision_changed`
   *   (`ifMatch`).
   */
  async setThresholds(
    accountId: string,
    changes: Partial<Thresholds>,
    actor: string,
    ifMatch: IfMatch = null,
  ): Promise<Thresholds> {
    const named = CURRENCIES.filter((currency) => changes[currency] !== undefined);
    if (named.length === 0) return await this.thresholds(accountId);
    return await retryOnConflict(async () => {
      const was = await this.thresholds(accountId);
      requireMatch(ifMatch, thresholdsTag(was));
      const detail = { before: textsOf(named, was), after: textsOf(named, changes) };
      const audit = auditEntry(this.#deps.clock, actor, 'account.alert', accountId, detail);
      const [rows = []] = await this.#deps.sql.transaction([setOf(accountId, was, changes)], audit);
      this.#accounts.delete(accountId);
      return rows.length === 0 ? null : await this.thresholds(accountId);
    });
  }

  /** Resolves when no check is running. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** @param known the cached account; null to load its thresholds before the check. */
  #ask(accountId: string, currency: Currency, first: Seen, known: Account | null): void {
    if (this.#asking.size >= MAX_ASKING) return;
    const seen = new Map([[currency, first]]);
    this.#asking.set(accountId, seen);
    const running = this.#look(accountId, seen, known)
      .catch((thrown) => {
        // The write failed, so the cache may differ from the store.
        this.#accounts.delete(accountId);
        this.#deps.onFailure(thrown);
      })
      .finally(() => {
        this.#asking.delete(accountId);
        this.#running.delete(running);
        // Checks the balances that arrived during the query.
        for (const [waiting, balance] of seen) this.#see(accountId, waiting, balance);
      });
    this.#running.add(running);
  }

  /**
   * Checks the latest balance of each currency, including balances that arrive during the check.
   */
  async #look(
    accountId: string,
    waiting: Map<Currency, Seen>,
    known: Account | null,
  ): Promise<void> {
    const account = known ?? (await this.#read(accountId));
    for (let next = takeFirst(waiting); next !== null; next = takeFirst(waiting)) {
      if (!isDue(account, ...next)) continue;
      for (const each of await balancesOf(this.#deps.sql, accountId, account, ...next))
        await this.#check(accountId, each, account);
    }
  }

  async #check(accountId: string, balance: Exact, { wallets }: Account): Promise<void> {
    const { currency } = balance;
    const watched = wallets.get(currency);
    const change = changeOf(watched, balance);
    if (watched === undefined || change === null) return;
    if (change === 'fallen') {
      watched.isLow = await this.#cross(accountId, balance, watched);
    } else {
      const statement = change === 'low' ? markLow : rearm;
      await this.#deps.sql.query(statement(accountId, currency));
      watched.isLow = change === 'low';
    }
  }

  async #read(accountId: string): Promise<Account> {
    const rows = await this.#rows(accountId);
    const wallets = watchedIn(rows, this.#deps.defaults);
    const account = { readAtMs: this.#deps.clock.monotonicMs(), wallets };
    this.#accounts.delete(accountId);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= MAX_REMEMBERED && oldest !== undefined)
      this.#accounts.delete(oldest);
    this.#accounts.set(accountId, account);
    return account;
  }

  /**
   * Marks the wallet as low and stores the alert, in one transaction, unless another node has
   * marked it or `markFallen` does not. Returns whether the wallet is marked as low.
   */
  async #cross(
    accountId: string,
    { currency, available }: Exact,
    { threshold }: Watched,
  ): Promise<boolean> {
    const { sql, clock, onLow } = this.#deps;
    const amounts = { available: formatAmount(available), threshold: formatAmount(threshold) };
    const fields = { type: 'balance.low', account_id: accountId, currency, ...amounts } as const;
    const alert = alertOf(newId(clock, 'alt'), fields, clock.nowMs());
    const [, written = [], , marked = []] = await sql.transaction([
      markFallen(accountId, currency, threshold, alert.id),
      statement`INSERT INTO alert (id, body, next_at_ms, created_at_ms, for_account)
        SELECT alert_id,
        CAST(${alert.body} AS TEXT), CAST(${alert.createdAtMs} AS BIGINT),
        CAST(${alert.createdAtMs} AS BIGINT), account_id FROM low_balance WHERE alert_id = ${alert.id}
        AND account_id = ${accountId} RETURNING id`,
      deliveryOf(alert.id),
      isMarked(accountId, currency),
    ]);
    if (written.length > 0) onLow(alert);
    return marked.length > 0;
  }

  async #rows(accountId: string): Promise<readonly SqlRow[]> {
    return await this.#deps.sql.query(statement`SELECT currency, threshold, is_low FROM low_balance
      WHERE account_id = ${accountId}`);
  }
}

/** Returns the entity tag of an account's own thresholds. */
export const thresholdsTag = ({ USD, CNY }: Thresholds): string =>
  entityTag({ USD: textOf(USD), CNY: textOf(CNY) });

/** Returns the thresholds of these currencies as JSON, for the audit log. */
const textsOf = (currencies: readonly Currency[], values: Partial<Thresholds>): string =>
  JSON.stringify(Object.fromEntries(currencies.map((it) => [it, textOf(values[it] ?? null)])));

/** Returns a statement that sets thresholds, unless the stored ones have changed since `was`. */
function setOf(accountId: string, was: Thresholds, changes: Partial<Thresholds>): SqlStatement {
  const [first = raw(''), ...rest] = CURRENCIES.filter((it) => changes[it] !== undefined).map(
    (currency) => statement`SELECT ${accountId}, ${currency},
      CAST(${changes[currency] ?? null} AS BIGINT)`,
  );
  const rows = rest.reduce((all, row) => statement`${all} UNION ALL ${row}`, first);
  const isAsRead = (currency: Currency): SqlStatement => statement`(SELECT threshold
    FROM low_balance WHERE account_id = ${accountId} AND currency = ${currency})
    IS NOT DISTINCT FROM CAST(${was[currency]} AS BIGINT)`;
  return statement`INSERT INTO low_balance (account_id, currency, threshold)
    SELECT * FROM (${rows}) AS wanted WHERE ${isAsRead('USD')} AND ${isAsRead('CNY')}
    ON CONFLICT (account_id, currency) DO UPDATE
    SET threshold = excluded.threshold, is_low = 0 RETURNING account_id`;
}

/**
 * Marks a wallet as low, unless it is marked already, or its balance in the store is clearly above
 * the threshold: a node that holds money of the wallet in memory does not see a credit on another
 * node at once.
 */
const markFallen = (
  accountId: string,
  currency: Currency,
  threshold: NanoAmount,
  alertId: string,
): SqlStatement => statement`INSERT INTO low_balance (account_id, currency, is_low, alert_id)
  SELECT CAST(${accountId} AS TEXT), CAST(${currency} AS TEXT), 1, CAST(${alertId} AS TEXT)
  WHERE NOT EXISTS (SELECT 1 FROM wallet WHERE account_id = ${accountId}
    AND currency = ${currency} AND balance - floor >= ${filledFrom(threshold)})
  ON CONFLICT (account_id, currency) DO UPDATE SET is_low = 1, alert_id = excluded.alert_id
  WHERE low_balance.is_low = 0 RETURNING alert_id`;

const isMarked = (accountId: string, currency: Currency): SqlStatement => statement`SELECT is_low
  FROM low_balance WHERE account_id = ${accountId} AND currency = ${currency} AND is_low = 1`;

const markLow = (accountId: string, currency: Currency): SqlStatement => statement`INSERT INTO
  low_balance (account_id, currency, is_low) VALUES (${accountId}, ${currency}, 1)
  ON CONFLICT (account_id, currency) DO UPDATE SET is_low = 1 RETURNING account_id`;

const rearm = (accountId: string, currency: Currency): SqlStatement => statement`UPDATE low_balance
  SET is_low = 0 WHERE account_id = ${accountId} AND currency = ${currency} AND is_low = 1
  RETURNING account_id`;

function takeFirst(seen: Map<Currency, Seen>): [Currency, Seen] | null {
  for (const entry of seen) {
    seen.delete(entry[0]);
    return entry;
  }
  return null;
}

function thresholdOf(rows: readonly SqlRow[], currency: Currency): NanoAmount | null {
  const threshold = rowOf(rows, currency)?.['threshold'];
  return threshold === null || threshold === undefined ? null : nano(BigInt(String(threshold)));
}

function watchedIn(rows: readonly SqlRow[], defaults: Thresholds): Account['wallets'] {
  const wallets = new Map<Currency, Watched>();
  for (const currency of CURRENCIES) {
    const threshold = thresholdOf(rows, currency) ?? defaults[currency];
    if (threshold === null || threshold === 0n) continue;
    const isLow = rowOf(rows, currency)?.['is_low'];
    wallets.set(currency, { threshold, isLow: Number(isLow ?? 0) === 1 });
  }
  return wallets;
}

const textOf = (threshold: NanoAmount | null): string | null =>
  threshold === null ? null : formatAmount(threshold);
