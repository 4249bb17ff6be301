/** The nodes and requests of the conformance suite of Idempotency-Keys. */
import { eventually } from '../../test/support/eventually.ts';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { EPOCH } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { SqlExecutor } from '../store/sql.ts';
import {
  type Claimed,
  type Granted,
  IdempotencyKeys,
  type KeyedRequest,
  RETENTION_MS,
} from './idempotency-keys.ts';
import { IN_DOUBT_MS } from './idempotency-statements.ts';
import type { UpkeepDeps } from './idempotency-upkeep.ts';

const TIMEOUT_MS = 600_000;
/** A time long after the end of a claim's lease, which lasts for the timeout plus a margin. */
export const PAST_LEASE_MS = 10 * TIMEOUT_MS;
/**
 * How far to advance the test's clock after `leave`. `leave` ends a lease at the time of the
 * store's clock, so the test's clock must pass that time.
 */
export const PAST_LEAVING_MS = 30_000;
/**
 * How far to advance the test's clock after `leave`, so that the keys of the process that left are
 * no longer in doubt.
 */
export const PAST_DOUBT_MS = IN_DOUBT_MS + PAST_LEAVING_MS;
/** The epoch of a second process: the id of its lease. It sorts after `EPOCH`. */
export const OTHER_EPOCH = `${EPOCH}_other`;
const NODE_MS = RETENTION_MS * 3;
export const TICK_MS = 2_000;

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (claimed: Claimed): string =>
  claimed.kind === 'kept' ? new TextDecoder().decode(claimed.answer) : claimed.kind;

/**
 * Returns a request of the owner `alice` with this key. A different `question` yields a different
 * body.
 */
export const ask = (key: string, question = 1, more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  key,
  ownerId: 'alice',
  operation: 'chat',
  meaning: new Uint8Array(32).fill(question),
  requestId: `req_${key}`,
  ...more,
});

class Flaky implements SqlExecutor {
  isAway = false;
  /** Whether transactions are committed, but fail for the caller. */
  losesAnswers = false;
  readonly #inner: SqlExecutor;

  constructor(inner: SqlExecutor) {
    this.#inner = inner;
  }

  async query(statement: Parameters<SqlExecutor['query']>[0]) {
    this.#check();
    return await this.#inner.query(statement);
  }

  async transaction(statements: Parameters<SqlExecutor['transaction']>[0]) {
    this.#check();
    const answer = await this.#inner.transaction(statements);
    if (this.losesAnswers) throw new GatewayError('store_unavailable', 'the answer was lost');
    return answer;
  }

  #check(): void {
    if (this.isAway) throw new GatewayError('store_unavailable', 'away');
  }
}

type Node = {
  readonly keys: IdempotencyKeys;
  readonly failures: readonly unknown[];
  readonly store: Flaky;
};

/**
 * Starts a node by inserting its lease directly, because joining a SQLite store would end the first
 * node's lease.
 */
export async function node(
  { sql, ledger }: Database,
  clock: ManualClock,
  epoch = EPOCH,
  more: Pick<UpkeepDeps, 'accountBound' | 'storeBound'> = {},
): Promise<Node> {
  await sql.query({
    sql: `INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms) VALUES ($1, $2, $3, $4)
          ON CONFLICT (epoch) DO UPDATE SET lease_until_ms = excluded.lease_until_ms`,
    params: [epoch, epoch, clock.nowMs(), clock.nowMs() + NODE_MS],
  });
  const failures: unknown[] = [];
  const store = new Flaky(sql);
  const keys = new IdempotencyKeys({
    clock,
    epoch: () => epoch,
    totalTimeoutMs: TIMEOUT_MS,
    isHeld: (requestId) => ledger.inMemory.request(requestId),
    onFailure: (thrown) => failures.push(thrown),
    ...more,
    sql: store,
  });
  return { keys, failures, store };
}

/** A clock that starts at the store's time. `jump` advances it without running timers. */
type TestClock = ManualClock & { readonly jump: (byMs: number) => void };

export function clockNow(): TestClock {
  const clock = manualClock(systemClock.nowMs());
  let jumpedMs = 0;
  return {
    ...clock,
    nowMs: () => clock.nowMs() + jumpedMs,
    randomBytes: systemClock.randomBytes,
    jump: (byMs) => {
      jumpedMs += byMs;
    },
  };
}

export async function granted(keys: IdempotencyKeys, request: KeyedRequest): Promise<Granted> {
  const claimed = await keys.claim(request);
  if (claimed.kind !== 'granted') throw new Error(`not granted: ${claimed.kind}`);
  return claimed.granted;
}

export const kindOf = async (
  keys: IdempotencyKeys,
  request: KeyedRequest,
): Promise<Claimed['kind']> => (await keys.claim(request)).kind;

/**
 * Claims the key repeatedly, until the result is no longer `running`. Resolves with that result.
 */
export const onceNotRunning = (
  keys: IdempotencyKeys,
  request: KeyedRequest,
): Promise<Claimed['kind']> =>
  eventually('the key is not running', () => kindOf(keys, request), isOver);
const isOver = (kind: Claimed['kind']): boolean => kind !== 'running';

export const rowsOf = ({ sql }: Database) =>
  sql.query({ sql: 'SELECT * FROM idempotency ORDER BY created_at_ms, claim_id', params: [] });
