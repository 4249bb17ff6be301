/** The nodes of a simulation, their store, and the answers that callers have received. */
import { type Random, seededRandom } from '../../../test/support/random.ts';
import { CURRENCIES, type Currency } from '../../money/amount.ts';
import { AT_MS, credit } from '../conformance/ledger.fixture.ts';
import type { Command, SettleCommand } from '../ledger.ts';
import { sellFor } from '../settlement-plan.ts';
import { AssignmentModel } from './assignment-model.fixture.ts';
import { type Connection, NodeClock, SimulatedNode } from './simulated-node.fixture.ts';

/**
 * The state of an account after the answered changes of administrators. A value is null (a status)
 * or undefined (a cap) while a change is unanswered. If the change failed, or if a node did not
 * answer in time, the value stays null or undefined: the store may still apply the change, or the
 * node may still make holds.
 */
type Known = { isUsable: boolean | null; cap: bigint | null | undefined; changes: number };

export class SimulatedWorld {
  readonly story: string[] = [];
  readonly model = new AssignmentModel(AT_MS);
  readonly nodes: readonly SimulatedNode[];
  readonly accountIds: readonly string[];
  /** Settlements that were acknowledged to callers, by request id. */
  readonly acknowledged = new Map<string, SettleCommand>();
  readonly known = new Map<string, Known>();
  /** For each wallet, the sum of its wallet commands, such as credits, except refunds. */
  readonly orders = new Map<string, bigint>();
  readonly random: Random;
  fault: unknown = null;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    const { model } = this;
    const nodes = this.oneOf([2, 2, 3, 4]);
    this.nodes = Array.from({ length: nodes }, (_, at) => {
      return new SimulatedNode(`n${at}`, model, this.newClock());
    });
    model.onOrder = (command, accountId) => this.ordered(command, accountId);
    model.onTouched = (accountId) => {
      for (const node of this.nodes) if (node.isUp) node.notices.push(accountId);
    };
    this.accountIds = this.oneOf([['acc0'], ['acc0'], ['acc0', 'acc1']]);
    for (const id of this.accountIds) this.#addAccount(id);
  }

  anyNode(): SimulatedNode | null {
    const up = this.nodes.filter(({ isReady, isPaused }) => isReady && !isPaused);
    return up.length === 0 ? null : this.oneOf(up);
  }

  anyLink(
    isIt: (link: Connection, node: SimulatedNode) => boolean,
  ): readonly [SimulatedNode, Connection] | readonly [null, null] {
    const found = this.nodes.flatMap((node) =>
      node.links.filter((link) => isIt(link, node)).map((link) => [node, link] as const),
    );
    return found.length === 0 ? [null, null] : this.oneOf(found);
  }

  ordered(command: Command, accountId: string): void {
    const add = (currency: Currency, amount: bigint): void => {
      const subject = `${accountId} ${currency}`;
      this.orders.set(subject, (this.orders.get(subject) ?? 0n) + amount);
    };
    if (command.kind === 'credit' || command.kind === 'adjust') {
      add(command.currency, command.amount);
    } else if (command.kind === 'exchange') {
      add(command.rate.quote, command.amount);
      add(command.rate.base, -sellFor(command.amount, command.rate.scaled));
    }
  }

  newClock(): NodeClock {
    return new NodeClock(() => this.model.nowMs, this.oneOf([1, 1, 0.97, 1.03]));
  }

  below(most: number): number {
    return Math.floor(this.random() * most);
  }

  amount(most: number): bigint {
    return BigInt(1 + this.below(most));
  }

  oneOf<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  tell(what: string): void {
    this.story.push(`${this.model.nowMs - AT_MS} ${what}`);
  }

  #addAccount(id: string): void {
    const account = this.model.addAccount(id);
    this.known.set(id, { isUsable: true, cap: null, changes: 0 });
    const amount = BigInt(this.below(8)) * 150n;
    for (const currency of CURRENCIES) {
      if (amount === 0n) continue;
      const first = credit(`${id}_${currency}`, amount, { accountId: id, currency });
      account.apply(first);
      this.ordered(first, id);
    }
  }
}
