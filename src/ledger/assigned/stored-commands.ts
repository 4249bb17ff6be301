/**
 * Has the store decide commands. Before the store refuses one because its money is assigned, all
 * nodes surrender the account. A hold in memory becomes a row of the store with its first command.
 */
import type { Clock } from '../../clock.ts';
import { ZERO } from '../../money/amount.ts';
import type { Float } from '../float/float.ts';
import type { FloatHold } from '../float/float-account.ts';
import { type Command, type Outcome, OutcomeInDoubt } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import type { Reply } from '../wire.ts';
import type { AssignedAccounts } from './assigned-accounts.ts';
import type { AssignmentStore, Recalled } from './assignment-store.ts';
import { type Assignments, isFault, type OnFault } from './assignments.ts';
import type { OnUnanswered } from './unanswered-recall.ts';

/** How long a command waits for other nodes to surrender an account, before it is decided. */
export const RECALL_MS = 1_000;
/**
 * How long a settlement waits: longer than the lease of a node that has died. What the wallet
 * cannot pay when it is decided is lost, though the node's assignment may return a moment later.
 */
export const SETTLE_RECALL_MS = 15_000;
/** The maximum number of remembered ids of stored holds. Fewer requests run at a time. */
const MAX_STORED = 20_000;
/** The first pause before a recalled command is sent again. Each pause is twice the last one. */
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
  /** Holds in memory that may have become a row, because the store did not answer. */
  readonly #doubtful = new WeakSet<FloatHold>();
  /** Ids of holds that this node has made in the store and not resolved, oldest first. */
  readonly #stored = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the store has, or may have, a hold of this id as a row. */
  isStored(holdId: string): boolean {
    return this.#stored.has(holdId);
  }

  /** Returns a hold that runs in memory, and is certainly no row of the store. */
  running(id: string): FloatHold | null {
    const held = this.#deps.float.holds.get(id);
    return held === undefined || this.#doubtful.has(held) ? null : held;
  }

  /** @param holdId the hold of the command, if it has one. @throws GatewayError as `apply` */
  async decide(command: Command, holdId: string | null): Promise<Outcome> {
    const { accounts, assignments, clock } = this.#deps;
    if (command.kind === 'hold') this.#remember(command.id);
    const waitMs = command.kind === 'settle' ? SETTLE_RECALL_MS : RECALL_MS;
    const untilMs = clock.monotonicMs() + waitMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const isFirm = clock.monotonicMs() >= untilMs;
      const reply = await this.#ask(command, holdId, isFirm);
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

  /** Makes a hold in memory a row. @throws GatewayError `store_unavailable` */
  async move(held: FloatHold): Promise<void> {
    this.#doubtful.add(held);
    const moving = this.#deps.store.ask('move', held, () => this.#moved(held));
    await this.#keptBy(moving, held);
  }

  async #ask(command: Command, holdId: string | null, isFirm: boolean): Promise<Reply | Recalled> {
    const { float, store } = this.#deps;
    const moved = (holdId === null ? undefined : float.holds.get(holdId)) ?? null;
    if (moved === null) return await store.ask('command', { command, moved, isFirm });
    this.#doubtful.add(moved);
    const asking = store.ask('command', { command, moved, isFirm }, () => this.#moved(moved));
    return await this.#keptBy(asking, moved);
  }

  /**
   * A hold that the store refuses as a row leaves its command in doubt, so that a settlement waits
   * on disk and is sent again.
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

  /** Reports a command that has failed, or has lost money, while a node kept its assignment. */
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

  /** The store has the hold as a row, and the assignment lacks its money. */
  #moved(held: FloatHold): void {
    const { accounts, float } = this.#deps;
    const { id, accountId, currency } = held.by;
    if (float.holds.get(id) !== held) return;
    float.release(held);
    this.#remember(id);
    accounts.giveBack(accountId, currency, held.own);
  }
}

/** The account of a command that can lack money; null for the others. */
function accountOf(command: Command): string | null {
  if (command.kind === 'settle') return command.receipt.accountId;
  return 'accountId' in command ? command.accountId : null;
}
