/**
 * Lets the store decide commands. If the money that a command needs is assigned to nodes, all nodes
 * are first asked to surrender (return) it, and the command is retried. The first command about a
 * hold in memory also stores that hold as a row.
 */
import type { Clock } from '../../clock.ts';
import { ZERO } from '../../money/amount.ts';
import type { Float } from '../float/float.ts';
import type { FloatHold } from '../float/float-account.ts';
import { type Command, type Outcome, OutcomeInDoubt } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import type { Reply } from '../wire.ts';
import type { AssignedAccounts } from './assigned-accounts.ts';
import type { AssignmentStore, Recalled, StoredCommand } from './assignment-store.ts';
import { type Assignments, isFault, type OnFault } from './assignments.ts';
import type { OnUnanswered } from './unanswered-recall.ts';

/** How long a command waits for nodes to surrender its account. Then the store decides anyway. */
export const RECALL_MS = 1_000;
/**
 * How long a settlement waits for nodes to surrender an account: longer than the lease of a dead
 * node. After that, the amount that the wallet cannot pay is lost, even if an assignment is
 * returned later.
 */
export const SETTLE_RECALL_MS = 15_000;
/** Maximum remembered ids of stored holds. It is higher than the number of running requests. */
const MAX_STORED = 20_000;
/**
 * The first pause before a recalled command is retried. Each pause is twice the last one, up to
 * `MAX_PAUSE_MS`.
 */
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 200;

type Deps = {
  readonly float: Float;
  readonly store: AssignmentStore;
  readonly accounts: AssignedAccounts;
  readonly assignments: Assignments;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly onFault: OnFault;
  readonly onUnanswered: OnUnanswered;
};

export class StoredCommands {
  readonly #deps: Deps;
  /** Holds in memory that may also be rows, because a question about them got no answer. */
  readonly #doubtful = new WeakSet<FloatHold>();
  /** Ids of unresolved holds that the store has, or may have, as rows, oldest first. */
  readonly #stored = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the store has, or may have, a hold of this id as a row. */
  isStored(holdId: string): boolean {
    return this.#stored.has(holdId);
  }

  /** Returns a hold that runs in memory and is certainly not a row of the store; otherwise null. */
  running(id: string): FloatHold | null {
    const held = this.#deps.float.holds.get(id);
    return held === undefined || this.#doubtful.has(held) ? null : held;
  }

  /**
   * Lets the store decide a command.
   * @param holdId the hold that the command extends, settles or voids. If memory has this hold, it
   *   is stored as a row with the command. Null if memory has no such hold.
   * @param isKeyed see `Ledger.settle`
   * @throws GatewayError as `Ledger.apply`
   */
  async decide(command: Command, holdId: string | null, isKeyed = false): Promise<Outcome> {
    const { accounts, assignments, clock } = this.#deps;
    if (command.kind === 'hold') this.#remember(command.id);
    const waitMs = command.kind === 'settle' ? SETTLE_RECALL_MS : RECALL_MS;
    const untilMs = clock.monotonicMs() + waitMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const isFirm = clock.monotonicMs() >= untilMs;
      const reply = await this.#ask({ command, isFirm, isKeyed }, holdId);
      if (reply.status !== 'recalled') {
        const outcome = outcomeOf(reply);
        if (command.kind === 'settle' || command.kind === 'void') this.#stored.delete(command.id);
        const decided = accounts.decided(command, outcome);
        return isFirm ? this.#unanswered(command, decided) : decided;
      }
      await assignments.surrender(reply.accountId);
      await clock.sleep(Math.min(pauseMs, MAX_PAUSE_MS));
    }
  }

  /** Writes a hold that exists only in memory to the store. */
  async move(held: FloatHold): Promise<void> {
    this.#doubtful.add(held);
    const moving = this.#deps.store.ask('move', held, () => this.#moved(held));
    await this.#keptBy(moving, held);
  }

  async #ask(
    asked: Omit<StoredCommand, 'moved'>,
    holdId: string | null,
  ): Promise<Reply | Recalled> {
    const { float, store } = this.#deps;
    const moved = (holdId === null ? undefined : float.holds.get(holdId)) ?? null;
    if (moved === null) return await store.ask('command', { ...asked, moved });
    this.#doubtful.add(moved);
    const asking = store.ask('command', { ...asked, moved }, () => this.#moved(moved));
    return await this.#keptBy(asking, moved);
  }

  /**
   * Converts a refusal to store the hold into an outcome in doubt, so that a settlement waits on
   * disk and is retried.
   */
  async #keptBy<Answer>(asking: Promise<Answer>, { by }: FloatHold): Promise<Answer> {
    try {
      return await asking;
    } catch (thrown) {
      if (!isFault(thrown)) throw thrown;
      this.#deps.onFault(by.accountId, thrown);
      throw new OutcomeInDoubt(thrown);
    }
  }

  /**
   * Reports a command that was refused or not fully paid, because a node that did not answer in
   * time may still have money of the account.
   */
  #unanswered(command: Command, outcome: Outcome): Outcome {
    const loss = 'result' in outcome ? outcome.result.loss : ZERO;
    const isTooLow = outcome.status === 'balance_too_low';
    const owner = accountOf(command);
    if ((isTooLow || loss > ZERO) && owner !== null) {
      const { kind: of, id } = command;
      this.#deps.onUnanswered({ accountIds: [owner], of, id, loss });
    }
    return isTooLow ? { ...outcome, isPartial: true } : outcome;
  }

  #remember(id: string): void {
    const [oldest] = this.#stored;
    if (this.#stored.size >= MAX_STORED && oldest !== undefined) this.#stored.delete(oldest);
    this.#stored.add(id);
  }

  /**
   * Removes from memory a hold that the store now has as a row, and deducts its amount from the
   * assignment.
   */
  #moved(held: FloatHold): void {
    const { accounts, float } = this.#deps;
    const { id, accountId, currency } = held.by;
    if (float.holds.get(id) !== held) return;
    float.release(held);
    this.#remember(id);
    accounts.giveBack(accountId, currency, held.own);
  }
}

/** Returns the account that a command names; null for an extension or a refund. */
function accountOf(command: Command): string | null {
  if (command.kind === 'settle') return command.receipt.accountId;
  return 'accountId' in command ? command.accountId : null;
}
