/**
 * Keeps what is remembered of Idempotency-Keys within its bounds, behind the requests and in small steps:
 * what is older than a day goes, and so do the oldest answers of whoever keeps too many.
 */
import type { Clock } from '../clock.ts';
import type { SqlExecutor } from '../store/sql.ts';
import {
  dropAnswers,
  firstNode,
  forgetExpired,
  keptInAll,
  oldestKept,
} from './idempotency-statements.ts';

export type AnswerBound = { readonly answers: number; readonly bytes: number };

const MIB = 1024 * 1024;
/** Enough to repeat a day of work that broke off; who needs more keeps its answers itself. */
export const ACCOUNT_BOUND: AnswerBound = { answers: 1_000, bytes: 64 * MIB };
/** What the store gives up for it over all accounts: a gigabyte of disk. */
export const STORE_BOUND: AnswerBound = { answers: 50_000, bytes: 1024 * MIB };
/** An account is looked at as soon as it has kept this part of its bound since the last look. */
const LOOK_AFTER_PART = 8;
/** Accounts whose new answers are counted; beyond it only the bound of the whole store holds. */
const MAX_COUNTED_ACCOUNTS = 10_000;
/** Of one statement, so that no settlement waits long behind it. */
const STEP_ROWS = 200;
const STEP_BYTES = 8 * MIB;
/** Bounds one round; what is left waits for the next. */
const MAX_STEPS = 500;

export type UpkeepDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Of this process. One of the live ones forgets what has expired; the smallest. */
  readonly epoch: () => string;
  /** Told of a round that failed; the next one tries again. */
  readonly onFailure: (thrown: unknown) => void;
  readonly accountBound?: AnswerBound;
  readonly storeBound?: AnswerBound;
};

type Kept = { answers: number; bytes: number };

export class IdempotencyUpkeep {
  readonly #deps: UpkeepDeps;
  readonly #accountBound: AnswerBound;
  readonly #storeBound: AnswerBound;
  /** What accounts have kept through this process since they were last looked at. */
  readonly #kept = new Map<string, Kept>();
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
    this.#accountBound = deps.accountBound ?? ACCOUNT_BOUND;
    this.#storeBound = deps.storeBound ?? STORE_BOUND;
  }

  /** Counts an answer that was kept, and has its account looked at once there are many. */
  count(ownerId: string, bytes: number): void {
    const kept = this.#kept.get(ownerId) ?? { answers: 0, bytes: 0 };
    if (this.#kept.size >= MAX_COUNTED_ACCOUNTS && !this.#kept.has(ownerId)) return;
    kept.answers += 1;
    kept.bytes += bytes;
    this.#kept.set(ownerId, kept);
    const bound = this.#accountBound;
    const isDue =
      kept.answers * LOOK_AFTER_PART >= bound.answers ||
      kept.bytes * LOOK_AFTER_PART >= bound.bytes;
    if (!isDue) return;
    this.#kept.delete(ownerId);
    void this.#after(() => this.#trim(ownerId, bound));
  }

  /** One round over everything. Never rejects. */
  round(): Promise<void> {
    return this.#after(async () => {
      const accounts = [...this.#kept.keys()];
      this.#kept.clear();
      for (const ownerId of accounts) await this.#trim(ownerId, this.#accountBound);
      if (!(await this.#isFirst())) return;
      const { sql, clock } = this.#deps;
      await this.#inSteps(() =>
        sql.query(forgetExpired(clock.nowMs(), STEP_ROWS, STEP_BYTES)).then(countOf),
      );
      await this.#trim(null, this.#storeBound);
    });
  }

  /** Begins nothing new, and resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  /** One after the other, so that a busy store is not asked more than one thing at a time. */
  #after(work: () => Promise<void>): Promise<void> {
    this.#working = this.#working.then(async () => {
      try {
        if (!this.#stopped) await work();
      } catch (thrown) {
        this.#deps.onFailure(thrown);
      }
    });
    return this.#working;
  }

  async #isFirst(): Promise<boolean> {
    const { sql, clock, epoch } = this.#deps;
    const [first] = await sql.query(firstNode(clock.nowMs()));
    return first?.['epoch'] === epoch();
  }

  /** Drops the oldest answers until the rest is within the bound. */
  async #trim(ownerId: string | null, bound: AnswerBound): Promise<void> {
    const { sql } = this.#deps;
    const [kept] = await sql.query(keptInAll(ownerId));
    let answers = Number(kept?.['answers'] ?? 0) - bound.answers;
    let bytes = Number(kept?.['bytes'] ?? 0) - bound.bytes;
    await this.#inSteps(async () => {
      if (answers <= 0 && bytes <= 0) return 0;
      const dropped: string[] = [];
      let stepBytes = 0;
      for (const oldest of await sql.query(oldestKept(ownerId, STEP_ROWS))) {
        if ((answers <= 0 && bytes <= 0) || stepBytes >= STEP_BYTES) break;
        dropped.push(String(oldest['claim_id']));
        stepBytes += Number(oldest['answer_bytes']);
        answers -= 1;
        bytes -= Number(oldest['answer_bytes']);
      }
      if (dropped.length > 0) await sql.query(dropAnswers(dropped));
      return dropped.length;
    });
  }

  /** Until a step finds nothing left to do. */
  async #inSteps(step: () => Promise<number>): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS && !this.#stopped; steps++) {
      if ((await step()) === 0) return;
    }
  }
}

const countOf = (rows: readonly unknown[]): number => rows.length;
