/** Writes the checkpoints of running streams, and resolves holds that no request will settle. */
import { asGatewayError } from '../../errors.ts';
import { MAX_BATCH_COMMANDS } from '../group-commit.ts';
import type { Reaped, SettleCommand } from '../ledger.ts';
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
  readonly settlements: FloatSettlements;
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
      const part = unsaved.slice(from, from + MAX_BATCH_COMMANDS);
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
    const { float, settlements } = this.#deps;
    const { id, accountId } = held.by;
    if (held.checkpoint !== null) {
      try {
        return (await settlements.settleRunning(nodeLost(held, nowMs), false)) !== null;
      } catch (thrown) {
        if (asGatewayError(thrown).code === 'store_unavailable') {
          // Nobody will repeat this charge, so the hold is restored and the next reap resolves it.
          const unsent = float.accounts.get(accountId)?.charges.get(id);
          if (unsent !== undefined) float.restore(unsent);
          throw thrown;
        }
      }
    }
    // Without a checkpoint, or with one that cannot be charged, the hold is released without a
    // charge.
    if (float.holds.has(id)) {
      float.release(held);
      if (held.checkpoint !== null) await this.forget(id);
    }
    return false;
  }
}

/** Returns the settlement that charges a hold by its checkpoint. */
function nodeLost({ checkpoint, by }: FloatHold, atMs: number): SettleCommand {
  if (checkpoint === null) throw new Error(`hold ${by.id} has no checkpoint`);
  const { charge, receipt } = checkpoint;
  const measure = receipt.measure === null ? null : 'estimated';
  return {
    kind: 'settle',
    id: by.id,
    charge,
    receipt: { ...receipt, outcome: 'node_lost', estimated: true, measure },
    carefulAnswers: 0,
    held: null,
    exchangeId: null,
    atMs,
  };
}
