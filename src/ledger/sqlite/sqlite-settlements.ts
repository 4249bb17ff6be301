/**
 * Writes charges to SQLite: those that the float (the holds in memory) has planned, and those whose
 * hold is not in memory.
 */
import { GatewayError } from '../../errors.ts';
import { nano } from '../../money/amount.ts';
import { dayOf, daysAt } from '../../money/calendar.ts';
import type { SqlValue } from '../../store/sql.ts';
import type {
  KeptCheckpoint,
  LateSettlement,
  LostCharge,
  PlannedCharge,
} from '../float/float-wire.ts';
import type { Outcome } from '../ledger.ts';
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
  type SettlePlan,
} from '../settlement-plan.ts';
import type { SqliteJournal, WalletPair } from './sqlite-journal.ts';
import type { ChargeRow, CheckpointRow, HeldTerms, Statements } from './sqlite-statements.ts';

/** The money that a charge adds to its row of `usage_day`. */
type DayCharge = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly metered: bigint;
};

/** The first charge of a request, to be written. */
type Booking = {
  readonly id: string;
  readonly terms: HeldTerms;
  readonly receipt: readonly ReceiptValue[];
  readonly price: bigint;
  readonly plan: SettlePlan;
  readonly available: bigint;
  readonly metered: bigint;
  readonly atMs: number;
};

type FirstReceipt = ChargeRow & HeldTerms & { readonly settled_at_ms: bigint };

export class SqliteSettlements {
  readonly #sql: Statements;
  readonly #journal: SqliteJournal;

  constructor(sql: Statements, journal: SqliteJournal) {
    this.#sql = sql;
    this.#journal = journal;
  }

  /** Writes a planned charge, unless the request was already settled. */
  charge(command: PlannedCharge): Outcome {
    const { id, price, taken, bought, sold, loss, receipt, careful, ...rest } = command;
    const terms = { ...ownerOf(receipt), held: command.held, exchange_id: command.exchangeId };
    const plan = { taken, bought, sold, loss };
    const pair = this.#journal.walletPair(terms, null);
    if (!this.#book({ id, terms, receipt, price, plan, ...rest }, pair)) {
      return this.#repeated(id, price, receipt);
    }
    if (careful !== null) this.#sql.setCareful.run(terms.account_id, careful);
    return settled('applied', { charge: taken, loss, available_after: command.available });
  }

  /** Settles a request without a hold in memory, or corrects what the reaper charged for it. */
  settle(command: LateSettlement): Outcome {
    const { id, charge, receipt } = command;
    const first = receiptIn(this.#sql, id);
    if (first === null) return this.#settleFirst(command, this.#sql.checkpoint.get(id));
    const isOpen = first.outcome === 'node_lost' && this.#sql.lateCharge.get(id) === null;
    if (!isOpen) return this.#repeated(id, charge, receipt);
    requireMatch(first, receipt);
    return this.#correct(command, first);
  }

  keep(command: KeptCheckpoint): void {
    const { id, epoch, held, exchangeId, charge, receipt } = command;
    const { account_id, key_id, currency } = ownerOf(receipt);
    this.#sql.keepCheckpoint.run(
      ...[id, account_id, key_id, currency, epoch, held, exchangeId],
      ...[charge, JSON.stringify(receipt)],
    );
  }

  forget(id: string): void {
    this.#sql.deleteCheckpoint.run(id);
  }

  /** Charges a dead process's checkpoint; deletes it if its price card or rate is unpublished. */
  reap({ id, atMs }: LostCharge): Outcome {
    const row = this.#sql.checkpoint.get(id);
    if (row === null) return { status: 'hold_unknown' };
    const { charge, receipt: text } = row;
    const receipt = text === null ? null : asNodeLost(JSON.parse(text) as ReceiptValue[]);
    if (charge === null || receipt === null || !this.#isBookable(receipt)) {
      this.forget(id);
      return { status: 'hold_resolved' };
    }
    return this.#settleBy(row, { id, charge, receipt, atMs });
  }

