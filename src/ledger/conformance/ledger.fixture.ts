/**
 * A small ledger for tests. It has two accounts with a key each, price cards of one nano-unit per
 * token, and one exchange rate.
 */
import { createHash } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import { type Currency, type NanoAmount, nano, ZERO } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import { NO_USAGE, perBucket } from '../../money/usage.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import type { Database } from '../database.ts';
import type {
  AdjustCommand,
  Applied,
  AttemptRecord,
  CapOwner,
  CapWindow,
  Checkpoint,
  CreditCommand,
  CreditLimitCommand,
  ExchangeCommand,
  ExtendCommand,
  HoldCommand,
  Ledger,
  Outcome,
  PublishedCard,
  Receipt,
  RefundCommand,
  SettleCommand,
  VoidCommand,
} from '../ledger.ts';

export const AT_MS = 1_790_000_000_000;
export const EPOCH = 'epoch_1';
export const ACTOR = 'admin';
/** The length of a lease in tests, longer than any test. */
export const LEASE_MS = 3_600_000;

/** 1 USD buys 7.10 CNY. */
export const USD_CNY: FxRate = {
  id: 'fx_usd_cny',
  base: 'USD',
  quote: 'CNY',
  scaled: 710_000_000n,
};

const flat = (rate: bigint) => perBucket(() => rate);
const chatCard = (id: string, currency: Currency) => ({
  id,
  currency,
  rates: flat(1_000n),
  perImage: null,
  terms: null,
  model: 'gen-opus-4-8',
  channel: 'direct',
  list: null,
  effectiveFromMs: AT_MS,
});
export const IMAGE_CARD: PublishedCard = {
  id: 'card_image',
  currency: 'USD',
  rates: null,
  perImage: { '1024x1024': 40_000_000n },
  terms: null,
  model: 'img-3',
  channel: 'direct',
  list: null,
  effectiveFromMs: AT_MS,
};

/**
 * Adds accounts `alice` and `bob` with keys `key_alice` and `key_bob`, publishes the price cards
 * and the exchange rate, and takes a lease for `EPOCH`.
 */
export async function furnish(database: Database): Promise<void> {
  await addAccount(database.sql, 'alice');
  await addAccount(database.sql, 'bob');
  await database.ledger.join({ epoch: EPOCH, name: EPOCH }, LEASE_MS);
  await database.ledger.publish(
    [chatCard('card_usd', 'USD'), chatCard('card_cny', 'CNY'), IMAGE_CARD],
    [{ ...USD_CNY, effectiveFromMs: AT_MS }],
  );
}

