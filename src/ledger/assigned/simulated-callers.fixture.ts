/** The callers and administrators of a simulation. They also check the answers of the nodes. */
import { asGatewayError } from '../../errors.ts';
import { type Currency, nano } from '../../money/amount.ts';
import {
  adjust,
  checkpoint,
  credit,
  creditLimit,
  exchange,
  extend,
  hold,
  refund,
  settle,
  USD_CNY,
  voided,
} from '../conformance/ledger.fixture.ts';
import type {
  Applied,
  Command,
  ExtendCommand,
  Outcome,
  SettleCommand,
  VoidCommand,
} from '../ledger.ts';
import type { AssignedLedger } from './assigned-ledger.ts';
import type { SimulatedNode } from './simulated-node.fixture.ts';
import type { SimulatedWorld } from './simulated-world.fixture.ts';

/** A request that is running and holds money. */
type Running = {
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  readonly exchangeId: string | null;
  readonly node: SimulatedNode;
  held: bigint;
  extensions: number;
  /** The cost of the request so far. */
  cost: bigint;
  isSettling: boolean;
};

export class SimulatedCallers {
  readonly running = new Map<string, Running>();
  readonly #world: SimulatedWorld;
  /** The maximum amount of a new hold. */
  readonly #most: number;
  #count = 0;
  #lastOrder: Command | null = null;

  constructor(world: SimulatedWorld) {
    this.#world = world;
    this.#most = world.oneOf([8, 25, 60]);
  }

  /** Drops the requests of a node that has died. */
  lose(node: SimulatedNode): void {
    for (const request of [...this.running.values()]) {
      if (request.node === node) this.running.delete(request.id);
    }
  }

  next(kind: string): string {
    return `${kind}${this.#count++}`;
  }

