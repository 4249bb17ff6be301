/** Writes the checkpoints of running streams, and resolves holds that no request will settle. */
import { asGatewayError } from '../../errors.ts';
import { MAX_BATCH_COMMANDS } from '../group-commit.ts';
import type { Reaped } from '../ledger.ts';
import { REAP_BATCH } from '../settlement-plan.ts';
import type { Float } from './float.ts';
import type { FloatHold } from './float-account.ts';
import type { FloatCommits } from './float-commits.ts';
import type { FloatSettlements } from './float-settlements.ts';
import type { FloatLink } from './float-store.ts';
import { checkpointToWire, lostToWire } from './float-wire.ts';
import type { LoadedAccounts } from './loaded-accounts.ts';

export type UpkeepDeps = {
  readonly float: Float;
  readonly link: FloatLink;
  readonly accounts: LoadedAccounts;
  readonly commits: FloatCommits;
  readonly settlements: Pick<FloatSettlements, 'forgetUnsent'>;
};

export class FloatUpkeep {
  readonly #deps: UpkeepDeps;

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
  }

  /** Writes the new checkpoints of running streams. Never rejects. */
  async saveCheckpoints(): Promise<void> {
    const { float, commits } = this.#deps;
    const unsaved = [...float.holds.values()].filter(({ isUnsaved }) => isUnsaved);
    for (let from = 0; from < unsaved.length; from += MAX_BATCH_COMMANDS) {
      // A hold may have ended while an earlier part was written. If it was voided, its checkpoint
      // was deleted, and writing it again would charge the request later.
      const part = unsaved
        .slice(from, from + MAX_BATCH_COMMANDS)
        .filter((held) => float.holds.get(held.by.id) === held);
      for (const held of part) held.isUnsaved = false;
      const wires = part.flatMap((held) =>
        held.checkpoint === null ? [] : [checkpointToWire(held, held.checkpoint)],
      );
      try {
        await commits.append(wires);
      } catch {
        // The next call tries to write these checkpoints again. Until then, the store has older
        // ones.
        for (const held of part) held.isUnsaved = true;
      }
    }
  }

  /**
   * Resolves holds that have expired or whose epoch has no lease, and streams of dead processes. If
   * a hold has a checkpoint, charges the cost in it. Otherwise releases the hold.
   */
  async reap(nowMs: number): Promise<Reaped> {
    const { float, link, accounts, commits, settlements } = this.#deps;
    const reaped = { settled: 0, voided: 0 };
    for (const held of float.lost(nowMs).slice(0, REAP_BATCH)) {
      reaped[(await this.#resolve(held, nowMs)) ? 'settled' : 'voided'] += 1;
    }
    for (const { id, accountId } of await link.ask('lost', { live: float.live })) {
      const [outcome] = await accounts.alone([accountId], async () =>
        commits.write([lostToWire(id, nowMs, accounts.reservedOf(accountId))]),
      );
      reaped[outcome?.status === 'applied' ? 'settled' : 'voided'] += 1;
    }
    settlements.forgetUnsent(nowMs);
    return reaped;
  }

  /** Deletes the checkpoint of a hold that was released, so that it is never charged. */
  async forget(id: string): Promise<void> {
    await this.#deps.commits.append([['forget', id]]);
  }

  /**
   * Charges the checkpoint of a hold of this process, or releases the hold.
   * @returns whether it was charged
   */
  async #resolve(held: FloatHold, nowMs: number): Promise<boolean> {
    const { float, accounts } = this.#deps;
    const { id, accountId } = held.by;
    const isRunning = (): boolean => float.holds.get(id) === held;
    if (held.checkpoint === null) {
      if (isRunning()) float.release(held);
      return false;
    }
    // The store plans this charge, with exclusive access to the account, and the hold ends only
    // after it. A charge planned in memory would free the rest of the hold at once. If the store
    // failed then, the hold could not run again, because other holds might have taken its money.
    return await accounts.alone([accountId], async () => {
      // The request may have been settled before the access was exclusive.
      if (!isRunning()) return false;
      const isCharged = await this.#chargeCheckpoint(held, nowMs);
      float.release(held);
      return isCharged;
    });
  }

  /**
   * Returns whether the store has charged the newest checkpoint of a hold. A checkpoint that cannot
   * be charged, such as one by an unknown price card, is deleted.
   * @throws GatewayError `store_unavailable`
   */
  async #chargeCheckpoint(held: FloatHold, nowMs: number): Promise<boolean> {
    const { accounts, commits } = this.#deps;
    const { id, accountId, currency } = held.by;
    const newest = held.checkpoint === null ? [] : [checkpointToWire(held, held.checkpoint)];
    const reserved = accounts.reservedOf(accountId);
    const [own, other] = [held.own, held.reserve];
    const others = {
      accountId,
      USD: reserved.USD - (currency === 'USD' ? own : other),
      CNY: reserved.CNY - (currency === 'CNY' ? own : other),
    };
    try {
      const outcomes = await commits.write([...newest, lostToWire(id, nowMs, others)]);
      return outcomes.at(-1)?.status === 'applied';
    } catch (thrown) {
      if (asGatewayError(thrown).code === 'store_unavailable') {
        // The store may have written the charge although it reported a failure.
        held.isInDoubt = true;
        throw thrown;
      }
      await this.forget(id);
      return false;
    }
  }
}
