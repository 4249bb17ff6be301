/**
 * Makes scheduled backups. If there are several nodes, only one of them makes each backup. Deletes
 * expired backups, and raises an alert when a backup fails.
 */
import type { Clock, Timer } from '../clock.ts';
import type { BackupSettings } from '../config/storage/backup-settings.ts';
import { asGatewayError } from '../errors.ts';
import { dayOf } from '../money/calendar.ts';
import { type Alert, alertIdOf, alertOf } from '../topups/alerts/alert-outbox.ts';
import type { BackupRecord, BackupState } from './backup-record.ts';
import type { Backups } from './backups.ts';
import type { Backup, StoredBackup } from './place.ts';

const LOOK_EVERY_MS = 60_000;
/**
 * How long a reservation lasts. While a backup is running, each call of `look` extends its
 * reservation.
 */
const CLAIM_MS = 5 * LOOK_EVERY_MS;
/**
 * The delay after which a failed backup is retried. By then, the disk or bucket may be available
 * again.
 */
const RETRY_MS = 30 * 60_000;

export type ScheduleDeps = {
  readonly settings: Pick<BackupSettings, 'every' | 'keep'>;
  readonly backups: Pick<Backups, 'create' | 'isRunning' | 'list' | 'origin' | 'place'>;
  readonly record: BackupRecord;
  readonly raise: (alert: Alert) => Promise<boolean>;
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  readonly onMade: (made: Backup) => void;
  /** Called for each failure, after it is recorded. */
  readonly onFailure: (thrown: unknown) => void;
  /** Called when the state could not be read or written, or an old backup could not be deleted. */
  readonly onTrouble: (thrown: unknown) => void;
};

/**
 * Returns the time when the next backup is due; null if backups are not scheduled. A time more than
 * two intervals ahead is from a clock that was wrong, so a backup is due now.
 */
export function dueAtMs(
  { good, failed }: BackupState,
  everyMs: number | null,
  nowMs: number,
): number | null {
  if (everyMs === null) return null;
  const due = failed?.dueAtMs ?? (good === null ? 0 : good.atMs + everyMs);
  return due > nowMs + 2 * everyMs ? nowMs : due;
}

/**
 * Returns the backups of this installation that are older than `oldestMs`, except the newest valid
 * one, which is never deleted.
 * @param listed all backups, newest first
 */
export function expired(
  listed: readonly StoredBackup[],
  origin: string,
  oldestMs: number,
): readonly StoredBackup[] {
  const own = listed.filter((each) => each.origin === origin);
  const newest = own.find(({ isSound }) => isSound);
  return own.filter((each) => each !== newest && each.takenAtMs < oldestMs);
}

export class BackupSchedule {
  readonly #deps: ScheduleDeps;
  readonly #timer: Timer;
  #state: BackupState;
  #failures = 0;
  #running: Promise<void> | null = null;
  /** Whether this node has the reservation and is making a backup. */
  #isMaking = false;
  #isStopped = false;

  /**
   * Starts a timer that calls `look` until `stop` is called.
   * @param state the most recently read state.
   */
  constructor(deps: ScheduleDeps, state: BackupState) {
    this.#deps = deps;
    this.#state = state;
    this.#timer = deps.clock.every(LOOK_EVERY_MS, () => void this.look());
  }

  /** The state that all nodes share, as the last call of `look` read it. */
  get state(): BackupState {
    return this.#state;
  }

  /** Reads the state that all nodes share. @throws GatewayError `store_unavailable` */
  async refreshed(): Promise<BackupState> {
    this.#state = await this.#deps.record.read();
    return this.#state;
  }

  /** The number of failed backups of this process. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Makes a backup if one is due. If this node is already making a backup, extends its reservation.
   * Never rejects.
   */
  look(): Promise<void> {
    if (this.#isMaking) return this.#prolong();
    if (this.#running !== null) return this.#running;
    this.#running = this.#look()
      .catch(this.#deps.onTrouble)
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /**
   * Starts no further backups. If this interrupts a running backup, a node makes the backup again
   * after the reservation has ended.
   */
  stop(): void {
    this.#isStopped = true;
    this.#timer.cancel();
  }

  async #look(): Promise<void> {
    const { backups, record, settings, clock } = this.#deps;
    this.#state = await record.read();
    const nowMs = clock.nowMs();
    const due = dueAtMs(this.#state, settings.every, nowMs);
    if (this.#isStopped || backups.isRunning || due === null || due > nowMs) return;
    if (!(await record.claim(this.#state, nowMs, nowMs + CLAIM_MS))) return;
    this.#isMaking = true;
    try {
      await this.#make(settings.every ?? 0);
    } finally {
      this.#isMaking = false;
    }
    this.#state = await record.read();
  }

  async #make(everyMs: number): Promise<void> {
    const { backups, clock, onMade } = this.#deps;
    try {
      const made = await backups.create('system');
      if (made.breaches > 0) {
        // Waits for the full interval before the next attempt. An early retry would copy the same
        // invalid rows again, and take up space.
        const why = `Rows of the ledger that breach an invariant: ${made.breaches}. Run \`modelgate ledger verify\`.`;
        await this.#failed(why, clock.nowMs() + everyMs, new Error(why));
        return;
      }
      onMade(made);
    } catch (thrown) {
      const dueMs = clock.nowMs() + Math.min(everyMs, RETRY_MS);
      await this.#failed(asGatewayError(thrown).message, dueMs, thrown);
      return;
    }
    await this.#deleteOld().catch(this.#deps.onTrouble);
  }

  async #failed(why: string, dueMs: number, thrown: unknown): Promise<void> {
    // Stopping closes the store, so a running copy fails. This does not count as a failure.
    if (this.#isStopped) return;
    const { record, clock, onFailure, raise, backups } = this.#deps;
    this.#failures += 1;
    onFailure(thrown);
    const nowMs = clock.nowMs();
    await record.failed(why, nowMs, dueMs);
    const { good } = await record.read();
    await raise(failedAlert(why, backups.place.address, good?.atMs ?? null, nowMs));
  }

  async #deleteOld(): Promise<void> {
    const { backups, settings, clock } = this.#deps;
    if (settings.keep === null) return;
    const [listed, origin] = await Promise.all([backups.list(), backups.origin()]);
    for (const { name } of expired(listed, origin, clock.nowMs() - settings.keep))
      await backups.place.delete(name);
  }

  async #prolong(): Promise<void> {
    const { record, clock, onTrouble } = this.#deps;
    await record.prolong(clock.nowMs() + CLAIM_MS).catch(onTrouble);
  }
}

/** Creates an alert, at most one per destination and UTC day. */
function failedAlert(detail: string, place: string, goodAtMs: number | null, nowMs: number): Alert {
  const type = 'backup.failed';
  const last = goodAtMs === null ? null : new Date(goodAtMs).toISOString();
  return alertOf(
    alertIdOf(type, place, dayOf(nowMs)),
    { type, place, detail, last_good: last },
    nowMs,
  );
}