  /** Starts a request. Some callers disconnect before the hold is answered. */
  start(): void {
    const node = this.#world.anyNode();
    if (node === null) return;
    const accountId = this.#world.oneOf(this.#world.accountIds);
    const id = this.next('r');
    const currency: Currency = this.#world.random() < 0.15 ? 'CNY' : 'USD';
    const isExchanging = currency === 'CNY' && this.#world.random() < 0.3;
    const amount = this.#world.amount(this.#most);
    const epoch = node.ledger.right.epoch ?? node.epoch;
    const atMs = node.clock.nowMs();
    const command = hold(id, amount, {
      ...{ accountId, currency, epoch, atMs, worstCase: amount + 10n },
      ...(isExchanging ? { exchange: USD_CNY } : {}),
      atLeast: this.#world.random() < 0.5 ? 1n : amount,
      expiresAtMs: atMs + (this.#world.random() < 0.1 ? 5_000 : 600_000),
    });
    this.#world.tell(`${node.name}: hold ${amount} ${currency} of ${accountId} as ${id}`);
    const leaves = this.#world.random() < 0.1;
    const whose = { accountId, currency };
    const decided = (outcome: Outcome, isAtOnce: boolean): void => {
      const text = isDone(outcome) ? `holds ${outcome.result.amount}` : outcome.status;
      this.#world.tell(`${node.name}: ${id} ${text}${isAtOnce ? ' at once' : ''}`);
      if (!isDone(outcome)) return;
      if (leaves) {
        this.#release(node, { ...voided(id, whose), atMs: node.clock.nowMs() });
        return;
      }
      const exchangeId = isExchanging ? USD_CNY.id : null;
      const held = outcome.result.amount;
      const terms = { id, accountId, currency, exchangeId, node, held };
      this.running.set(id, { ...terms, extensions: 0, cost: 0n, isSettling: false });
    };
    const { ledger } = node;
    const outcome = this.#try(() => ledger.hold(command));
    if (outcome instanceof Promise) {
      const failed = (): void => {
        this.#world.tell(`${node.name}: ${id} is in doubt`);
        this.#release(node, { ...voided(id, whose), atMs: node.clock.nowMs() });
      };
      this.heard(node, ledger, outcome, (it) => decided(it, false), failed);
    } else if (outcome !== null) {
      if (outcome.status === 'applied') this.#mayHold(node, accountId);
      decided(outcome, true);
    }
  }

  /** Continues a stream: stores a checkpoint, or asks for a larger hold. */
  grow(): void {
    const request = this.#anyRunning();
    if (request === null) return;
    const { id, node, accountId, currency } = request;
    if (this.#world.random() < 0.3) {
      this.#world.tell(`${node.name}: keep a checkpoint of ${id}`);
      node.ledger.keepCheckpoint(id);
      return;
    }
    const amount = this.#world.amount(15);
    if (request.cost < request.held / 2n) request.cost += this.#world.amount(5);
    const kept = checkpoint(id, request.cost, { accountId, currency });
    const made = extend(`${id}/${++request.extensions}`, id, amount, kept);
    const command: ExtendCommand = { ...made, atMs: node.clock.nowMs() };
    this.#world.tell(`${node.name}: extend ${id} by ${amount}, at ${request.cost}`);
    const decided = (outcome: Outcome): void => {
      this.#world.tell(`${node.name}: ${command.id} ${outcome.status}`);
      if (isDone(outcome)) request.held = outcome.result.amount;
    };
    this.heard(node, node.ledger, node.ledger.extend(command), decided, () => undefined);
  }

  /** Ends a request. Its charge is settled, or kept on disk if the store does not answer. */
  end(): void {
    const request = this.#anyRunning();
    if (request === null) return;
    const { id, node, accountId, currency, exchangeId, held } = request;
    request.isSettling = true;
    const isOverrun = this.#world.random() < 0.1;
    const charge = isOverrun ? held + this.#world.amount(30) : held - held / 3n;
    const command: SettleCommand = {
      ...settle(id, charge, { accountId, currency }),
      carefulAnswers: this.#world.random() < 0.2 ? 1 : 0,
      held: nano(held),
      exchangeId,
      atMs: node.clock.nowMs(),
    };
    this.#world.tell(`${node.name}: settle ${id} for ${charge}`);
    const answered = (): void => {
      this.running.delete(id);
      this.#world.acknowledged.set(id, command);
    };
    const decided = (outcome: Outcome): void => {
      this.#world.tell(`${node.name}: settle ${id} ${outcome.status}`);
      answered();
      if (!isDone(outcome)) {
        throw new Error(`the settlement of ${id} was ${outcome.status}`);
      }
      const written = this.#world.model.account(accountId).charged(id);
      const { amount, loss } = outcome.result;
      if (written?.charge !== amount || written.loss !== loss) {
        throw new Error(`${id} was charged ${written?.charge}, its answer says ${amount}`);
      }
    };
    const failed = (): void => {
      this.#world.tell(`${node.name}: settle ${id} is kept on disk`);
      // Each failure keeps a row of its own, so the replay of an earlier one does not remove it.
      node.spool.set(id, { ...command });
      answered();
    };
    const chance = this.#world.random();
    // The settlement waits on disk although the hold runs: see `Till.mustWait`.
    if (chance < 0.1) {
      failed();
      return;
    }
    if (chance < 0.2) {
      this.#world.tell(`${node.name}: settle ${id} twice`);
      const { ledger } = node;
      this.heard(node, ledger, ledger.settle(command), () => undefined, failed);
    }
    this.heard(node, node.ledger, node.ledger.settle(command), decided, failed);
  }

  endNow(request: Running): void {
    const { id, node, accountId, currency, exchangeId } = request;
    request.isSettling = true;
    const plain = settle(id, request.held / 2n, { accountId, currency });
    const command = { ...plain, held: nano(request.held), exchangeId };
    const decided = ({ status }: Outcome): void => {
      this.#world.tell(`${node.name}: settle ${id} ${status}`);
      this.running.delete(id);
      this.#world.acknowledged.set(id, command);
    };
    const failed = (): void => {
      request.isSettling = false;
    };
    this.heard(node, node.ledger, node.ledger.settle(command), decided, failed);
  }

  /** Sends a wallet command. */
  order(): void {
    const node = this.#world.anyNode();
    if (node === null) return;
    const accountId = this.#world.oneOf(this.#world.accountIds);
    const id = this.next('o');
    const currency = this.#world.random() < 0.7 ? 'USD' : 'CNY';
    const wallet = { accountId, currency } as const;
    const settled = [...this.#world.acknowledged.keys()];
    const command: Command = this.#world.oneOf([
      credit(id, this.#world.amount(300), wallet),
      adjust(id, -this.#world.amount(100), wallet),
      creditLimit(id, this.#world.amount(100), wallet),
      creditLimit(id, 0n, wallet),
      exchange(id, this.#world.amount(30), accountId),
      refund(id, settled.length > 0 ? this.#world.oneOf(settled) : 'none', this.#world.amount(10)),
    ]);
    const isRepeat = this.#world.random() < 0.2;
    const sent = isRepeat ? (this.#lastOrder ?? command) : command;
    this.#lastOrder = sent;
    this.#world.tell(`${node.name}: ${sent.kind} ${sent.id} ${command.amount} ${accountId}`);
    const decided = ({ status }: Outcome): void => {
      this.#world.tell(`${node.name}: ${sent.id} ${status}`);
      if (status === 'id_reused') throw new Error(`${sent.id} was refused as another command`);
    };
    this.heard(node, node.ledger, node.ledger.applyOne(sent), decided, () => undefined);
  }

  /** Changes a status or a cap. The change is answered once the account has no assignments left. */
  administer(): void {
    const node = this.#world.anyNode();
    const accountId = this.#world.oneOf(this.#world.accountIds);
    const known = this.#world.known.get(accountId);
    if (node === null || known === undefined) return;
    const { model } = this.#world;
    const isUsable = this.#world.random() < 0.6;
    const cap = this.#world.random() < 0.4 ? null : this.#world.amount(200);
    const chance = this.#world.random();
    const isCap = chance >= 0.6;
    const whose = chance >= 0.9 ? "member's " : '';
    const what = isCap ? `has the ${whose}cap ${cap}` : `is usable: ${isUsable}`;
    this.#world.tell(`${node.name}: ${accountId} ${what}`);
    known.changes += 1;
    Object.assign(known, { isUsable: null, cap: undefined });
    const write = (): void =>
      model.change(accountId, (account) => {
        if (chance >= 0.9) account.memberCaps.month = cap;
        else if (isCap) account.meters[chance < 0.75 ? 'key' : 'account'].caps.total = cap;
        else if (chance < 0.3) account.isKeyActive = isUsable;
        else account.isActive = isUsable;
      });
    const done = async (): Promise<void> => {
      const isAnswered = await node.administer(accountId, write);
      this.#world.tell(`${node.name}: ${accountId} ${what}: done`);
      // A node that did not answer in time may still make holds until its next check.
      if (!isAnswered) return;
      const account = model.account(accountId);
      known.changes -= 1;
      if (known.changes > 0) return;
      known.isUsable = account.isActive && account.isKeyActive;
      const { meters, memberCaps } = account;
      known.cap = meters.key.caps.total ?? memberCaps.month ?? meters.account.caps.total;
    };
    this.expectAway(node, done());
  }

  /**
   * Handles an outcome, unless the node has died. A command may fail only if the store is
   * unavailable.
   */
  heard(
    node: SimulatedNode,
    ledger: AssignedLedger,
    outcome: Promise<Outcome>,
    decided: (outcome: Outcome) => void,
    failed: () => void,
  ): void {
    const isDead = (): boolean => !node.isUp || node.ledger !== ledger;
    outcome
      .then(
        (given) => (isDead() ? undefined : decided(given)),
        (thrown: unknown) => {
          if (isDead()) return;
          if (asGatewayError(thrown).code !== 'store_unavailable') throw thrown;
          failed();
        },
      )
      .catch((thrown: unknown) => {
        this.#world.fault ??= thrown;
      });
  }

  expectAway(node: SimulatedNode, work: Promise<void>): void {
    const { ledger } = node;
    work.catch((thrown: unknown) => {
      if (node.ledger !== ledger) return;
      if (asGatewayError(thrown).code !== 'store_unavailable') this.#world.fault ??= thrown;
    });
  }

  /**
   * Checks a hold that a node made in memory: the node has a lease, and no acknowledged change by
   * an administrator forbids the hold.
   */
  #mayHold(node: SimulatedNode, accountId: string): void {
    const known = this.#world.known.get(accountId);
    const { epoch } = node.ledger.right;
    if (epoch === null || !this.#world.model.hasLease(epoch)) {
      throw new Error(`${node.name} holds without a lease`);
    }
    if (known?.isUsable === false) throw new Error(`${accountId} holds after its suspension`);
    if (typeof known?.cap === 'bigint') throw new Error(`${accountId} holds after its cap`);
  }

  /** Releases a hold, and keeps the release on disk if the store is unavailable. */
  #release(node: SimulatedNode, command: VoidCommand): void {
    const kept = (): void => {
      node.spool.set(command.id, command);
    };
    this.#world.tell(`${node.name}: void ${command.id}`);
    this.heard(node, node.ledger, node.ledger.applyOne(command), () => undefined, kept);
  }

  #try(ask: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> | null {
    try {
      return ask();
    } catch (thrown) {
      if (asGatewayError(thrown).code !== 'store_unavailable') throw thrown;
      return null;
    }
  }

  #anyRunning(): Running | null {
    const open = [...this.running.values()].filter(
      ({ isSettling, node }) => !isSettling && !node.isPaused,
    );
    return open.length === 0 ? null : this.#world.oneOf(open);
  }
}

/** Whether a command was applied, now or by an earlier attempt whose answer was lost. */
export const isDone = (
  outcome: Outcome,
): outcome is Extract<Outcome, { readonly result: Applied }> =>
  outcome.status === 'applied' || outcome.status === 'already_applied';
