/** Stores the checkpoints of running requests once a second, many in one statement. */
import type { Clock, Timer } from '../../clock.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { checkCharge } from '../check-command.ts';
import { MAX_BATCH_COMMANDS } from '../group-commit.ts';
import type { Checkpoint, Sales } from '../ledger.ts';
import { receiptValues } from '../receipt-row.ts';

const SAVE_MS = 1_000;

export class StoredCheckpoints implements Pick<Sales, 'keepCheckpoint'> {
  readonly #sql: Pick<SqlExecutor, 'query'>;
  readonly #timer: Timer;
  /** The newest checkpoint of each running stream, by hold id, until the store has it. */
  readonly #unsaved = new Map<string, Checkpoint>();
  #saving: Promise<void> | null = null;

  constructor(sql: Pick<SqlExecutor, 'query'>, clock: Clock) {
    this.#sql = sql;
    this.#timer = clock.every(SAVE_MS, () => void this.save());
  }

  /** @throws as `Ledger.keepCheckpoint` */
  keepCheckpoint(holdId: string, checkpoint: Checkpoint): void {
    checkCharge(holdId, checkpoint);
    this.#unsaved.set(holdId, checkpoint);
  }

  /** Stores the unsaved checkpoints, unless an earlier call is still running. Never rejects. */
  save(): Promise<void> {
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /** Stops the timer and waits for a save in progress. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#saving;
  }

  async #save(): Promise<void> {
    const all = [...this.#unsaved];
    this.#unsaved.clear();
    for (let from = 0; from < all.length; from += MAX_BATCH_COMMANDS) {
      const part = all.slice(from, from + MAX_BATCH_COMMANDS);
      const wire = part.map(([id, { charge, receipt }]) => [
        ...[id, charge.toString()],
        receiptValues(receipt),
      ]);
      try {
        const params = [JSON.stringify(wire)];
        await this.#sql.query({ sql: 'SELECT books_keep($1::text::jsonb)', params });
      } catch {
        // The next call stores these checkpoints, except those that a newer one has replaced.
        for (const [id, checkpoint] of part) {
          if (!this.#unsaved.has(id)) this.#unsaved.set(id, checkpoint);
        }
      }
    }
  }
}