  #isBookable(receipt: readonly ReceiptValue[]): boolean {
    const { cardId } = partiesOf(receipt);
    const rateId = rateIdOf(receipt);
    const isPriced = this.#sql.card.get(cardId) !== null;
    return isPriced && (rateId === null || this.#sql.rate.get(rateId) !== null);
  }

  #settleFirst(command: LateSettlement, row: CheckpointRow | null): Outcome {
    const { charge, carefulAnswers, receipt } = command;
    if (row !== null) requireMatch(row, receipt);
    // Earlier versions sent no held amount. The checkpoint's, or else the charge, replaces it.
    const terms = {
      ...ownerOf(receipt),
      held: command.held ?? row?.held ?? charge,
      exchange_id: command.held === null ? (row?.exchange_id ?? null) : command.exchangeId,
    };
    const outcome = this.#settleBy(terms, command);
    this.#journal.watch(terms, charge, carefulAnswers);
    return outcome;
  }

  /** Settles a request without a charge planned in memory. The wallets pay what they can. */
  #settleBy(
    terms: HeldTerms,
    command: Pick<LateSettlement, 'id' | 'charge' | 'receipt' | 'atMs'>,
  ): Outcome {
    const { id, charge, receipt, atMs } = command;
    const pair = this.#journal.walletPair(terms, terms.exchange_id);
    const plan = planSettle(charge, pair.means);
    const available = affordable(leftBy(plan, pair.means));
    const metered = this.#metered(receipt, plan.taken);
    this.#book({ id, terms, receipt, price: charge, plan, available, metered, atMs }, pair);
    const { taken, loss } = plan;
    return settled('applied', { charge: taken, loss, available_after: available });
  }

  /** Writes a receipt and its effects. Returns false if the request already has a receipt. */
  #book(booking: Booking, pair: WalletPair): boolean {
    const { id, terms, receipt, price, plan, available, metered, atMs } = booking;
    const params = receiptParams(receipt);
    const values = this.#movement(terms, pair, plan, available, atMs);
    if (this.#sql.insertReceipt.run(...params, ...values).changes === 0) return false;
    this.#journal.pay(terms, plan);
    const { day, week, month } = daysAt(atMs);
    for (const owner of [terms.key_id, terms.account_id]) {
      this.#sql.meterSpent.run(owner, metered, day, week, month);
    }
    const { taken, loss } = plan;
    this.#addUse(terms, day, dayUseOf(params), { charge: taken, loss, metered });
    this.#sql.deleteCheckpoint.run(id);
    if (price > terms.held) this.#journal.overrun(id, terms, price, BigInt(atMs));
    return true;
  }

  /**
   * Corrects a charge that the reaper made for a checkpoint. Takes a missing part, up to what the
   * wallets cover, or returns an excess to the paying wallet, except what was refunded.
   */
  #correct({ id, charge, receipt, atMs, carefulAnswers }: LateSettlement, first: FirstReceipt) {
    const firstValues = this.#sql.receiptValues.values(id)[0];
    if (firstValues === undefined) throw new Error(`no receipt of ${id}`);
    const refunded = this.#sql.refunded.get(id)?.amount ?? 0n;
    const pair = this.#journal.walletPair(first, first.exchange_id);
    const plan = planCorrection(charge, { ...first, refunded }, pair.means);
    const available = affordable(leftBy(plan, pair.means));
    const params = receiptParams(receipt);
    this.#sql.insertLateReceipt.run(
      ...params,
      ...this.#movement(first, pair, plan, available, atMs),
    );
    this.#journal.pay(first, plan);
    const total = { charge: first.charge + plan.taken, loss: first.loss + plan.loss };
    const before = this.#metered(firstValues, first.charge);
    const after = this.#metered(receipt, total.charge);
    // The correction counts on the day of the first receipt.
    const day = BigInt(dayOf(Number(first.settled_at_ms)));
    for (const owner of [first.key_id, first.account_id]) {
      this.#sql.meterCorrected.run(owner, after - before, day);
    }
    const wrong = { charge: -first.charge, loss: -first.loss, metered: -before };
    this.#addUse(first, day, negated(dayUseOf(firstValues)), wrong);
    this.#addUse(first, day, dayUseOf(params), { ...total, metered: after });
    const price = total.charge + total.loss;
    if (price > first.held) this.#journal.overrun(id, first, price, first.settled_at_ms);
    else this.#sql.deleteOverrun.run(id);
    this.#journal.watch(first, price, carefulAnswers);
    return settled('applied', { ...total, available_after: available });
  }

  /** Returns the values of a receipt's `CHARGE_COLUMNS`: the amounts and the new balances. */
  #movement(
    { held, exchange_id }: HeldTerms,
    { wallet, other }: WalletPair,
    { taken, bought, sold, loss }: SettlePlan,
    available: bigint,
    atMs: number,
  ): SqlValue[] {
    const balance = taken === 0n ? null : wallet.balance + bought - taken;
    const otherBalance = sold === 0n ? null : other().balance - sold;
    return [
      ...[taken, loss, available, atMs, this.#journal.nextPlace(), held, exchange_id],
      ...[bought, sold, balance, otherBalance],
    ];
  }

  #repeated(id: string, charge: bigint, receipt: readonly ReceiptValue[]): Outcome {
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

  /** Returns the amount, in nano-USD, that a charge with this receipt uses of the caps. */
  #metered(receipt: readonly SqlValue[], charge: bigint): bigint {
    const rateId = rateIdOf(receipt);
    return meteredCharge(charge, meterRate(rateId === null ? null : this.#journal.rate(rateId)));
  }

  #addUse(
    { account_id, key_id }: HeldTerms,
    day: bigint,
    { model, channel, currency, counts }: DayUse,
    { charge, loss, metered }: DayCharge,
  ): void {
    this.#sql.addUsage.run(
      ...[account_id, day, key_id, model, channel, currency],
      ...[...counts, charge, loss, metered],
    );
  }
}

