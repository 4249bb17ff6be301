/**
 * Idempotency-Keys: a request that is repeated with the same key neither runs nor is charged again.
 * First, one conditional statement claims the key. So only the first of several equal requests
 * runs, on any number of nodes. A repeat gets the stored answer, or an error if the first request
 * was charged without a stored answer. A request that was not charged frees its key.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, newId, type Timer } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { NONCE_BYTES } from '../store/sealed-bytes.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import {
  type ClaimRow,
  claimKey,
  releaseClaim,
  spendClaim,
  standingClaim,
} from './idempotency-statements.ts';
import { IdempotencyUpkeep, type UpkeepDeps } from './idempotency-upkeep.ts';
import { type Claimed, type Granted, type KeyedRequest, RunningClaims } from './running-claims.ts';

export type { Claimed, Granted, KeyedRequest } from './running-claims.ts';

import { OwedStatements } from './owed-statements.ts';
import { openAnswer, type SealedFor, sealAnswer } from './sealed-answer.ts';

/** How long a key is stored. Clients do not retry for longer than a day. */
export const RETENTION_MS = 24 * 60 * 60 * 1000;
/** Maximum size of a stored answer. If an answer is longer, its key is only marked as charged. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/**
 * The time by which a claim's lease exceeds the longest request, because the claim begins before
 * the request.
 */
const LEASE_MARGIN_MS = 60_000;
/** The interval at which failed writes are retried. */
const TICK_MS = 2_000;
const TICKS_A_ROUND = 30;
/**
 * Maximum tries to claim a key. A second try is needed if the claim that blocks the key ends before
 * that claim is read.
 */
const CLAIM_TRIES = 3;
/** The length of the installation's salt. The salt is created once and never replaced. */
const SALT_BYTES = 32;

export type IdempotencyKeysDeps = Omit<UpkeepDeps, 'clock'> & {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** The maximum duration of a request, in milliseconds. */
  readonly totalTimeoutMs: number;
  /** Whether this process holds money for the request in memory only. */
  readonly isHeld: (requestId: string) => boolean;
};

export class IdempotencyKeys {
  readonly #deps: IdempotencyKeysDeps;
  readonly #upkeep: IdempotencyUpkeep;
  readonly #owed: OwedStatements;
  readonly #writing = new Set<Promise<void>>();
  readonly #running: RunningClaims;
  readonly #timer: Timer;
  #ticks = 0;
  #salt: Promise<Uint8Array> | null = null;

  constructor(deps: IdempotencyKeysDeps) {
    this.#deps = deps;
    this.#upkeep = new IdempotencyUpkeep(deps);
    this.#owed = new OwedStatements(deps.sql);
    this.#running = new RunningClaims(deps.isHeld);
    this.#timer = deps.clock.every(TICK_MS, () => this.#tick());
  }

  /** Claims the key. @throws GatewayError `store_unavailable`; the caller may retry it. */
  async claim(request: KeyedRequest): Promise<Claimed> {
    const answer = this.#running.answerTo(request);
    if (answer !== null) return answer;
    const row = this.#rowOf(request);
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      const [claimed, standing] = await this.#ask(row);
      if (claimed !== undefined)
        return { kind: 'granted', granted: this.#running.begin(request, row) };
      if (standing !== undefined) return await this.#standing(request, standing);
    }
    return { kind: 'running' };
  }

  /**
   * Returns the claim under which a request of this process runs; null for a request without a key.
   */
  claimOf(requestId: string): ClaimRow | null {
    return this.#running.claimOf(requestId);
  }

