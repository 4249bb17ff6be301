/**
 * Redeem codes, each credited at most once. First, a conditional statement claims the code for an
 * account. Then a command, whose id is derived from the code's hash, credits the amount. A claim is
 * final. If the process dies before the credit, only the same account can redeem the code again.
 * Canceling a batch affects only codes that are not claimed.
 */

import { type Page, type PageRequest, pageOf } from '../accounts/page.ts';
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Ledger, Outcome } from '../ledger/ledger.ts';
import { type Currency, formatAmount, type NanoAmount, nano } from '../money/amount.ts';
import { auditEntry } from '../store/audit.ts';
import { currencyOf, integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import {
  contains,
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
  statement,
} from '../store/sql.ts';
import { hashRedeemCode, newRedeemCode } from './redeem-code.ts';
import type { TopUpBy } from './top-up-orders.ts';

/** Maximum codes of a batch. A batch is one transaction; a larger one would delay settlements. */
export const MAX_BATCH_CODES = 10_000;

/** The number of codes per statement, because stores limit the number of placeholders. */
const CODES_A_STATEMENT = 500;

export type BatchRecord = {
  readonly id: string;
  readonly currency: Currency;
  /** The amount of one code. */
  readonly amount: NanoAmount;
  readonly count: number;
  readonly reason: string;
  readonly createdAtMs: number;
  /** The expiry of the codes, in Unix milliseconds; null for no expiry. */
  readonly expiresAtMs: number | null;
  readonly cancelledAtMs: number | null;
  readonly used: number;
  readonly cancelled: number;
};

export const CODE_STATES = ['open', 'claimed', 'cancelled'] as const;

/** A code without its text: only the code's hash is stored. */
export type CodeRecord = {
  /** The hash of the code in hexadecimal. The id of the code's ledger entry contains it. */
  readonly id: string;
  readonly state: (typeof CODE_STATES)[number];
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly claimedAtMs: number | null;
};

export type NewBatch = {
  readonly currency: Currency;
  /** The amount of one code, greater than zero. */
  readonly amount: NanoAmount;
  readonly count: number;
  readonly expiresAtMs: number | null;
  readonly reason: string;
};

export type Redeemed = {
  readonly id: string;
  readonly currency: Currency;
  readonly amount: NanoAmount;
  readonly available: NanoAmount;
  readonly alreadyApplied: boolean;
};

export type RedeemCodesDeps = {
  readonly sql: SqlExecutor;
  readonly ledger: Pick<Ledger, 'apply'>;
  readonly clock: Clock;
};

/** @throws GatewayError `store_unavailable`, from every method. */
export class RedeemCodes {
  readonly #deps: RedeemCodesDeps;
  readonly #guesses: RedeemGuesses;

  constructor(deps: RedeemCodesDeps) {
    this.#deps = deps;
    this.#guesses = new RedeemGuesses(deps.clock);
  }

  /** Creates a batch. Stores only the hashes of its codes. @throws GatewayError `invalid_value`. */
  async create(
    wanted: NewBatch,
    actor: string,
  ): Promise<{ readonly batch: BatchRecord; readonly codes: readonly string[] }> {
    const nowMs = this.#deps.clock.nowMs();
    checkBatch(wanted, nowMs);
    const id = newId(this.#deps.clock, 'rdb');
    const codes = Array.from({ length: wanted.count }, () => newRedeemCode(this.#deps.clock));
    const { currency, amount, count, expiresAtMs, reason } = wanted;
    const unused = { cancelledAtMs: null, used: 0, cancelled: 0 };
    const batch = { ...wanted, id, createdAtMs: nowMs, ...unused };
    const shown = { currency, amount: formatAmount(amount), count, reason };
    const detail = { ...shown, expires_at_ms: expiresAtMs };
    const audit = auditEntry(this.#deps.clock, actor, 'redeem_batch.create', id, detail);
    const insert = statement`INSERT INTO redeem_batch (id, currency, amount, codes, reason,
        created_at_ms, expires_at_ms)
      VALUES (${id}, ${currency}, ${amount}, ${count}, ${reason}, ${nowMs}, ${expiresAtMs})
      RETURNING id`;
    const inserts = [insert, ...insertCodes(id, codes.map(hashOf))];
    await this.#deps.sql.transaction(inserts, audit);
    return { batch, codes };
  }

  /** Returns a batch. @throws GatewayError `not_found`. */
  async get(id: string): Promise<BatchRecord> {
    const [row] = await this.#deps.sql.query(statement`${BATCHES} WHERE id = ${id}`);
    if (row === undefined) throw noSuchBatch(id);
    return batchOf(row);
  }

  /** Returns the batches, oldest first. `search`: an id or part of the reason; null for all. */
  async list({ limit, after }: PageRequest, search: string | null): Promise<Page<BatchRecord>> {
    const found = search === null ? raw('') : isFoundBy(search);
    const rows = await this.#deps.sql.query(
      statement`${BATCHES} WHERE id > ${after ?? ''} ${found} ORDER BY id LIMIT ${limit + 1}`,
    );
    return pageOf(rows.map(batchOf), limit);
  }

  /** Returns the batch of a code. @throws GatewayError `invalid_value`, `not_found`. */
  async find(code: string): Promise<BatchRecord> {
    const hash = hashRedeemCode(code);
    if (hash === null) throw malformedCode();
    const [row] = await this.#deps.sql.query(
      statement`${BATCHES} WHERE id = (SELECT batch_id FROM redeem_code WHERE hash = ${hash})`,
    );
    if (row === undefined) throw unknownCode();
    return batchOf(row);
  }

  /** Returns the codes of a batch, ordered by hash. @throws GatewayError `not_found`. */
  async codes(batchId: string, { limit, after }: PageRequest): Promise<Page<CodeRecord>> {
    await this.get(batchId);
    const from = Buffer.from(after ?? '', 'hex');
    const rows = await this.#deps.sql.query(
      statement`SELECT redeem_code.hash, redeem_code.state, redeem_code.account_id,
          redeem_code.claimed_at_ms, account.name AS account_name
        FROM redeem_code LEFT JOIN account ON account.id = redeem_code.account_id
        WHERE redeem_code.batch_id = ${batchId} AND redeem_code.hash > ${new Uint8Array(from)}
        ORDER BY redeem_code.hash LIMIT ${limit + 1}`,
    );
    return pageOf(rows.map(codeOf), limit);
  }

  /** Cancels the unclaimed codes of a batch. Idempotent. @throws GatewayError `not_found`. */
  async cancel(id: string, actor: string): Promise<BatchRecord> {
    const audit = auditEntry(this.#deps.clock, actor, 'redeem_batch.cancel', id);
    const statements = [
      statement`UPDATE redeem_batch SET cancelled_at_ms = ${audit.atMs} WHERE id = ${id}
        AND cancelled_at_ms IS NULL RETURNING id`,
      // Cancels the codes that are still open. A code that was claimed shortly before stays
      // claimed.
      statement`UPDATE redeem_code SET state = 'cancelled' WHERE batch_id = ${id} AND state = 'open'`,
    ];
    await this.#deps.sql.transaction(statements, audit);
    return await this.get(id);
  }

  /**
   * Credits the amount of the code. If the same account repeats the code, returns the first result.
   * @throws GatewayError `invalid_value`, `not_found`, `conflict` (redeemed by another account,
   *   expired or canceled), `rate_limit_exceeded`.
   */
  async redeem(code: string, caller: TopUpBy): Promise<Redeemed> {
    const hash = hashRedeemCode(code);
    if (hash === null) throw malformedCode();
    const giveBack = this.#guesses.take(caller.accountId);
    const row = await this.#claim(hash, caller);
    giveBack();
    return await this.#credit(hash, row);
  }

  /** Claims the code for the caller's account, and returns its row. */
  async #claim(hash: Uint8Array, { accountId, actor }: TopUpBy): Promise<SqlRow> {
    const nowMs = this.#deps.clock.nowMs();
    const [, [row] = []] = await this.#deps.sql.transaction([
      statement`UPDATE redeem_code SET state = 'claimed', account_id = ${accountId}, actor = ${actor},
          claimed_at_ms = ${nowMs}
        WHERE hash = ${hash} AND state = 'open' AND EXISTS (SELECT 1 FROM redeem_batch
          WHERE redeem_batch.id = redeem_code.batch_id
            AND (redeem_batch.expires_at_ms IS NULL OR redeem_batch.expires_at_ms > ${nowMs}))
        RETURNING batch_id`,
      statement`SELECT redeem_batch.*, redeem_code.state, redeem_code.account_id, redeem_code.actor
        FROM redeem_code JOIN redeem_batch ON redeem_batch.id = redeem_code.batch_id
        WHERE redeem_code.hash = ${hash}`,
    ]);
    if (row === undefined) throw unknownCode();
    if (row['account_id'] === accountId) return row;
    if (row['state'] === 'cancelled') throw gone('cancelled', 'was canceled');
    if (row['state'] === 'claimed') throw gone('redeemed', 'was redeemed by another account');
    const expiredAt = new Date(Number(row['expires_at_ms'])).toISOString();
    throw gone('expired', `expired on ${expiredAt}`);
  }

  /**
   * Credits the code. Apart from its time, the command depends only on the row, so a retry sends
   * the same command and credits nothing more.
   */
  async #credit(hash: Uint8Array, row: SqlRow): Promise<Redeemed> {
    const { id: batchId, currency, amount } = batchOf(row);
    const accountId = String(row['account_id']);
    const id = `redeem_${Buffer.from(hash).toString('hex')}`;
    const [outcome] = await this.#deps.ledger.apply([
      {
        kind: 'credit',
        id,
        accountId,
        currency,
        amount,
        source: 'redeem_code',
        reason: `redeem code of ${batchId}`,
        actor: String(row['actor']),
        atMs: this.#deps.clock.nowMs(),
      },
    ]);
    if (outcome?.status !== 'applied' && outcome?.status !== 'already_applied') {
      throw notBooked(outcome);
    }
    const { available } = outcome.result;
    const alreadyApplied = outcome.status === 'already_applied';
    return { id, currency, amount, available, alreadyApplied };
  }
}

