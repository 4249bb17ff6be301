/**
 * Lets the store decide commands. Before the store refuses a command because its money is assigned,
 * all nodes surrender the account. A hold in memory is stored as a row with its first command.
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

/** How long a command waits for other nodes to surrender an account. Then the store decides it. */
export const RECALL_MS = 1_000;
/**
 * How long a settlement waits for other nodes: longer than a dead node's lease. What the wallet
 * cannot pay then is lost, even if the node's assignment is returned a moment later.
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
  /** Holds in memory that may also be rows, because the store did not answer. */
  readonly #doubtful = new WeakSet<FloatHold>();
  /** Ids of unresolved holds that this node has made in the store, oldest first. */
  readonly #stored = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the store has, or may have, a hold of this id as a row. */
  isStored(holdId: string): boolean {
    return this.#stored.has(holdId);
  }

  /** Returns a hold that runs in memory and is certainly not a row of the store; else null. */
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
   * If the store refuses to store a hold, its command is in doubt, so that a settlement waits on
   * disk and is sent again.
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

  /** Reports a command that was refused or lost money while a node kept its assignment. */
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

  /** Removes a hold from memory that the store now has as a row, and its money. */
  #moved(held: FloatHold): void {
    const { accounts, float } = this.#deps;
    const { id, accountId, currency } = held.by;
    if (float.holds.get(id) !== held) return;
    float.release(held);
    this.#remember(id);
    accounts.giveBack(accountId, currency, held.own);
  }
}

/** Returns the account of a command that can lack money; null for other commands. */
function accountOf(command: Command): string | null {
  if (command.kind === 'settle') return command.receipt.accountId;
  return 'accountId' in command ? command.accountId : null;
}
