/**
 * Manages the money that the store has assigned to one node: asks for more when requests need it,
 * returns unused money, and surrenders an account when the store recalls it.
 *
 * To surrender an account means to store its running holds as rows and to end its assignments. From
 * then on, the store decides everything about the account.
 */
import type { Clock } from '../../clock.ts';
import { asGatewayError } from '../../errors.ts';
import type { Currency } from '../../money/amount.ts';
import { unavailable } from '../../store/store-fault.ts';
import type { Float } from '../float/float.ts';
import type { FloatHold } from '../float/float-account.ts';
import { type HoldCommand, OutcomeInDoubt } from '../ledger.ts';
import type { AssignedAccounts } from './assigned-accounts.ts';
import { holdCount, type RunningHolds, runningHolds } from './assigned-holds.ts';
import { type AssignedRecord, CURRENCIES, hasVersion, isInUse } from './assigned-record.ts';
import type {
  Assign,
  Assigned,
  AssignmentStore,
  Surrender,
  Surrendered,
} from './assignment-store.ts';
import type { NodeRight } from './node-right.ts';

/** Maximum keys of an account that may hold money in memory. */
const MAX_KEYS = 64;
/**
 * An account gets an assignment if it makes at least this many holds between two checks, which
 * heartbeats run.
 */
const BUSY_HOLDS = 2;
/**
 * A node asks for this many times the amount of the current hold or, if that is more, for twice the
 * amount held since the last check.
 */
const RAISE_HOLDS = 8n;
/**
 * Maximum holds that one question stores. With a thousand, PostgreSQL takes half a second, and the
 * node's other writes wait.
 */
const MAX_MOVED = 128;
/** Maximum holds of surrenders that are sent together, because other writes wait for them. */
const MAX_WAVE = 512;
/** How long the node does not ask for more money after the store refused or recalled money. */
export const PAUSE_MS = 2_000;

export type AssignmentDeps = {
  readonly float: Float;
  readonly accounts: AssignedAccounts;
  readonly store: AssignmentStore;
  readonly right: NodeRight;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly onFault: OnFault;
};

/**
 * Called when the store refuses to store an account's holds. A surrender that is refused
 * repeatedly is reported once.
 */
export type OnFault = (accountId: string, thrown: unknown) => void;

/** Whether the store refused a question. An unavailable store is not a refusal. */
export const isFault = (thrown: unknown): boolean =>
  asGatewayError(thrown).code !== 'store_unavailable';

const idOf = ({ accountId }: AssignedRecord): string => accountId;

/** Splits accounts into groups whose surrender is small enough for one transaction. */
function* wavesOf(
  float: Float,
  records: readonly AssignedRecord[],
): Generator<readonly AssignedRecord[]> {
  let wave: AssignedRecord[] = [];
  let size = 0;
  for (const record of records) {
    wave.push(record);
    size += 1 + Math.min(holdCount(float, record.accountId), MAX_MOVED);
    if (size < MAX_WAVE) continue;
    yield wave;
    wave = [];
    size = 0;
  }
  if (wave.length > 0) yield wave;
}

/**
 * Stores holds as rows. If the store refuses a hold, adds the hold's id to `refused`.
 * @throws GatewayError `store_unavailable`
 */