const BATCHES = raw(`SELECT redeem_batch.*,
    (SELECT COUNT(*) FROM redeem_code WHERE batch_id = redeem_batch.id AND state = 'claimed') AS used,
    (SELECT COUNT(*) FROM redeem_code WHERE batch_id = redeem_batch.id AND state = 'cancelled') AS cancelled
  FROM redeem_batch`);

const isFoundBy = (search: string): SqlStatement =>
  statement`AND (id = ${search} OR ${contains('reason', search)})`;

function insertCodes(batchId: string, hashes: readonly Uint8Array[]): readonly SqlStatement[] {
  const statements: SqlStatement[] = [];
  for (let at = 0; at < hashes.length; at += CODES_A_STATEMENT) {
    const some = hashes.slice(at, at + CODES_A_STATEMENT);
    const values = some.map((_, index) => `($1, $${index + 2})`).join(', ');
    const sql = `INSERT INTO redeem_code (batch_id, hash) VALUES ${values}`;
    statements.push({ sql, params: [batchId, ...some] });
  }
  return statements;
}

const batchOf = (row: SqlRow): BatchRecord => ({
  id: text(row, 'id'),
  currency: currencyOf(row),
  amount: nano(integer(row, 'amount')),
  count: Number(integer(row, 'codes')),
  reason: text(row, 'reason'),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  expiresAtMs: numberOrNull(row, 'expires_at_ms'),
  cancelledAtMs: numberOrNull(row, 'cancelled_at_ms'),
  used: Number(row['used'] ?? 0),
  cancelled: Number(row['cancelled'] ?? 0),
});

