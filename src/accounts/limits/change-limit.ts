/**
 * Limits the changes that one person, or the keys of one account, may make. Each change leaves an
 * entry in the audit log, which is never deleted, so endless changes would fill the disk.
 */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { DAY_MS } from '../../money/calendar.ts';

/**
 * What an owner may change within a day. It is enough to create the 10,000 keys that an account may
 * create in a day, and to change each of them.
 */
export const MAX_CHANGED_BYTES = 32 * 1024 * 1024;
/** The size of an entry in the audit log apart from what the body of the request says. */
const ENTRY_BYTES = 1024;
/** Maximum owners whose changes are counted. At this limit, the oldest count is dropped. */
const MAX_OWNERS = 10_000;

type Count = { readonly bytes: number; readonly atMs: number };

export class ChangeLimit {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** The changes of each owner that have not drained yet, the oldest owner first. */
  readonly #counts = new Map<string, Count>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /**
   * Counts a change whose request has a body of this size.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  take(owner: string, bodyBytes: number): void {
    const atMs = this.#clock.monotonicMs();
    const earlier = this.#counts.get(owner) ?? { bytes: 0, atMs };
    const drained = ((atMs - earlier.atMs) * MAX_CHANGED_BYTES) / DAY_MS;
    const bytes = Math.max(0, earlier.bytes - drained) + ENTRY_BYTES + bodyBytes;
    if (bytes > MAX_CHANGED_BYTES) throw tooManyChanges(bytes - MAX_CHANGED_BYTES);
    this.#counts.delete(owner);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size >= MAX_OWNERS && oldest !== undefined) this.#counts.delete(oldest);
    this.#counts.set(owner, { bytes, atMs });
  }
}

const tooManyChanges = (excessBytes: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'You have made too many changes within a day. Retry after the time in retry-after.',
    { retryAfterSeconds: Math.ceil((excessBytes * DAY_MS) / MAX_CHANGED_BYTES / 1000) },
  );
