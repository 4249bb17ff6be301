/** Resolves holds in a SQLite file: settles, releases and reaps them, and corrects reaped ones. */

import { nano } from '../../money/amount.ts';
import { dayOf, daysAt } from '../../money/calendar.ts';
import type { SqlValue } from '../../store/sql.ts';
import type { Outcome, Reaped } from '../ledger.ts';
import { meteredCharge, meterRate } from '../meter.ts';
import {
  asNodeLost,
  type DayUse,
  dayUseOf,
  partiesOf,
  type ReceiptValue,
  rateIdOf,
  receiptParams,
  sameReceipt,
} from '../receipt-row.ts';
import {
  affordable,
  type Means,
  planCorrection,
  planSettle,
  REAP_BATCH,
  type SettlePlan,
} from '../settlement-plan.ts';
import type { PreparedSettle } from '../wire.ts';
import type { SqliteJournal, WalletPair } from './sqlite-journal.ts';
import type { ChargeRow, HoldRow, Statements } from './sqlite-statements.ts';

/** The money that a charge adds to its row of `usage_day`. */
type DayCharge = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly metered: bigint;
};

export class SqliteSettlements {
  readonly #sql: Statements;
  readonly #journal: SqliteJournal;

  constructor(sql: Statements, journal: SqliteJournal) {
    this.#sql = sql;
    this.#journal = journal;
  }

  settle(command: PreparedSettle): Outcome {
    const held = this.#sql.holdToResolve.get(command.id);
    if (held === null) return { status: 'hold_unknown' };
    if (held.state === 'pending') return this.#settlePending(command, held, false);
    if (held.reaped === 0n) return this.#repeatedSettle(command);
    // The reaper has already resolved the hold and released what it reserved.
    requireMatch(held, command.receipt);
    if (held.state === 'settled') return this.#correct(command, held);
    return this.#settlePending(command, { ...held, own: 0n, reserve: 0n, metered: 0n }, false);
  }

  /** Releases what a hold reserved and sets its state to `void`. */
  release(
    id: string,
    held: HoldRow,
    { atMs, reaped }: { readonly atMs: number; readonly reaped: boolean },
  ): void {
    this.#sql.resolveHold.run(id, 'void', atMs, reaped ? 1 : 0);
    this.#journal.move(held.account_id, held.currency, 0n, -held.own);
    if (held.fx_rate_id !== null) {
      const { base } = this.#journal.rate(held.fx_rate_id);
      this.#journal.move(held.account_id, base, 0n, -held.reserve);
    }
    this.#journal.meterHold({ keyId: held.key_id, accountId: held.account_id }, -held.metered);
  }

  /** Resolves expired holds and those of other epochs: charges checkpoints, releases the rest. */
  reap(live: string | null, nowMs: number): Reaped {
    let settled = 0;
    let voided = 0;
    for (const { id } of this.#sql.lost.all(live ?? '', nowMs, REAP_BATCH)) {
      const held = this.#sql.holdToResolve.get(id);
      if (held === null) continue;
      if (this.#settleByCheckpoint(id, held, nowMs)) settled += 1;
      else {
        this.release(id, held, { atMs: nowMs, reaped: true });
        voided += 1;
      }
    }
    return { settled, voided };
  }

  #settleByCheckpoint(id: string, held: HoldRow, atMs: number): boolean {
    const { charge = null, receipt: text = null } = this.#sql.checkpoint.get(id) ?? {};
    if (charge === null || text === null) return false;
    const receipt = asNodeLost(JSON.parse(text) as ReceiptValue[]);
    // The receipt is checked before the first write, so that nothing needs to be undone.
    if (!this.#isBookable(receipt)) return false;
    const command = { kind: 'settle', id, charge, atMs, receipt, carefulAnswers: 0 } as const;
    this.#settlePending(command, held, true);
    return true;
  }

  #isBookable(receipt: readonly ReceiptValue[]): boolean {
    const { cardId } = partiesOf(receipt);
    const rateId = rateIdOf(receipt);
    const isPriced = this.#sql.card.get(String(cardId)) !== null;
    return isPriced && (rateId === null || this.#sql.rate.get(rateId) !== null);
  }

  #settlePending(command: PreparedSettle, held: HoldRow, reaped: boolean): Outcome {
    requireMatch(held, command.receipt);
    // The request may spend what its hold reserved and all free money.
    const walletPair = this.#journal.walletPair(held.account_id, held.currency, held.fx_rate_id);
    const free = walletPair.means;
    const means = { ...free, own: free.own + held.own, other: free.other + held.reserve };
    const plan = planSettle(command.charge, means);
    const { taken, loss } = plan;
    const available = affordable(leftBy(plan, means));
    this.#sql.resolveHold.run(command.id, 'settled', command.atMs, reaped ? 1 : 0);
    const params = receiptParams(command.receipt);
    const charge = this.#charge(held, walletPair, plan, available, command.atMs);
    this.#sql.insertReceipt.run(...params, ...charge);
    const metered = this.#metered(command.receipt, taken);
    const { day, week, month } = daysAt(command.atMs);
    for (const owner of [held.key_id, held.account_id]) {
      this.#sql.meterSpent.run(owner, held.metered, metered, day, week, month);
    }
    this.#addUse(held, day, dayUseOf(params), { charge: taken, loss, metered });
    const price = command.charge;
    if (price > held.amount) this.#journal.overrun(command, held, price, BigInt(command.atMs));
    if (!reaped) this.#journal.watch(command, held, price);
    return settled('applied', { charge: taken, loss, available_after: available });
  }

