/** Makes, extends and releases holds in a SQLite file. */
import { nano, ZERO } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import type { HoldCommand, Outcome, VoidCommand } from '../ledger.ts';
import { type CapRefusal, capsAt, meteredHold } from '../meter.ts';
import { affordable, type HoldPlan, type Means, planHold } from '../settlement-plan.ts';
import type { PreparedExtend } from '../wire.ts';
import type { Spender, SqliteJournal } from './sqlite-journal.ts';
import { requireMatch, type SqliteSettlements } from './sqlite-settlements.ts';
import type { HoldRow, Statements } from './sqlite-statements.ts';

export class SqliteHolds {
  readonly #sql: Statements;
  readonly #journal: SqliteJournal;
  readonly #settlements: SqliteSettlements;

  constructor(sql: Statements, journal: SqliteJournal, settlements: SqliteSettlements) {
    this.#sql = sql;
    this.#journal = journal;
    this.#settlements = settlements;
  }

  /** Makes a hold. Only the epoch `live`, which has the lease, may make holds. */
  hold(command: HoldCommand, live: string | null): Outcome {
    const { id, accountId, keyId, currency, exchange, priceRate, atMs } = command;
    if (this.#isTaken(id)) return this.#repeatedHold(command);
    const account = this.#sql.account.get(accountId);
    if (account === null) return { status: 'account_unknown' };
    if (!this.#isUsable(keyId, accountId, atMs)) return { status: 'key_inactive' };
    if (account.status !== 'active') return { status: 'account_inactive' };
    if (command.epoch !== live) return { status: 'epoch_over' };
    const isCareful = account.careful > 0n;
    if (isCareful && this.#hasHold(accountId)) return { status: 'one_at_a_time' };

    if (exchange !== null) this.#journal.mustBePublished(exchange);
    if (priceRate !== null) this.#journal.mustBePublished(priceRate);
    const { means } = this.#journal.walletPair(accountId, currency, exchange?.id ?? null);
    const { worstCase } = command;
    const amount = isCareful ? worstCase : command.amount;
    const atLeast = isCareful ? worstCase : command.atLeast;
    const caps = this.#caps({ keyId, accountId }, atMs, priceRate, atLeast);
    const plan = grant(amount, atLeast, means, caps);
    if ('status' in plan) return isCareful ? worstCaseTooLow(means, caps) : plan;
    const available = nano(affordable(without(means, plan)));
    const metered = meteredHold(plan.amount, priceRate);
    this.#sql.insertHold.run(
      ...[id, accountId, keyId, currency, command.amount, command.atLeast],
      ...[plan.amount, plan.own, plan.reserve, exchange?.base ?? null, exchange?.id ?? null],
      ...[priceRate?.id ?? null, metered, command.epoch, available, atMs, command.expiresAtMs],
    );
    this.#journal.move(accountId, currency, 0n, plan.own);
    this.#journal.move(accountId, exchange?.base ?? currency, 0n, plan.reserve);
    this.#journal.meterHold({ keyId, accountId }, metered);
    return { status: 'applied', result: { amount: nano(plan.amount), available, loss: ZERO } };
  }

  #repeatedHold(command: HoldCommand): Outcome {
    const first = this.#sql.holdById.get(command.id);
    const same =
      first !== null &&
      first.account_id === command.accountId &&
      first.key_id === command.keyId &&
      first.currency === command.currency &&
      first.asked === command.amount &&
      first.at_least === command.atLeast &&
      first.fx_rate_id === (command.exchange?.id ?? null) &&
      first.price_rate_id === (command.priceRate?.id ?? null) &&
      first.epoch === command.epoch;
    if (!same) return { status: 'id_reused' };
    return repeated(first.granted, first.available_after);
  }

  extend(command: PreparedExtend): Outcome {
    const { id, holdId, amount, atMs } = command;
    if (this.#isTaken(id)) return this.#repeatedExtend(command);
    const held = this.#sql.holdToResolve.get(holdId);
    if (held === null) return { status: 'hold_unknown' };
    const { account_id: accountId, key_id: keyId, currency } = held;
    if (!this.#isUsable(keyId, accountId, atMs)) return { status: 'key_inactive' };
    if (this.#sql.account.get(accountId)?.status !== 'active') {
      return { status: 'account_inactive' };
    }
    if (held.state !== 'pending') return { status: 'hold_resolved' };
    const { means, other } = this.#journal.walletPair(accountId, currency, held.fx_rate_id);
    const rate = held.price_rate_id === null ? null : this.#journal.rate(held.price_rate_id);
    const plan = grant(amount, amount, means, this.#caps({ keyId, accountId }, atMs, rate, amount));
    if ('status' in plan) return plan;
    const available = nano(affordable(without(means, plan)));
    const total = nano(held.amount + amount);
    const metered = meteredHold(total, rate) - held.metered;
    this.#sql.growHold.run(holdId, amount, plan.own, plan.reserve, metered);
    this.#journal.move(accountId, currency, 0n, plan.own);
    this.#journal.move(accountId, other?.currency ?? currency, 0n, plan.reserve);
    this.#journal.meterHold({ keyId, accountId }, metered);
    this.#keepCheckpoint(command, held);
    this.#sql.insertExtension.run(id, holdId, amount, total, available, atMs);
    return { status: 'applied', result: { amount: total, available, loss: ZERO } };
  }

  #keepCheckpoint({ holdId, checkpoint }: PreparedExtend, held: HoldRow): void {
    if (checkpoint === null) return;
    requireMatch(held, checkpoint.receipt);
    this.#sql.keepCheckpoint.run(holdId, checkpoint.charge, JSON.stringify(checkpoint.receipt));
  }

  #repeatedExtend({ id, holdId, amount }: PreparedExtend): Outcome {
    const first = this.#sql.sameExtension.get(id, holdId, amount);
    return first === null
      ? { status: 'id_reused' }
      : repeated(first.total_after, first.available_after);
  }

  void(command: VoidCommand): Outcome {
    const { id, accountId, keyId, currency, atMs } = command;
    const held = this.#sql.holdToResolve.get(id);
    if (held === null) return this.#voidBeforehand(command);
    if (held.account_id !== accountId || held.key_id !== keyId || held.currency !== currency) {
      return { status: 'id_reused' };
    }
    if (held.state !== 'pending') return this.#repeatedVoid(id);
    this.#settlements.release(id, held, { atMs, reaped: false });
    const { means } = this.#journal.walletPair(accountId, currency, held.fx_rate_id);
    const available = nano(affordable(means));
    this.#sql.keepVoid.run(id, available);
    return {
      status: 'applied',
      result: { amount: nano(held.amount), available, loss: ZERO },
    };
  }

  /** Marks the id as void. A hold command that is still in flight is refused when it arrives. */
  #voidBeforehand({ id, accountId, keyId, currency, atMs }: VoidCommand): Outcome {
    if (this.#isTaken(id)) return { status: 'id_reused' };
    if (this.#sql.account.get(accountId) === null) return { status: 'account_unknown' };
    if (this.#sql.key.get(keyId)?.account_id !== accountId) return { status: 'key_inactive' };
    const available = nano(affordable(this.#journal.walletPair(accountId, currency, null).means));
    this.#sql.insertTombstone.run(id, accountId, keyId, currency, available, atMs);
    return { status: 'applied', result: { amount: ZERO, available, loss: ZERO } };
  }

  #repeatedVoid(id: string): Outcome {
    const first = this.#sql.firstVoid.get(id);
    const available = first?.void_available ?? null;
    if (first === null || available === null) return { status: 'hold_resolved' };
    return repeated(first.amount, available);
  }

  /** Whether the account has a pending hold of more than zero. */
  #hasHold(accountId: string): boolean {
    return this.#sql.meterHolding.get(accountId)?.held !== 0n;
  }

  #isTaken(id: string): boolean {
    return this.#sql.idTaken.get(id)?.id_taken !== 0n;
  }

  #isUsable(keyId: string, accountId: string, atMs: number): boolean {
    const key = this.#sql.key.get(keyId);
    if (key === null || key.account_id !== accountId || key.status !== 'active') return false;
    return key.expires_at_ms === null || key.expires_at_ms > BigInt(atMs);
  }

  /** Returns what the caps of key and account still allow; null when they have no caps. */
  #caps(
    { keyId, accountId }: Spender,
    atMs: number,
    rate: Pick<FxRate, 'scaled'> | null,
    atLeast: bigint,
  ): Caps {
    const isUncapped = (owner: string): boolean => this.#sql.isCapped.get(owner) === null;
    if (isUncapped(keyId) && isUncapped(accountId)) return null;
    const key = this.#sql.meter.get(keyId);
    const account = this.#sql.meter.get(accountId);
    if (key === null || account === null) throw new Error(`no meter of ${keyId} or ${accountId}`);
    return capsAt({ key, account }, atMs, rate, atLeast);
  }
}

type Caps = { readonly room: bigint; readonly refusal: CapRefusal | null } | null;

/** Plans a hold that wallet and caps cover, or returns the refusal. */
function grant(amount: bigint, atLeast: bigint, means: Means, caps: Caps): HoldPlan | Outcome {
  const most = affordable(means);
  if (most < atLeast) return { status: 'balance_too_low', available: nano(most) };
  if (caps !== null && caps.refusal !== null) {
    const { owner, window, available } = caps.refusal;
    return { status: 'cap_reached', owner, window, available: nano(available) };
  }
  const wanted = caps !== null && caps.room < amount ? caps.room : amount;
  const plan = planHold(wanted, atLeast, means);
  if (plan === null) throw new Error('what is affordable and within the caps could not be planned');
  return plan;
}

function worstCaseTooLow(means: Means, caps: Caps): Outcome {
  const most = affordable(means);
  const available = caps !== null && caps.room < most ? caps.room : most;
  return { status: 'worst_case_too_low', available: nano(available) };
}

const without = (means: Means, plan: HoldPlan): Means => ({
  ...means,
  own: means.own - plan.own,
  other: means.other - plan.reserve,
});

function repeated(amount: bigint, available: bigint): Outcome {
  const result = { amount: nano(amount), available: nano(available), loss: ZERO };
  return { status: 'already_applied', result };
}
