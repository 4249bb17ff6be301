/**
 * A deterministic simulation of nodes that share a store, their connections to it, callers and
 * administrators. The seed decides all events. After every step, the amounts in the store must
 * agree, and no node may hold more than its assignment.
 */
import { nextTurn } from '../../clock.ts';
import { hold } from '../conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger.ts';
import { checkMoney, checkRest } from './assigned-laws.fixture.ts';
import { SimulatedCallers } from './simulated-callers.fixture.ts';
import { type Connection, FAILURES, type SimulatedNode } from './simulated-node.fixture.ts';
import { SimulatedWorld } from './simulated-world.fixture.ts';

type Event = { readonly weight: number; readonly happen: () => void | Promise<void> };

/** How long a node waits for a reply from the store. */
const DEADLINE_MS = 5_000;
const HEARTBEAT_MS = 2_000;

class Simulation {
  readonly #world: SimulatedWorld;
  readonly #callers: SimulatedCallers;
  readonly #events: readonly Event[];
  /**
   * If true, running nodes renew their leases each time the simulated time advances, except while
   * the store is frozen.
   */
  readonly #isPrompt: boolean;
  #frozenUntilMs = 0;

  constructor(seed: number) {
    this.#world = new SimulatedWorld(seed);
    this.#callers = new SimulatedCallers(this.#world);
    this.#events = this.#mixture();
    this.#isPrompt = this.#world.random() < 0.8;
  }

  /** @throws Error with the list of events when an invariant is broken. */
  async run(steps: number): Promise<void> {
    const world = this.#world;
    try {
      for (const node of world.nodes) this.#startNode(node);
      await this.#settleDown();
      for (let step = 0; step < steps; step += 1) {
        await this.#step();
        checkMoney(world);
      }
      await this.#calmDown();
      await this.#spendAll();
    } catch (thrown) {
      const what = thrown instanceof Error ? thrown.message : String(thrown);
      throw new Error(`${what}\n${world.story.join('\n')}`, { cause: thrown });
    }
  }