async function move(
  { accounts, store }: Pick<AssignmentDeps, 'accounts' | 'store'>,
  holds: readonly FloatHold[],
  refused: Set<string>,
): Promise<void> {
  const moving = holds.map(async (held) => {
    try {
      await store.ask('move', held, () => accounts.moved(held));
    } catch (thrown) {
      if (!isFault(thrown)) throw thrown;
      refused.add(held.by.id);
    }
  });
  const failed = (await Promise.allSettled(moving)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

export class Assignments {
  readonly #deps: AssignmentDeps;

  constructor(deps: AssignmentDeps) {
    this.#deps = deps;
  }

  /** Counts a hold, and asks for more money if another hold of this amount might not be covered. */
  note({ accountId, keyId, currency, amount, atMs, epoch }: HoldCommand): void {
    const record = this.#deps.accounts.record(accountId);
    if (record === null || epoch !== this.#deps.right.epoch) return;
    record.held[currency] += amount;
    record.holds += 1;
    const isBusy = record.versions[currency] !== null || record.holds >= BUSY_HOLDS;
    if (!isBusy || amount === 0n || this.#isPaused(record)) return;
    const account = this.#deps.float.accounts.get(accountId);
    if (account?.state.covers(keyId, currency, 2n * amount, atMs) === true) return;
    const isLoaded = account?.isLoadedFor(keyId) === true;
    // The store refused this key in an earlier question, so the node does not ask for it again.
    if (hasVersion(record) && record.keyIds.has(keyId) && !isLoaded) return;
    const recent = 2n * record.held[currency];
    const few = RAISE_HOLDS * amount;
    void this.#ask(record, currency, recent > few ? recent : few, amount, keyId);
  }

  /** Surrenders the account if it is recalled; otherwise returns null. @throws as `surrender` */
  settled(accountId: string): Promise<void> | null {
    return this.#deps.accounts.records.get(accountId)?.isRecalled === true
      ? this.surrender(accountId)
      : null;
  }

  /** Surrenders an account. After a failure, it is still recalled. @throws `store_unavailable` */
  surrender(accountId: string): Promise<void> {
    const record = this.#deps.accounts.records.get(accountId);
    return record === undefined || !isInUse(record) ? NOTHING_TO_DO : this.#begin(record);
  }

  /** Surrenders the accounts that the store has recalled; null for all. Never rejects. */
  async recalled(accountIds: readonly string[] | null): Promise<void> {
    const { records } = this.#deps.accounts;
    const known = (accountIds ?? [...records.keys()]).map((id) => records.get(id) ?? null);
    await this.#surrenderAll(known.filter((record) => record !== null && isInUse(record)));
  }

  /** Reports used amounts to the store, surrenders recalled accounts, and returns unused money. */
  async check(): Promise<void> {
    const { accounts, store, right } = this.#deps;
    const { epoch } = right;
    if (epoch === null) return;
    const { used, keys } = accounts.inUse();
    const { recalled } = await store.ask('check', { epoch, used, keys }, (checked) =>
      accounts.checked(used, checked),
    );
    await this.#surrenderAll(recalled.map((accountId) => accounts.record(accountId)));
    const records = [...accounts.records.values()];
    await Promise.allSettled(records.map((record) => this.#shrink(record)));
  }

  /** Surrenders accounts in groups that are small enough for one transaction. Never rejects. */
  async #surrenderAll(known: readonly (AssignedRecord | null)[]): Promise<void> {
    const { float } = this.#deps;
    const records = known.filter((record) => record !== null);
    // From now on, the node makes no hold in memory for any of these accounts.
    for (const record of records) record.isRecalled = true;
    for (const wave of wavesOf(float, records)) {
      const running = runningHolds(float, wave.map(idOf));
      await Promise.allSettled(wave.map((record) => this.#begin(record, running)));
    }
  }

  /** Lowers assignments that exceed recent use. Surrenders an account that was not used at all. */
  async #shrink(record: AssignedRecord): Promise<void> {
    const account = this.#deps.float.accounts.get(record.accountId);
    const wasUsed = record.holds > 0;
    record.holds = 0;
    const held = { ...record.held };
    for (const currency of CURRENCIES) record.held[currency] = 0n;
    if (record.isRecalled || (!wasUsed && (account === undefined || account.isIdle))) {
      await this.surrender(record.accountId);
      if (!isInUse(record) && !this.#isPaused(record)) this.#deps.accounts.drop(record);
      return;
    }
    for (const currency of CURRENCIES) {
      const keep = 2n * held[currency];
      const excess = this.#deps.accounts.free(record.accountId, currency) - keep;
      if (excess > keep) await this.#ask(record, currency, -excess, 0n, null);
    }
  }

  /** Changes an assignment, if the node has a lease and no change or recall runs. Never rejects. */
  #ask(
    record: AssignedRecord,
    currency: Currency,
    change: bigint,
    atLeast: bigint,
    keyId: string | null,
  ): Promise<void> {
    const { accounts, right } = this.#deps;
    const { epoch } = right;
    if (record.asking !== null || record.isRecalled || epoch === null) {
      return record.asking ?? Promise.resolve();
    }
    if (keyId !== null && record.keyIds.size < MAX_KEYS) record.keyIds.add(keyId);
    // Removes the money before the store replies, so that no request holds it meanwhile.
    if (change < 0n) accounts.giveBack(record.accountId, currency, -change);
    const { accountId, versions, keyIds } = record;
    const of = { accountId, epoch, currency, version: versions[currency] };
    const asked: Assign = { ...of, change, atLeast, keyIds: [...keyIds] };
    record.asking = this.#deps.store
      .ask('assign', asked, (answer) => this.#absorb(record, asked, answer))
      .then(NOTHING, (thrown: unknown) => {
        // A raise in doubt at most assigns too much, which is harmless. A reduction in doubt may be
        // applied after a reply that still includes its money, so the account is surrendered.
        if (change >= 0n || !(thrown instanceof OutcomeInDoubt)) return;
        void this.#begin(record).catch(NOTHING);
      })
      .finally(() => {
        record.asking = null;
      });
    return record.asking;
  }

  #absorb(record: AssignedRecord, asked: Assign, answer: Assigned): void {
    const { accounts, clock } = this.#deps;
    if (!accounts.isKnown(record)) return;
    const isRefused = asked.change > 0n && answer.wallets[asked.currency].version === asked.version;
    if (isRefused) record.pausedUntilMs = clock.monotonicMs() + PAUSE_MS;
    accounts.absorb(record, answer);
    if (!answer.isFit) void this.#begin(record).catch(NOTHING);
  }

  /** Starts a surrender unless one runs. `running`: from `runningHolds`, called after recall. */
  #begin(record: AssignedRecord, running?: RunningHolds): Promise<void> {
    record.isRecalled = true;
    record.surrendering ??= this.#surrender(record, running).finally(() => {
      record.surrendering = null;
    });
    return record.surrendering;
  }

  async #surrender(record: AssignedRecord, running?: RunningHolds): Promise<void> {
    const { float, accounts, right, clock } = this.#deps;
    const { accountId } = record;
    record.pausedUntilMs = clock.monotonicMs() + PAUSE_MS;
    await record.asking;
    const among = running ?? runningHolds(float, [accountId]);
    /** Ids of holds that the store refuses as rows. The surrender includes and reports them. */
    const refused = new Set<string>();
    while (record.isRecalled) {
      const { epoch } = right;
      if (epoch === null || !accounts.isKnown(record)) return;
      const holds = accounts.holdsOf(accountId, among);
      const movable = holds.filter(({ by }) => !refused.has(by.id));
      if (movable.length > MAX_MOVED) {
        await move(this.#deps, movable.slice(0, MAX_MOVED), refused);
        continue;
      }
      const versions = { ...record.versions };
      const asked: Surrender = { accountId, epoch, versions, holds };
      await this.#askSurrender(record, asked, ({ USD, CNY }) => {
        if (!accounts.isKnown(record)) return;
        Object.assign(record.versions, { USD, CNY });
        // An assignment was changed during the surrender, so the loop surrenders the account again.
        if (hasVersion(record)) return;
        accounts.surrendered(accountId, holds);
        record.keyIds.clear();
        record.isRecalled = false;
      });
    }
  }

  /**
   * Treats a refusal as an unavailable store, so that settlements wait on disk and are retried.
   * @throws GatewayError `store_unavailable`
   */
  async #askSurrender(
    record: AssignedRecord,
    asked: Surrender,
    received: (left: Surrendered) => void,
  ): Promise<void> {
    const { store, onFault } = this.#deps;
    try {
      const { refused } = await store.ask('surrender', asked, received);
      record.isFaulty = false;
      for (const { id, reason } of refused) {
        onFault(record.accountId, new Error(`hold ${id}: ${reason}`));
      }
    } catch (thrown) {
      if (!isFault(thrown)) throw thrown;
      if (!record.isFaulty) onFault(record.accountId, thrown);
      record.isFaulty = true;
      throw unavailable(String(thrown));
    }
  }

  #isPaused({ pausedUntilMs, isRecalled }: AssignedRecord): boolean {
    return isRecalled || this.#deps.clock.monotonicMs() < pausedUntilMs;
  }
}

const NOTHING = (): void => {};
const NOTHING_TO_DO: Promise<void> = Promise.resolve();