const hexOf = (hash: SqlValue | undefined): string =>
  hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : '';

const codeOf = (row: SqlRow): CodeRecord => ({
  id: hexOf(row['hash']),
  state: CODE_STATES.find((state) => state === row['state']) ?? 'open',
  accountId: textOrNull(row, 'account_id'),
  accountName: textOrNull(row, 'account_name'),
  claimedAtMs: numberOrNull(row, 'claimed_at_ms'),
});

function checkBatch({ count, expiresAtMs }: NewBatch, nowMs: number): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_BATCH_CODES) {
    const message = `count must be a whole number from 1 to ${MAX_BATCH_CODES}. Create several batches for more.`;
    throw new GatewayError('invalid_value', message, { param: 'count' });
  }
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    const message = 'expires_at must be in the future, or null for never.';
    throw new GatewayError('invalid_value', message, { param: 'expires_at' });
  }
}

function hashOf(code: string): Uint8Array {
  const hash = hashRedeemCode(code);
  if (hash === null) throw new Error('a new redeem code does not hold its own checksum');
  return hash;
}

const malformedCode = (): GatewayError =>
  new GatewayError(
    'invalid_value',
    'code must be a redeem code such as MG-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX. Copy the whole code again.',
    { param: 'code' },
  );

const unknownCode = (): GatewayError =>
  new GatewayError(
    'not_found',
    'This redeem code does not exist on this gateway. Check the code and try again.',
    { param: 'code' },
  );