  /**
   * Corrects a charge by checkpoint. A missing part is taken as far as the wallet covers it; an
   * excess is returned in the wallet's own currency, minus refunds.
   */
  #correct(command: PreparedSettle, held: HoldRow): Outcome {
    const { id, atMs } = command;
    const first = this.#sql.receiptCharge.get(id);
    const firstValues = this.#sql.receiptValues.values(id)[0];
    if (first === null || firstValues === undefined) throw new Error(`no receipt of hold ${id}`);
    const refunded = this.#sql.refunded.get(id)?.amount ?? 0n;
    const walletPair = this.#journal.walletPair(held.account_id, held.currency, held.fx_rate_id);
    const plan = planCorrection(command.charge, { ...first, refunded }, walletPair.means);
    const available = affordable(leftBy(plan, walletPair.means));
    const params = receiptParams(command.receipt);
    // The reaper has already released what the hold reserved.
    const released = { ...held, own: 0n, reserve: 0n };
    const difference = this.#charge(released, walletPair, plan, available, atMs);
    this.#sql.insertLateReceipt.run(...params, ...difference);
    this.#sql.closeLate.run(id);
    const total = { charge: first.charge + plan.taken, loss: first.loss + plan.loss };
    const before = this.#metered(firstValues, first.charge);
    const after = this.#metered(command.receipt, total.charge);
    // The correction counts on the day of the receipt that it replaces.
    const day = BigInt(dayOf(Number(first.settled_at_ms)));
    for (const owner of [held.key_id, held.account_id]) {
      this.#sql.meterCorrected.run(owner, after - before, day);
    }
    const wrong = { charge: -first.charge, loss: -first.loss, metered: -before };
    this.#addUse(held, day, negated(dayUseOf(firstValues)), wrong);
    this.#addUse(held, day, dayUseOf(params), { ...total, metered: after });
    const price = total.charge + total.loss;
    if (price > held.amount) this.#journal.overrun(command, held, price, first.settled_at_ms);
    else this.#sql.deleteOverrun.run(id);
    this.#journal.watch(command, held, price);
    return settled('applied', { ...total, available_after: available });
  }

  /** Moves the wallets by a plan. @returns the values of `CHARGE_COLUMNS` for its receipt. */
  #charge(
    held: HoldRow,
    { wallet, other }: WalletPair,
    { taken, bought, sold, loss }: SettlePlan,
    available: bigint,
    atMs: number,
  ): SqlValue[] {
    this.#journal.move(held.account_id, held.currency, bought - taken, -held.own);
    if (other !== null) {
      this.#journal.move(held.account_id, other.currency, -sold, -held.reserve);
    }
    const balance = taken === 0n ? null : wallet.balance + bought - taken;
    const otherBalance = other === null || sold === 0n ? null : other.balance - sold;
    return [
      ...[taken, loss, available, atMs, this.#journal.nextPlace(), held.amount, held.fx_rate_id],
      ...[bought, sold, balance, otherBalance],
    ];
  }

  #repeatedSettle(command: PreparedSettle): Outcome {
    const { id, charge, receipt } = command;
    const first = this.#sql.receiptCharge.get(id);
    if (first === null) return { status: 'hold_resolved' };
    const late = this.#sql.lateCharge.get(id);
    const kept = (late === null ? this.#sql.receiptValues : this.#sql.lateReceiptValues).values(id);
    const total = {
      charge: first.charge + (late?.charge ?? 0n),
      loss: first.loss + (late?.loss ?? 0n),
      available_after: (late ?? first).available_after,
    };
    const stored = kept[0];
    const isSame = stored !== undefined && sameReceipt(stored, receipt);
    // Corrections do not return refunded money again, so the charges may sum to more than `charge`.
    const isCharge =
      total.charge + total.loss === charge || (late !== null && total.charge > charge);
    return isSame && isCharge ? settled('already_applied', total) : { status: 'hold_resolved' };
  }

  /** Returns what a charge by this receipt counts against spending caps, in nano-USD. */
  #metered(receipt: readonly SqlValue[], charge: bigint): bigint {
    const rateId = rateIdOf(receipt);
    return meteredCharge(charge, meterRate(rateId === null ? null : this.#journal.rate(rateId)));
  }

  #addUse(held: HoldRow, day: bigint, use: DayUse, money: DayCharge): void {
    this.#sql.addUsage.run(
      ...[held.account_id, day, held.key_id, use.model, use.channel, use.currency],
      ...[...use.counts, money.charge, money.loss, money.metered],
    );
  }
}

/** @throws Error when account, key or currency of the receipt and the hold differ. */
export function requireMatch(held: HoldRow, receipt: readonly ReceiptValue[]): void {
  const { requestId, accountId, keyId, currency } = partiesOf(receipt);
  if (held.account_id === accountId && held.key_id === keyId && held.currency === currency) return;
  throw new Error(
    `the receipt of ${requestId} names another account, key or currency than its hold`,
  );
}

function settled(status: 'applied' | 'already_applied', row: ChargeRow): Outcome {
  const { charge, available_after, loss } = row;
  const result = { amount: nano(charge), available: nano(available_after), loss: nano(loss) };
  return { status, result };
}

/** Returns what an account may spend after a charge. */
const leftBy = ({ taken, bought, sold }: SettlePlan, means: Means): Means => ({
  ...means,
  own: means.own + bought - taken,
  other: means.other - sold,
});

const negated = (use: DayUse): DayUse => ({ ...use, counts: use.counts.map((count) => -count) });
