/**
 * Idempotency-Keys: a request that is made again under its key is not run again and not charged again.
 *
 * A key is claimed before anything else is done for its request, by one guarded statement, so of any number
 * of equal requests on any number of nodes one runs. How that one ended decides what the others get: its
 * answer, when it was charged and kept; the news that there is none to give, when it was charged and not
 * kept; a run of their own, when nothing was charged.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, newId, type Timer } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import {
  type ClaimRow,
  claimKey,
  keepAnswer,
  offerSalt,
  readSalt,
  releaseClaim,
  spendClaim,
  standingClaim,
} from './idempotency-statements.ts';
import { IdempotencyUpkeep, type UpkeepDeps } from './idempotency-upkeep.ts';
import { NONCE_BYTES, openAnswer, type SealedFor, sealAnswer } from './sealed-answer.ts';

/** How long a key is remembered: a retry that comes later than this was not made by a client. */
export const RETENTION_MS = 24 * 60 * 60 * 1000;
/** A longer answer is remembered as charged, and not kept. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** A claim outlasts the longest request by this: it was made before the request's own time began. */
const LEASE_MARGIN_MS = 60_000;
/** How often it is tried again to write down what the store did not take. */
const TICK_MS = 2_000;
const TICKS_A_ROUND = 30;
/** Of claims whose end is not written yet. One beyond it ends with its lease, and then by the books. */
const MAX_OWED = 10_000;
/** A claim that vanishes while it is looked at was given up just then; more often than this it was not. */
const CLAIM_TRIES = 3;
const SALT_BYTES = 32;

export type Asked = {
  /** As it was presented. */
  readonly key: string;
  /** Whose key it is: an account of callers, a person, or `admin`. */
  readonly ownerId: string;
  /** What is asked for, whatever prefix its path has. */
  readonly operation: string;
  /** 32 bytes: equal for equal requests. */
  readonly meaning: Uint8Array;
  readonly requestId: string;
};

/** The right to run a request, and the duty to say how it ended: `keep`, `spend` or `release`, once. */
export type Granted = Pick<Asked, 'key' | 'ownerId'> & { readonly claimId: string };

export type Claimed =
  | { readonly kind: 'granted'; readonly granted: Granted }
  /** Ran before: its answer, and the id it ran under. */
  | { readonly kind: 'kept'; readonly requestId: string; readonly answer: Uint8Array }
  /** Ran before and was charged; there is no answer to give. */
  | { readonly kind: 'spent'; readonly requestId: string }
  | { readonly kind: 'running' }
  /** The key was given to another request. */
  | { readonly kind: 'reused' };

export type IdempotencyKeysDeps = Omit<UpkeepDeps, 'clock'> & {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** The longest a request may take. */
  readonly totalTimeoutMs: number;
};

export class IdempotencyKeys {
  readonly #deps: IdempotencyKeysDeps;
  readonly #upkeep: IdempotencyUpkeep;
  /** By claim: what the store has not taken yet. */
  readonly #owed = new Map<string, SqlStatement>();
  /** Ends of claims that are being written. */
  readonly #writing = new Set<Promise<void>>();
  readonly #timer: Timer;
  #paying: Promise<void> | null = null;
  #ticks = 0;
  #salt: Promise<Uint8Array> | null = null;

  constructor(deps: IdempotencyKeysDeps) {
    this.#deps = deps;
    this.#upkeep = new IdempotencyUpkeep(deps);
    this.#timer = deps.clock.every(TICK_MS, () => this.#tick());
  }