/** Returns a request's first receipt, or null. @throws GatewayError `conflict` if it is archived */
function receiptIn(sql: Statements, id: string): (FirstReceipt & { outcome: string }) | null {
  const first = sql.receiptCharge.get(id);
  if (first !== null || sql.archivedRequest.get(id) === null) return first;
  const message = `The request ${id} was settled before, and its receipt is archived.`;
  throw new GatewayError('conflict', message);
}

/** Returns the account, key and currency that a receipt charges. */
function ownerOf(receipt: readonly ReceiptValue[]) {
  const { accountId, keyId, currency } = partiesOf(receipt);
  if (currency !== 'USD' && currency !== 'CNY') throw new Error(`the receipt is in ${currency}`);
  return { account_id: accountId, key_id: keyId, currency } as const;
}

type Owner = Pick<HeldTerms, 'account_id' | 'key_id' | 'currency'>;

/** @throws Error when account, key or currency of the receipt and the hold differ. */
function requireMatch(held: Owner, receipt: readonly ReceiptValue[]): void {
  const of = ownerOf(receipt);
  const isSame =
    held.account_id === of.account_id && held.key_id === of.key_id && held.currency === of.currency;
  if (isSame) return;
  const { requestId } = partiesOf(receipt);
  throw new Error(
    `the receipt of ${requestId} names another account, key or currency than its hold`,
  );
}

function settled(status: 'applied' | 'already_applied', row: ChargeRow): Outcome {
  const { charge, available_after, loss } = row;
  const result = { amount: nano(charge), available: nano(available_after), loss: nano(loss) };
  return { status, result };
}

/** Returns the amounts that an account may still spend after a charge. */
const leftBy = ({ taken, bought, sold }: SettlePlan, means: Means): Means => ({
  ...means,
  own: means.own + bought - taken,
  other: means.other - sold,
});

const negated = (use: DayUse): DayUse => ({ ...use, counts: use.counts.map((count) => -count) });