/**
 * Returns the error for a code that can no longer be redeemed.
 * @param reason a machine-readable code, which a web page can translate.
 */
const gone = (reason: 'cancelled' | 'redeemed' | 'expired', why: string): GatewayError =>
  new GatewayError('conflict', `This redeem code ${why}. Ask the person who gave it to you.`, {
    param: 'code',
    extra: { reason },
  });

const noSuchBatch = (id: string): GatewayError =>
  new GatewayError(
    'not_found',
    `There is no batch of redeem codes ${JSON.stringify(id.slice(0, 80))}. List the batches to find the right id.`,
  );

const notBooked = (outcome: Outcome | undefined): GatewayError =>
  new GatewayError(
    'internal_error',
    'The code is reserved for your account, but its amount was not credited yet. Redeem the code again.',
    {
      cause: new Error(`The ledger answered a redeemed code with ${outcome?.status ?? 'nothing'}.`),
    },
  );

/**
 * Maximum wrong codes per account in `GUESS_WINDOW_MS`: enough for a person, but not for a program.
 */
export const MAX_GUESSES = 20;
export const GUESS_WINDOW_MS = 15 * 60_000;
/** Maximum accounts with counted guesses. At this limit, the oldest count is dropped. */
const MAX_ACCOUNTS = 10_000;
/** The maximum `retry-after` in seconds, because clients do not wait longer. */
const MAX_RETRY_SECONDS = 60;

type Window = { readonly sinceMs: number; guesses: number };

/**
 * Counts wrong codes per account, in memory. The limit is not needed for security, because a code
 * has too many random characters to be guessed. It only reduces the number of lookups.
 */
class RedeemGuesses {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /**
   * For each account, the guesses in its current period. The map is in the order in which the
   * periods began.
   */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Counts a guess before its lookup, so that concurrent guesses count too. Returns a function that
   * subtracts a correct guess from the count.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  take(accountId: string): () => void {
    const nowMs = this.#clock.monotonicMs();
    const window = this.#current(accountId, nowMs);
    if (window.guesses >= MAX_GUESSES) throw tooMany(window.sinceMs + GUESS_WINDOW_MS - nowMs);
    window.guesses += 1;
    return () => {
      window.guesses -= 1;
    };
  }

  #current(accountId: string, nowMs: number): Window {
    const known = this.#windows.get(accountId);
    if (known !== undefined && nowMs - known.sinceMs < GUESS_WINDOW_MS) return known;
    this.#windows.delete(accountId);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= MAX_ACCOUNTS && oldest !== undefined) this.#windows.delete(oldest);
    const window = { sinceMs: nowMs, guesses: 0 };
    this.#windows.set(accountId, window);
    return window;
  }
}

function tooMany(waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1000);
  return new GatewayError(
    'rate_limit_exceeded',
    `This account tried too many invalid codes. Try again in ${seconds} seconds.`,
    { retryAfterSeconds: Math.min(seconds, MAX_RETRY_SECONDS) },
  );
}