  async #step(): Promise<void> {
    let chance = this.#world.random() * this.#events.reduce((sum, { weight }) => sum + weight, 0);
    const event = this.#events.find(({ weight }) => {
      chance -= weight;
      return chance < 0;
    });
    await event?.happen();
    await nextTurn();
  }

  /**
   * Returns the events that may happen, with weights that depend on the seed. Some weights are
   * zero.
   */
  #mixture(): readonly Event[] {
    const common: readonly Event[] = [
      { weight: 45, happen: () => this.#write() },
      { weight: 45, happen: () => this.#deliver() },
      { weight: 26, happen: () => this.#callers.start() },
      { weight: 8, happen: () => this.#callers.end() },
      { weight: 4, happen: () => this.#pass(this.#world.oneOf([1, 5, 20, 300])) },
      { weight: 4, happen: () => this.#passLong() },
      { weight: 4, happen: () => this.#beat() },
    ];
    const rare: readonly Event[] = [
      { weight: 3, happen: () => this.#callers.grow() },
      { weight: 2, happen: () => this.#callers.order() },
      { weight: 1, happen: () => this.#callers.administer() },
      { weight: 6, happen: () => this.#trouble() },
      { weight: 1.5, happen: () => this.#disaster() },
    ];
    const often = rare.map((event) => ({
      ...event,
      weight: event.weight * this.#world.oneOf([0, 0.3, 1, 2]),
    }));
    return [...common, ...often];
  }

  /** Lets the store apply a random question of a random node. */
  #write(): void {
    if (this.#world.model.nowMs < this.#frozenUntilMs) return;
    const [node, link] = this.#world.anyLink(({ waiting }) => waiting.length > 0);
    const what = link?.carryOut(this.#world.below(link.waiting.length)) ?? null;
    if (what !== null) this.#world.tell(`${node?.name}: the store writes ${what}`);
  }

  /** Delivers an answer or a notice. The node may pause or crash at any `await` that follows. */
  async #deliver(): Promise<void> {
    const noticed = this.#world.nodes.filter((each) => !each.isPaused && each.notices.length > 0);
    const isNotice = noticed.length > 0 && this.#world.random() < 0.2;
    const [answered, link] = this.#world.anyLink(({ answers }, each) => {
      return !each.isPaused && answers.length > 0;
    });
    const node = isNotice ? this.#world.oneOf(noticed) : answered;
    if (node === null) return;
    if (isNotice) {
      const [accountId = ''] = node.notices.splice(this.#world.below(node.notices.length), 1);
      this.#world.tell(`${node.name}: notice of ${accountId}`);
      void node.ledger.recalled([accountId]);
    } else {
      this.#world.tell(`${node.name}: an answer arrives`);
      link?.deliver();
    }
    if (this.#world.random() > 0.02) return;
    for (let turns = this.#world.below(12); turns > 0; turns -= 1) await null;
    if (this.#world.random() < 0.3) this.#crash(node);
    else {
      this.#world.tell(`${node.name} is paused for 12 s`);
      this.#pass(12_000, node);
      this.#world.model.reap();
    }
  }

  /** Fails a question, applies it without answering, delivers a delayed one, or drops a notice. */
  #trouble(): void {
    const [busy, found] = this.#world.anyLink(
      ({ waiting, stray }) => waiting.length + stray.length > 0,
    );
    const node = busy ?? this.#world.oneOf(this.#world.nodes);
    const link = found ?? node.ledgerLink;
    const at = this.#world.below(link.waiting.length);
    const chance = this.#world.random();
    if (chance < 0.4) {
      const how = this.#world.oneOf(FAILURES);
      const what = link.fail(at, how);
      if (what !== null) this.#world.tell(`${node.name}: ${what} fails, ${how}`);
    } else if (chance < 0.6) {
      const what = link.double(at);
      if (what !== null)
        this.#world.tell(`${node.name}: the store writes ${what}, and its answer is lost`);
    } else if (chance < 0.8) {
      const what = link.arrive();
      if (what !== null) this.#world.tell(`${node.name}: the store writes a late ${what}`);
    } else {
      const [lost] = node.notices.splice(this.#world.below(node.notices.length), 1);
      if (lost !== undefined) this.#world.tell(`${node.name}: the notice of ${lost} is lost`);
    }
  }

  #disaster(): void {
    const node = this.#world.oneOf(this.#world.nodes);
    const chance = this.#world.random();
    if (!node.isReady) this.#restart(node);
    else if (node.isPaused) {
      this.#world.tell(`${node.name} goes on`);
      node.isPaused = false;
    } else if (chance < 0.3) {
      this.#world.tell(`${node.name} is paused`);
      node.isPaused = true;
    } else if (chance < 0.45) this.#crash(node);
    else if (chance < 0.55) {
      this.#world.tell('the store is frozen for a minute');
      this.#frozenUntilMs = this.#world.model.nowMs + 60_000;
    } else if (chance < 0.75) this.#pass(this.#world.oneOf([4_000, 12_000, 60_000]));
    else {
      const by = this.#world.oneOf([3_000, -3_000, 60_000, -60_000, 86_400_000, -86_400_000]);
      this.#world.tell(`${node.name}: the wall clock jumps by ${by} ms`);
      node.clock.jumpedMs += by;
    }
  }

  /**
   * Delivers most of the messages, except to nodes that are down or paused. Then advances the time
   * by seconds.
   */
  async #passLong(): Promise<void> {
    this.#world.tell('most messages arrive');
    for (let round = this.#world.below(8); round > 0; round -= 1) {
      for (const node of this.#world.nodes.filter(({ isUp, isPaused }) => isUp && !isPaused)) {
        for (const link of node.links) {
          const isFrozen = this.#world.model.nowMs < this.#frozenUntilMs;
          while (!isFrozen && link.waiting.length > 0) link.carryOut(0);
          while (link.deliver());
        }
      }
      await nextTurn();
    }
    this.#pass(this.#world.oneOf([1_500, 2_500]));
  }

  /** Advances time, and runs the timers of all nodes that are neither paused nor `stopped`. */
  #pass(ms: number, stopped: SimulatedNode | null = null): void {
    this.#world.tell(`${ms} ms pass`);
    const isReachable = this.#world.model.nowMs >= this.#frozenUntilMs;
    for (let left = ms; left > 0; left -= HEARTBEAT_MS) {
      this.#world.model.nowMs += Math.min(left, HEARTBEAT_MS);
      for (const node of this.#world.nodes) {
        if (!node.isUp || node.isPaused || node === stopped) continue;
        for (const link of node.links) link.giveUp(DEADLINE_MS);
        node.clock.run();
        if (isReachable && this.#isPrompt) node.renew();
      }
    }
  }

  #startNode(node: SimulatedNode): void {
    this.#world.tell(`${node.name} starts`);
    this.#callers.expectAway(node, node.start(this.#world.newClock()));
  }

  /** Starts a node again if its start has failed or has not finished. */
  #restart(node: SimulatedNode): void {
    if (node.isUp) this.#crash(node);
    this.#startNode(node);
  }

  #crash(node: SimulatedNode): void {
    this.#world.tell(`${node.name} crashes`);
    node.crash();
    this.#callers.lose(node);
  }

  #beat(): void {
    const node = this.#world.anyNode();
    if (node === null) return;
    this.#world.tell(`${node.name}: heartbeat`);
    this.#callers.expectAway(node, node.beat());
  }

  /** Delivers all messages, settles all requests, and lets the leases of other epochs end. */
  async #calmDown(): Promise<void> {
    this.#world.tell('calm');
    this.#frozenUntilMs = 0;
    for (const node of this.#world.nodes) node.isPaused = false;
    await this.#settleDown();
    for (const node of this.#world.nodes) if (!node.isReady) this.#startNode(node);
    await this.#settleDown();
    for (let round = 0; round < 6; round += 1) {
      for (const request of this.#callers.running.values())
        if (!request.isSettling) this.#callers.endNow(request);
      await this.#settleDown();
      for (const node of this.#world.nodes) this.#callers.expectAway(node, node.beat());
      await this.#settleDown();
      this.#pass(3_000);
      await this.#settleDown();
    }
    checkRest(this.#world);
  }

  /** Checks that each account can spend exactly its balance, on any nodes. */
  async #spendAll(): Promise<void> {
    for (const accountId of this.#world.accountIds) {
      const account = this.#world.model.account(accountId);
      Object.assign(account, { isActive: true, isKeyActive: true, careful: 0 });
      for (const { caps } of Object.values(account.meters)) caps.total = null;
      account.memberCaps.month = null;
      this.#world.known.set(accountId, { isUsable: true, cap: null, changes: 0 });
      const each = 1n + account.free('USD') / BigInt(6 + this.#world.below(10));
      const count = account.free('USD') / each;
      this.#world.tell(`${accountId} has funds for ${count} requests of ${each}`);
      let [served, refused] = [0n, 0n];
      for (let asked = 0n; asked < count + 2n; asked += 1n) {
        const node = this.#world.oneOf(this.#world.nodes);
        const epoch = node.ledger.right.epoch ?? '';
        const whose = { accountId, epoch, atMs: node.clock.nowMs() };
        const id = this.#callers.next('k');
        const command = hold(id, each, { ...whose, expiresAtMs: whose.atMs + 600_000 });
        const outcome = Promise.resolve(node.ledger.hold(command));
        const heard = ({ status }: Outcome): void => {
          this.#world.tell(`${node.name}: ${id} ${status}`);
          if (status === 'applied' || status === 'already_applied') served += 1n;
          else if (status === 'balance_too_low') refused += 1n;
        };
        this.#callers.heard(node, node.ledger, outcome, heard, () => undefined);
        if (this.#world.random() < 0.4) await this.#settleDown();
        checkMoney(this.#world);
      }
      await this.#settleDown();
      checkMoney(this.#world);
      if (served !== count || refused !== 2n) {
        throw new Error(`${accountId}: served ${served} of ${count}, refused ${refused}`);
      }
    }
    for (const node of this.#world.nodes) this.#callers.expectAway(node, node.leave());
    await this.#settleDown();
    this.#world.model.reap();
    checkRest(this.#world);
  }

  /** Delivers all messages and runs all timers until nothing is left to do. */
  async #settleDown(): Promise<void> {
    for (let round = 0; round < 2_000; round += 1) {
      await nextTurn();
      let isBusy = false;
      for (const node of this.#world.nodes) {
        for (const accountId of node.notices.splice(0)) void node.ledger.recalled([accountId]);
        for (const link of node.links) isBusy = this.#flush(link) || isBusy;
      }
      await nextTurn();
      checkMoney(this.#world);
      if (isBusy) continue;
      const next = this.#world.nodes.flatMap(({ clock }) => clock.nextMs ?? []);
      if (next.length === 0) return;
      this.#world.model.nowMs += Math.min(...next);
      for (const { clock } of this.#world.nodes) clock.run();
    }
    const busy = this.#world.nodes.map(({ name, links, clock }) => {
      const asked = links.flatMap(({ waiting }) => waiting.map(({ what }) => what));
      return `${name}: ${asked.join(' ')}${clock.nextMs === null ? '' : ' sleeps'}`;
    });
    throw new Error(`the nodes do not come to rest: ${busy.join(', ')}`);
  }

  #flush(link: Connection): boolean {
    const isBusy = link.waiting.length + link.answers.length + link.stray.length > 0;
    while (link.stray.length > 0) link.arrive();
    while (link.waiting.length > 0) link.carryOut(0);
    while (link.deliver());
    return isBusy;
  }
}

export type Plan = {
  /** The first seed and the number of seeds. */
  readonly first: number;
  readonly seeds: number;
  readonly steps: number;
};

/** Returns the events of the first seed that breaks an invariant; null if no seed breaks one. */
export async function simulateNodes({ first, seeds, steps }: Plan): Promise<string | null> {
  for (let seed = first; seed < first + seeds; seed += 1) {
    try {
      await new Simulation(seed).run(steps);
    } catch (thrown) {
      return `seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    }
  }
  return null;
}