  /** @throws GatewayError `store_unavailable`: then nothing was claimed, as far as anyone will notice. */
  async claim(asked: Asked): Promise<Claimed> {
    const row = this.#rowOf(asked);
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      const [claimed, standing] = await this.#ask(row);
      if (claimed !== undefined) {
        const { key, ownerId } = asked;
        return { kind: 'granted', granted: { key, ownerId, claimId: row.claimId } };
      }
      if (standing !== undefined) return await this.#standing(asked, standing);
    }
    return { kind: 'running' };
  }

  /** The request was charged; `answer` is what to give to whoever asks again. Never rejects. */
  async keep(granted: Granted, answer: Uint8Array): Promise<void> {
    if (answer.byteLength > MAX_ANSWER_BYTES) return await this.spend(granted);
    try {
      const nonce = this.#deps.clock.randomBytes(NONCE_BYTES);
      const sealed = sealAnswer(await this.#sealedFor(granted, granted.claimId), nonce, answer);
      await this.#deps.sql.query(keepAnswer(granted.claimId, sealed));
      this.#upkeep.count(granted.ownerId, sealed.byteLength);
    } catch (thrown) {
      this.#deps.onFailure(thrown);
      // Charged it was, and no retry may charge it again.
      this.#owe(granted.claimId, spendClaim(granted.claimId));
    }
  }

  /** The request was charged, or may have been, and there is no answer to keep. Never rejects. */
  spend({ claimId }: Granted): Promise<void> {
    return this.#end(claimId, spendClaim(claimId));
  }

  /** The request was not charged: the key is as good as new. Never rejects. */
  release({ claimId }: Granted): Promise<void> {
    return this.#end(claimId, releaseClaim(claimId));
  }

  /** Forgets what is over, and drops answers beyond the bounds; also done by itself, once a minute. */
  sweep(): Promise<void> {
    return this.#upkeep.round();
  }

  /** Writes what is not written yet, as far as the store takes it. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await Promise.all(this.#writing);
    await this.#pay();
    await this.#upkeep.stop();
  }

  #rowOf({ key, ownerId, operation, meaning, requestId }: Asked): ClaimRow {
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

  /** The claim if it was granted, and the one that stands. */
  async #ask(row: ClaimRow): Promise<readonly [SqlRow | undefined, SqlRow | undefined]> {
    try {
      const [claimed, standing] = await this.#deps.sql.transaction([
        claimKey(row),
        standingClaim(row),
      ]);
      return [claimed?.[0], standing?.[0]];
    } catch (cause) {
      // The answer may be all that was lost; then nobody runs what was claimed.
      this.#owe(row.claimId, releaseClaim(row.claimId));
      throw new GatewayError(
        'store_unavailable',
        'The gateway cannot look up the Idempotency-Key at the moment. Repeat the request.',
        { retryAfterSeconds: 1, cause },
      );
    }
  }

  async #standing(asked: Asked, row: SqlRow): Promise<Claimed> {
    const { meaning, answer, state } = row;
    if (!(meaning instanceof Uint8Array) || !timingSafeEqual(meaning, asked.meaning)) {
      return { kind: 'reused' };
    }
    const requestId = String(row['request_id']);
    if (state === 'running') return { kind: 'running' };
    if (!(answer instanceof Uint8Array)) return { kind: 'spent', requestId };
    try {
      const whose = await this.#sealedFor(asked, String(row['claim_id']));
      return { kind: 'kept', requestId, answer: openAnswer(whose, answer) };
    } catch (thrown) {
      this.#deps.onFailure(thrown);
      return { kind: 'spent', requestId };
    }
  }

  async #sealedFor(
    { key, ownerId }: Pick<Asked, 'key' | 'ownerId'>,
    claimId: string,
  ): Promise<SealedFor> {
    return { key, ownerId, claimId, salt: await this.#installationSalt() };
  }

  /** Read once; a failure is not remembered. */
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
    const [, rows] = await sql.transaction([offerSalt(clock.randomBytes(SALT_BYTES)), readSalt]);
    const salt = rows?.[0]?.['salt'];
    if (salt instanceof Uint8Array) return salt;
    throw new Error('the installation has no salt for kept answers');
  }

  #end(claimId: string, statement: SqlStatement): Promise<void> {
    const writing = this.#deps.sql.query(statement).then(
      () => undefined,
      (thrown: unknown) => {
        this.#deps.onFailure(thrown);
        this.#owe(claimId, statement);
      },
    );
    this.#writing.add(writing);
    return writing.finally(() => this.#writing.delete(writing));
  }

  #owe(claimId: string, statement: SqlStatement): void {
    if (this.#owed.size < MAX_OWED) this.#owed.set(claimId, statement);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#owed.size > 0) void this.#pay();
    if (this.#ticks % TICKS_A_ROUND === 0) void this.sweep();
  }

  /** Sends what is owed until the store refuses again. One at a time; never rejects. */
  #pay(): Promise<void> {
    this.#paying ??= this.#sendOwed().finally(() => {
      this.#paying = null;
    });
    return this.#paying;
  }

  async #sendOwed(): Promise<void> {
    for (const [claimId, statement] of this.#owed) {
      try {
        await this.#deps.sql.query(statement);
      } catch {
        // It was told of when it failed first; the next tick tries again.
        return;
      }
      this.#owed.delete(claimId);
    }
  }
}