export async function addAccount(sql: SqlExecutor, id: string): Promise<void> {
  await sql.transaction([
    {
      sql: 'INSERT INTO account (id, name, created_at_ms) VALUES ($1, $2, $3)',
      params: [id, id, AT_MS],
    },
    {
      sql: `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      params: [
        ...[`key_${id}`, id, 'first', createHash('sha256').update(id).digest()],
        ...['sk-mg-aaaa', 'zzzz', AT_MS],
      ],
    },
  ]);
}

/**
 * Makes the account's key one of the keys of the member `usr_ID`. Adds `sibling_ID`, another key of
 * this member, and `other_ID`, a key that no member created.
 */
export async function addMemberKeys(sql: SqlExecutor, accountId: string): Promise<void> {
  const member = `usr_${accountId}`;
  const key = (id: string, createdBy: string | null) => ({
    sql: `INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms, created_by)
          VALUES ($1, $2, $1, $3, 'sk-mg-aaaa', 'zzzz', $4, $5)`,
    params: [id, accountId, createHash('sha256').update(id).digest(), AT_MS, createdBy],
  });
  await sql.transaction([
    {
      sql: 'UPDATE api_key SET created_by = $1 WHERE id = $2',
      params: [member, `key_${accountId}`],
    },
    key(`sibling_${accountId}`, member),
    key(`other_${accountId}`, null),
  ]);
}

export type MemberCaps = { readonly [Window in 'day' | 'week' | 'month']?: bigint | null };

/** Replaces the caps of the member `usr_ID`. */
export async function capMember(
  sql: SqlExecutor,
  accountId: string,
  { day = null, week = null, month = null }: MemberCaps,
): Promise<void> {
  const place = [accountId, `usr_${accountId}`];
  const isCapped = day !== null || week !== null || month !== null;
  await sql.transaction([
    isCapped
      ? {
          sql: `INSERT INTO member_cap (account_id, person_id, cap_day, cap_week, cap_month)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id, person_id) DO UPDATE SET
                  cap_day = excluded.cap_day, cap_week = excluded.cap_week,
                  cap_month = excluded.cap_month`,
          params: [...place, day, week, month],
        }
      : { sql: 'DELETE FROM member_cap WHERE account_id = $1 AND person_id = $2', params: place },
  ]);
}

type Whose = { readonly accountId?: string; readonly currency?: Currency };

export function credit(id: string, amount: bigint, whose: Whose = {}): CreditCommand {
  return {
    kind: 'credit',
    id,
    accountId: 'alice',
    currency: 'USD',
    amount: nano(amount),
    source: 'top_up',
    reason: 'card payment',
    actor: ACTOR,
    atMs: AT_MS,
    ...whose,
  };
}

export function adjust(id: string, amount: bigint, whose: Whose = {}): AdjustCommand {
  return {
    kind: 'adjust',
    id,
    accountId: 'alice',
    currency: 'USD',
    amount: nano(amount),
    reason: 'correction',
    actor: ACTOR,
    atMs: AT_MS,
    ...whose,
  };
}

type HoldTerms = Whose & {
  readonly keyId?: string;
  readonly atLeast?: bigint;
  readonly worstCase?: bigint;
  readonly exchange?: FxRate;
  readonly priceRate?: FxRate;
  readonly epoch?: string;
  readonly atMs?: number;
  readonly expiresAtMs?: number;
};

/**
 * Returns a hold of exactly `amount` in alice's USD wallet. `terms` overrides any of its fields.
 */
export function hold(id: string, amount: bigint, terms: HoldTerms = {}): HoldCommand {
  const accountId = terms.accountId ?? 'alice';
  return {
    kind: 'hold',
    id,
    accountId,
    keyId: terms.keyId ?? `key_${accountId}`,
    currency: terms.currency ?? 'USD',
    amount: nano(amount),
    atLeast: nano(terms.atLeast ?? amount),
    worstCase: nano(terms.worstCase ?? amount),
    exchange: terms.exchange ?? null,
    priceRate: terms.priceRate ?? null,
    epoch: terms.epoch ?? EPOCH,
    atMs: terms.atMs ?? AT_MS,
    expiresAtMs: terms.expiresAtMs ?? systemClock.nowMs() + LEASE_MS,
  };
}

export function extend(
  id: string,
  holdId: string,
  amount: bigint,
  checkpoint: Checkpoint | null = null,
): ExtendCommand {
  return { kind: 'extend', id, holdId, amount: nano(amount), checkpoint, atMs: AT_MS };
}

export function voided(id: string, whose: Whose & { readonly keyId?: string } = {}): VoidCommand {
  const accountId = whose.accountId ?? 'alice';
  const terms = { accountId, keyId: `key_${accountId}`, currency: 'USD' as const, ...whose };
  return { kind: 'void', id, ...terms, atMs: AT_MS };
}

/** Returns the checkpoint of a stream after `charge` output tokens of one nano-unit each. */
export const checkpoint = (
  id: string,
  charge: bigint,
  given: Partial<Receipt> = {},
): Checkpoint => ({ charge: nano(charge), receipt: receipt(id, charge, given) });

export function exchange(id: string, amount: bigint, accountId = 'alice'): ExchangeCommand {
  const order = { reason: 'moved by hand', actor: ACTOR, atMs: AT_MS };
  return { kind: 'exchange', id, accountId, rate: USD_CNY, amount: nano(amount), ...order };
}

export function refund(id: string, requestId: string, amount: bigint): RefundCommand {
  const order = { reason: 'it was useless', actor: ACTOR, atMs: AT_MS };
  return { kind: 'refund', id, requestId, amount: nano(amount), ...order };
}

export function creditLimit(id: string, amount: bigint, whose: Whose = {}): CreditLimitCommand {
  const order = { reason: 'a good payer', actor: ACTOR, atMs: AT_MS };
  const wallet = { accountId: 'alice', currency: 'USD' as const, ...whose };
  return { kind: 'credit_limit', id, ...wallet, amount: nano(amount), ...order };
}

/**
 * Returns a settlement of `charge` output tokens of one nano-unit each, so that the price equals
 * the charge.
 */
export function settle(
  id: string,
  charge: bigint,
  whose: Whose & Partial<Receipt> = {},
): SettleCommand {
  return {
    kind: 'settle',
    id,
    charge: nano(charge),
    carefulAnswers: 0,
    held: null,
    exchangeId: null,
    atMs: AT_MS,
    receipt: receipt(id, charge, whose),
  };
}

export const ATTEMPT: AttemptRecord = {
  channel: 'direct',
  upstream: 'builtin',
  model: 'gen-opus-4-8',
  result: '200',
  startMs: 0,
  durationMs: 12,
};

export function receipt(id: string, tokens: bigint, given: Partial<Receipt> = {}): Receipt {
  const accountId = given.accountId ?? 'alice';
  const currency = given.currency ?? 'USD';
  return {
    requestId: id,
    accountId,
    keyId: `key_${accountId}`,
    endpoint: 'chat',
    currency,
    model: 'gen-opus-4-8',
    channelRequested: null,
    channel: 'direct',
    upstream: 'builtin',
    upstreamModel: 'gen-opus-4-8',
    cardId: currency === 'USD' ? 'card_usd' : 'card_cny',
    fxRateId: null,
    usage: { ...NO_USAGE, output: Number(tokens) },
    images: null,
    costPico: tokens * 1_000n,
    estimated: false,
    streamed: true,
    outcome: 'completed',
    errorCode: null,
    finishReason: 'stop',
    startedAtMs: AT_MS,
    firstByteMs: 12.25,
    durationMs: 250.5,
    attempts: [ATTEMPT],
    facts: null,
    upstreamId: null,
    reportedCostPico: null,
    measure: 'reported',
    ...given,
  };
}

const result = (amount: bigint, available: bigint, loss: bigint): Applied => ({
  amount: nano(amount),
  available: nano(available),
  loss: nano(loss),
});

export const applied = (amount: bigint, available: bigint, loss = 0n): Outcome => ({
  status: 'applied',
  result: result(amount, available, loss),
});

export const repeated = (amount: bigint, available: bigint, loss = 0n): Outcome => ({
  status: 'already_applied',
  result: result(amount, available, loss),
});

export const tooLow = (available: bigint): Outcome => ({
  status: 'balance_too_low',
  available: nano(available),
});

/** Returns the balance and the held amount of a wallet. */
export async function walletOf(
  ledger: Ledger,
  currency: Currency,
  accountId = 'alice',
): Promise<readonly [balance: NanoAmount, held: NanoAmount]> {
  const wallet = (await ledger.wallets(accountId)).find((each) => each.currency === currency);
  return [wallet?.balance ?? ZERO, wallet?.held ?? ZERO];
}

/** Returns the balance of an internal ledger account, such as `revenue`. */
export async function accountBalance(
  sql: SqlExecutor,
  account: string,
  currency: Currency,
): Promise<bigint> {
  const [row] = await sql.query({
    sql: `SELECT COALESCE(SUM(amount), 0) AS sum FROM (
        SELECT account_id, currency, amount FROM entry
        UNION ALL SELECT 'revenue', currency, charge + loss FROM charged
        UNION ALL SELECT 'operator_loss', currency, -loss FROM charged
        UNION ALL SELECT 'fx:' || currency, currency, -bought FROM charged
        UNION ALL SELECT 'fx:' || other_currency, other_currency, sold FROM charged
      ) AS entries WHERE account_id = $1 AND currency = $2`,
    params: [account, currency],
  });
  return BigInt(Number(row?.['sum'] ?? 0n));
}

/**
 * Returns the error of a rejected promise, and fails when the promise resolves. Tests cannot use
 * `expect().rejects`, because it blocks messages from other threads in this runtime and so waits
 * forever.
 */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => 'resolved' as const,
    (thrown: unknown) => ({ thrown }),
  );
  if (outcome === 'resolved') throw new Error('the promise was not rejected');
  return outcome.thrown;
}

/** Sets a cap of a key or an account, in nano-USD. */
export const capOwner = (sql: SqlExecutor, owner: string, window: CapWindow, amount: bigint) =>
  sql.query({
    sql: `UPDATE spend_meter SET cap_${window} = $1 WHERE owner_id = $2`,
    params: [amount, owner],
  });

export const capReached = (owner: CapOwner, window: CapWindow, available: bigint): Outcome => ({
  status: 'cap_reached',
  owner,
  window,
  available: nano(available),
});