  /** Records that the request was charged, and stores its answer for repeats. Never rejects. */
  async keep(granted: Granted, answer: Uint8Array): Promise<void> {
    if (answer.byteLength > MAX_ANSWER_BYTES) return await this.spend(granted);
    try {
      const nonce = this.#deps.clock.randomBytes(NONCE_BYTES);
      const sealed = sealAnswer(await this.#sealedFor(granted, granted.claimId), nonce, answer);
      await this.#deps.sql.query(statement`UPDATE idempotency
        SET state = 'kept', answer = ${sealed}, answer_bytes = ${sealed.byteLength}
        WHERE claim_id = ${granted.claimId} AND state <> 'kept' RETURNING claim_id`);
      this.#upkeep.count(granted.ownerId, sealed.byteLength);
      this.#running.end(granted);
    } catch (thrown) {
      this.#deps.onFailure(thrown);
      this.#oweSpending(granted);
    }
  }

  /**
   * Records that the request was charged, or may have been, without storing an answer. Never
   * rejects.
   */
  spend(granted: Granted): Promise<void> {
    return this.#end(granted, spendClaim(granted.claimId), () => this.#oweSpending(granted));
  }

  /** Records that the request was not charged, which frees its key. Never rejects. */
  release(granted: Granted): Promise<void> {
    const released = releaseClaim(granted.claimId);
    this.#running.end(granted);
    return this.#end(granted, released, () => this.#owed.add(granted.claimId, released));
  }

  /**
   * Deletes expired keys, and stored answers beyond the limits. A timer also does this every
   * minute.
   */
  sweep(): Promise<void> {
    return this.#upkeep.round();
  }

  /** Stops the timer. Then writes the pending statements until one fails. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await Promise.all(this.#writing);
    await this.#owed.send();
    await this.#upkeep.stop();
  }

  #rowOf({ key, ownerId, operation, meaning, requestId }: KeyedRequest): ClaimRow {
    const { clock, epoch, totalTimeoutMs } = this.#deps;
    const nowMs = clock.nowMs();
    return {
      ownerId,
      operation,
      keyHash: createHash('sha256').update(key).digest(),
      claimId: newId(clock, 'idem'),
      meaning,
      requestId,
      epoch: epoch(),
      leaseUntilMs: nowMs + totalTimeoutMs + LEASE_MARGIN_MS,
      nowMs,
      expiresAtMs: nowMs + RETENTION_MS,
    };
  }

  /**
   * Tries to claim the key. Returns two rows: the new claim, or undefined if another request has
   * the key, and the claim that the key has after this attempt.
   */
  async #ask(row: ClaimRow): Promise<readonly [SqlRow | undefined, SqlRow | undefined]> {
    try {
      const [claimed, standing] = await this.#deps.sql.transaction([
        claimKey(row),
        standingClaim(row),
      ]);
      return [claimed?.[0], standing?.[0]];
    } catch (cause) {
      // The claim may have been stored although the statement failed. Since the request does not
      // run, the claim is released.
      this.#owed.add(row.claimId, releaseClaim(row.claimId));
      throw new GatewayError(
        'store_unavailable',
        'The Idempotency-Key cannot be looked up. Retry the request.',
        { retryAfterSeconds: 1, cause },
      );
    }
  }

  async #standing(request: KeyedRequest, row: SqlRow): Promise<Claimed> {
    const { meaning, answer, state } = row;
    if (!(meaning instanceof Uint8Array) || !timingSafeEqual(meaning, request.meaning)) {
      return { kind: 'reused' };
    }
    const requestId = String(row['request_id']);
    if (state === 'running' || state === 'in_doubt') return { kind: state };
    if (!(answer instanceof Uint8Array)) return { kind: 'spent', requestId };
    try {
      const whose = await this.#sealedFor(request, String(row['claim_id']));
      return { kind: 'kept', requestId, answer: openAnswer(whose, answer) };
    } catch (thrown) {
      this.#deps.onFailure(thrown);
      return { kind: 'spent', requestId };
    }
  }

  async #sealedFor(
    { key, ownerId }: Pick<KeyedRequest, 'key' | 'ownerId'>,
    claimId: string,
  ): Promise<SealedFor> {
    return { key, ownerId, claimId, salt: await this.#installationSalt() };
  }

  /** Loads the salt once. If this fails, the next call tries again. */
  async #installationSalt(): Promise<Uint8Array> {
    this.#salt ??= this.#loadSalt();
    try {
      return await this.#salt;
    } catch (thrown) {
      this.#salt = null;
      throw thrown;
    }
  }

  async #loadSalt(): Promise<Uint8Array> {
    const { sql, clock } = this.#deps;
    const [, rows] = await sql.transaction([
      statement`INSERT INTO idempotency_salt (id, salt) VALUES (1, ${clock.randomBytes(SALT_BYTES)})
        ON CONFLICT (id) DO NOTHING`,
      statement`SELECT salt FROM idempotency_salt`,
    ]);
    const salt = rows?.[0]?.['salt'];
    if (salt instanceof Uint8Array) return salt;
    throw new Error('the installation has no salt for kept answers');
  }

  #end(granted: Granted, statement: SqlStatement, owe: () => void): Promise<void> {
    const writing = this.#deps.sql.query(statement).then(
      () => this.#running.end(granted),
      (thrown: unknown) => {
        this.#deps.onFailure(thrown);
        owe();
      },
    );
    this.#writing.add(writing);
    return writing.finally(() => this.#writing.delete(writing));
  }

  /** Writes the charge to the store later, and blocks repeats of the request until then. */
  #oweSpending(granted: Granted): void {
    const { claimId } = granted;
    const end = (): void => this.#running.end(granted);
    if (this.#owed.add(claimId, spendClaim(claimId), end)) this.#running.charged(granted);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#owed.size > 0) void this.#owed.send();
    if (this.#ticks % TICKS_A_ROUND === 0) void this.sweep();
  }
}
