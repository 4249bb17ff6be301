/**
 * A deterministic simulation of the float (the holds in memory), the store's thread, a process that
 * dies, requests and administrators. The seed decides all events. After every step, the float must
 * agree with the database and with the answers that callers got.
 */
import { oneOf, type Random, seededRandom } from '../../../test/support/random.ts';
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { nextTurn } from '../../clock.ts';
import { asGatewayError } from '../../errors.ts';
import { type Currency, nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { extend, hold, settle, USD_CNY, voided } from '../conformance/ledger.fixture.ts';
import type { Command, Outcome, SettleCommand, VoidCommand } from '../ledger.ts';
import { Float } from './float.ts';
import { disagreements, hasReceipt } from './float-agreement.fixture.ts';
import { BOOK_MS } from './float-commits.ts';
import { CHECKPOINT_MS, FloatLedger } from './float-ledger.ts';
import type { FloatLink } from './float-store.ts';
import { keysOf, SimulatedAdministrator } from './simulated-administrator.fixture.ts';
import {
  checkpointsOf,
  isRefusable,
  priced,
  type Running,
  termsOf,
  UNKNOWN_CARD,
  walletCommand,
  wrongAnswer,
} from './simulated-commands.fixture.ts';
import type { SimulatedThread } from './simulated-thread.fixture.ts';

const ACCOUNTS = 2;
/**
 * Maximum accounts in memory. It is low, so that idle accounts are dropped while others are in use.
 */
const MAX_ACCOUNTS = 1;

export class Simulation {
  readonly story: string[] = [];
  readonly thread: SimulatedThread;
  readonly running = new Map<string, Running>();
  /** Settlements that were acknowledged to callers. */
  readonly acknowledged = new Map<string, SettleCommand>();
  /** Requests whose hold was released: they must never be charged. */
  readonly dropped = new Set<string>();
  /** Settlements that wait on disk. */
  readonly kept = new Map<string, SettleCommand | VoidCommand>();
  readonly clock: ManualClock;
  readonly #administrator: SimulatedAdministrator;
  float = new Float(MAX_ACCOUNTS);
  ledger: FloatLedger;
  readonly #random: Random;
  readonly #name: string;
  #jumpedMs = 0;
  #lives = 0;
  #count = 0;
  #fault: unknown = null;
  #lastOrders: readonly Command[] = [];

  constructor(seed: number, thread: SimulatedThread) {
    this.#random = seededRandom(seed);
    this.#name = `s${seed}`;
    this.thread = thread;
    const clock = manualClock();
    this.clock = { ...clock, nowMs: () => clock.nowMs() + this.#jumpedMs };
    this.ledger = this.#born();
    this.#administrator = new SimulatedAdministrator(this, this.#random);
  }

  get accountIds(): readonly string[] {
    return Array.from({ length: ACCOUNTS }, (_, each) => `${this.#name}_${each}`);
  }

  /** @throws Error with the history of events when an invariant is broken. */
  async run(steps: number): Promise<void> {
    this.thread.crash();
    this.thread.disk = 'sound';
    // No period of an earlier seed is in the future, so a reset concerns only this seed's accounts.
    this.thread.query('UPDATE spend_meter SET day = 0, week = 0, month = 0');
    for (const id of this.accountIds) this.#administrator.addAccount(id);
    await this.#reborn();
    for (let step = 0; step < steps; step += 1) {
      await this.#step();
      this.#check();
    }
    await this.#calmDown();
    this.#check();
    this.#checkEnd();
  }

  async #step(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.29) this.thread.step();
    else if (chance < 0.58) this.thread.deliver();
    else if (chance < 0.6) await this.#pass(BOOK_MS);
    else if (chance < 0.69) this.#start();
    else if (chance < 0.76) this.#grow();
    else if (chance < 0.83) this.#end();
    else if (chance < 0.84) this.#drop();
    else if (chance < 0.9) this.#order();
    else if (chance < 0.93) this.#administrator.act();
    else if (chance < 0.945) this.#beat();
    else if (chance < 0.97) await this.#pass(CHECKPOINT_MS);
    else if (chance < 0.985) this.#damage();
    else if (chance < 0.993) this.#jump();
    else await this.#crash();
    await nextTurn();
  }

  #start(): void {
    const accountId = this.#oneOf(this.accountIds);
    const keyId = this.#oneOf(keysOf(accountId));
    const id = `${this.#name}_r${this.#count++}`;
    const isYuan = this.#random() < 0.3;
    const currency: Currency = isYuan ? 'CNY' : 'USD';
    const isExchanging = isYuan && this.#random() < 0.7;
    const amount = this.#amount(40);
    const terms = {
      ...{ accountId, keyId, currency, epoch: this.#epoch, atMs: this.clock.nowMs() },
      ...{ atLeast: this.#random() < 0.5 ? 1n : amount, worstCase: amount + 10n },
      ...(isYuan ? { priceRate: USD_CNY } : {}),
      ...(isExchanging ? { exchange: USD_CNY } : {}),
      expiresAtMs: this.clock.nowMs() + 60_000 + Math.floor(this.#random() * 600_000),
    } as const;
    this.tell(`hold ${amount} ${currency} as ${id} by ${keyId}`);
    const ledger = this.ledger;
    const decided = (outcome: Outcome): void => {
      if (ledger !== this.ledger) return;
      this.tell(`${id}: ${outcome.status}`);
      if (outcome.status !== 'applied') return;
      if (this.thread.isAway || this.thread.isStuck)
        throw new Error(`${id} was granted while the store is away`);
      if (!this.float.holds.has(id)) throw new Error(`${id} was granted, and nothing is held`);
      this.#administrator.mayHold(accountId, keyId, terms.atMs, this.clock.nowMs());
      const exchangeId = isExchanging ? USD_CNY.id : null;
      const held = outcome.result.amount;
      const request = { id, accountId, keyId, currency, exchangeId, held, extensions: 0, cost: 0n };
      this.running.set(id, { ...request, isSettling: false });
    };
    this.#watch(() => ledger.hold(hold(id, amount, terms)), decided);
  }

  /** Continues a stream with a checkpoint of its cost. */
  #grow(): void {
    const request = this.#anyRunning();
    if (request === null) return;
    const amount = this.#amount(15);
    request.cost += request.held / 2n > request.cost ? this.#amount(5) : 0n;
    const kept = priced(request, request.cost);
    if (this.#random() < 0.3) {
      this.tell(`keep a checkpoint of ${request.id} at ${request.cost}`);
      this.ledger.keepCheckpoint(request.id, kept);
      return;
    }
    const id = `${request.id}/${++request.extensions}`;
    this.tell(`extend ${request.id} by ${amount}, at ${request.cost}`);
    const command = { ...extend(id, request.id, amount, kept), atMs: this.clock.nowMs() };
    const ledger = this.ledger;
    this.#watch(
      () => ledger.extend(command),
      (outcome) => {
        this.tell(`${id}: ${outcome.status}`);
        if (outcome.status === 'applied') request.held = outcome.result.amount;
      },
    );
  }

  /** Ends a request after its answer was sent: settles it now, or leaves the settlement on disk. */
  #end(): void {
    const request = this.#anyRunning();
    if (request === null) return;
    const { id, exchangeId } = request;
    request.isSettling = true;
    if (this.#random() < 0.08) {
      this.#endWrongly(request);
      return;
    }
    const isOverrun = this.#random() < 0.15;
    const charge = isOverrun ? request.held + this.#amount(30) : request.held - request.held / 3n;
    const command: SettleCommand = {
      ...settle(id, charge, termsOf(request)),
      ...priced(request, charge),
      carefulAnswers: this.#random() < 0.3 ? 1 : 0,
      held: nano(request.held),
      exchangeId,
      atMs: this.clock.nowMs(),
    };
    this.tell(`settle ${id} for ${charge}`);
    const { ledger } = this;
    const answered = (): void => {
      this.running.delete(id);
      this.acknowledged.set(id, command);
    };
    if (this.#random() < 0.1) {
      this.tell(`${id}: waits on disk at once`);
      this.kept.set(id, command);
      answered();
      return;
    }
    if (this.#random() < 0.1) {
      this.tell(`${id}: settled twice`);
      ledger
        .settle(command)
        .catch((thrown: unknown) => ledger === this.ledger && this.expectAway(thrown));
    }
    ledger.settle(command).then(
      (outcome) => {
        if (ledger !== this.ledger) return;
        this.tell(`${id}: ${outcome.status}`);
        this.#checkAnswer(id, outcome);
        answered();
      },
      (thrown: unknown) => {
        if (ledger !== this.ledger) return;
        this.expectAway(thrown);
        this.tell(`${id}: kept on disk`);
        this.kept.set(id, command);
        answered();
      },
    );
  }

  /** Settles a request by a price card that is not published. The ledger refuses it. */
  #endWrongly(request: Running): void {
    const { id } = request;
    const bad = { cardId: UNKNOWN_CARD, ...termsOf(request) };
    const command = { ...settle(id, request.held / 2n, bad), atMs: this.clock.nowMs() };
    this.tell(`settle ${id} by an unknown card`);
    this.running.delete(id);
    const { ledger } = this;
    ledger.settle(command).then(
      ({ status }) => {
        if (ledger === this.ledger && status !== 'hold_resolved')
          this.#fault ??= new Error(`${id} ${status}`);
      },
      (thrown: unknown) => {
        if (ledger !== this.ledger) return;
        if (asGatewayError(thrown).code === 'internal_error') this.tell(`${id}: refused`);
        else {
          this.expectAway(thrown);
          this.kept.set(id, command);
        }
      },
    );
  }

  #checkAnswer(id: string, outcome: Outcome): void {
    const wrong = this.thread.peek((read) => wrongAnswer(read, id, outcome));
    if (wrong !== null) this.#fault ??= new Error(wrong);
  }

  /** Releases a request's hold without a charge. */
  #drop(): void {
    const request = this.#anyRunning();
    if (request === null) return;
    request.isSettling = true;
    const { id } = request;
    this.tell(`void ${id}`);
    const command = { ...voided(id, termsOf(request)), atMs: this.clock.nowMs() };
    const { ledger } = this;
    ledger.apply([command]).then(
      ([outcome]) => {
        if (ledger !== this.ledger) return;
        this.tell(`${id}: void ${outcome?.status}`);
        const isReleased = outcome?.status === 'applied' && outcome.result.amount > 0n;
        this.running.delete(id);
        if (isReleased) this.dropped.add(id);
      },
      (thrown: unknown) => {
        if (ledger !== this.ledger) return;
        this.expectAway(thrown);
        this.tell(`${id}: void kept on disk`);
        this.running.delete(id);
        this.kept.set(id, command);
      },
    );
  }

  /** Sends wallet commands, which the store decides: one, several, or the last ones again. */
  #order(): void {
    const isRepeat = this.#random() < 0.15 && this.#lastOrders.length > 0;
    const batch = isRepeat
      ? this.#lastOrders
      : Array.from({ length: this.#random() < 0.3 ? 3 : 1 }, () => this.#newOrder());
    this.#lastOrders = batch;
    const ledger = this.ledger;
    ledger.apply(batch).then(
      (outcomes) => {
        this.tell(`${batch[0]?.id}: ${outcomes.map(({ status }) => status).join(' ')}`);
        if (outcomes.some(({ status }) => status === 'id_reused'))
          this.#fault ??= new Error(`${batch[0]?.id} was reused`);
      },
      (thrown: unknown) => ledger === this.ledger && this.expectAway(thrown),
    );
  }

  #newOrder(): Command {
    const accountId = this.#oneOf(this.accountIds);
    const id = `${this.#name}_o${this.#count++}`;
    const command = walletCommand(this.#random, id, accountId, [...this.acknowledged.keys()]);
    this.tell(`${command.kind} ${command.amount} ${accountId} as ${id}`);
    return command;
  }

  /** Runs a heartbeat: renews the lease, sends the settlements on disk, and resolves lost holds. */
  #beat(): void {
    this.tell('heartbeat');
    const ledger = this.ledger;
    const renewal = { epoch: this.#epoch, untilMs: this.clock.nowMs() };
    const beat = async (): Promise<void> => {
      await ledger.noteWrite(this.thread.link.ask('renew', renewal));
      await this.#replay(ledger);
      await ledger.reap();
    };
    beat().catch((thrown: unknown) => ledger === this.ledger && this.expectAway(thrown));
  }

  /** Sends the commands on disk, all at once. */
  async #replay(ledger: FloatLedger): Promise<void> {
    const send = async ([id, command]: readonly [string, SettleCommand | VoidCommand]) => {
      try {
        const [outcome] = await ledger.apply([command]);
        if (outcome === undefined) throw new Error('no outcome');
        if (command.kind === 'settle' && !isRefusable(command)) this.#checkAnswer(id, outcome);
        if (command.kind === 'void' && !this.hasReceipt(id)) this.dropped.add(id);
        this.kept.delete(id);
      } catch (thrown) {
        if (ledger !== this.ledger) return;
        const isRefused = asGatewayError(thrown).code === 'internal_error';
        if (isRefused && isRefusable(command)) this.kept.delete(id);
        else this.expectAway(thrown);
      }
    };
    await Promise.all([...this.kept].map(send));
  }

  #damage(): void {
    this.thread.disk = this.#oneOf([
      ...(['sound', 'sound', 'fails before', 'fails after', 'fails booking'] as const),
    ]);
    this.tell(`the disk is ${this.thread.disk}`);
  }

  /** Makes the wall clock jump: by seconds, minutes or a day, forward or back, or by a month. */
  #jump(): void {
    const by = this.#oneOf([5_000, -5_000, 700_000, DAY_MS, -DAY_MS, 31 * DAY_MS]);
    this.#jumpedMs += by;
    this.tell(`the clock jumps by ${by} ms`);
  }

  /** Advances the time, so that charges are booked and, after a second, checkpoints are written. */
  async #pass(ms: number): Promise<void> {
    this.tell(`${ms} ms`);
    this.clock.advance(ms);
    if (ms === CHECKPOINT_MS && this.#random() < 0.5) await this.#settleDown();
  }

  async #crash(): Promise<void> {
    this.tell('crash');
    await this.#reborn();
  }

  /** Starts the process: sends settlements from disk, takes a lease, and resolves old holds. */
  async #reborn(): Promise<void> {
    this.thread.crash();
    this.thread.disk = 'sound';
    void this.ledger.close();
    this.running.clear();
    this.#administrator.forget();
    const left = this.thread
      .peek((read) => checkpointsOf(read, this.#name))
      .filter((id) => this.kept.get(id)?.kind !== 'void');
    this.float = new Float(MAX_ACCOUNTS);
    this.ledger = this.#born();
    this.#lives += 1;
    const start = async (): Promise<void> => {
      this.ledger.learn([USD_CNY]);
      if (this.#random() < 0.7) await this.#replay(this.ledger);
      const untilMs = this.clock.nowMs() + 10_000;
      const lease = { epoch: this.#epoch, name: this.#epoch, nowMs: this.clock.nowMs(), untilMs };
      await this.thread.link.ask('join', lease);
      this.ledger.join(this.#epoch);
      await this.ledger.reap();
    };
    let isUp = false;
    const starting = start().finally(() => {
      isUp = true;
    });
    while (!isUp) await this.#settleDown();
    await starting;
    for (const id of left) {
      if (!this.hasReceipt(id)) throw new Error(`the checkpoint of ${id} was not charged`);
    }
  }

  /** Delivers all messages, and settles or releases all requests. */
  async #calmDown(): Promise<void> {
    this.thread.disk = 'sound';
    await this.#settleDown();
    for (const request of this.running.values()) if (!request.isSettling) this.#end();
    while (this.running.size > 0) {
      await this.#settleDown();
      this.#end();
    }
    this.#jumpedMs += 100 * DAY_MS;
    this.#beat();
    await this.#settleDown();
    this.#beat();
    await this.#settleDown();
  }

  async #settleDown(): Promise<void> {
    do {
      await nextTurn();
      this.thread.step();
      this.thread.deliver();
      await nextTurn();
    } while (this.thread.waiting.questions + this.thread.waiting.answers > 0);
    await nextTurn();
  }

  hasReceipt(id: string): boolean {
    return this.thread.peek((read) => hasReceipt(read, id));
  }

  #check(): void {
    const broken = this.#fault ?? disagreements(this)[0] ?? null;
    if (broken !== null) throw new Error(`${String(broken)}\n${this.story.join('\n')}`);
  }

  #checkEnd(): void {
    const checkpoints = this.thread.peek((read) => checkpointsOf(read, this.#name));
    const left = this.float.holds.size + this.kept.size + checkpoints.length;
    for (const id of this.dropped)
      if (this.hasReceipt(id))
        throw new Error(`${id} was charged after its void\n${this.story.join('\n')}`);
    const unsure = [...this.float.accounts.values()].some(({ charges }) => charges.size > 0);
    const lost = [...this.acknowledged.keys()].filter((id) => !this.hasReceipt(id));
    const { unbooked } = this.thread;
    if (left + unbooked === 0 && !unsure && lost.length === 0) return;
    const what = `${left} left, charges left: ${unsure}, without a receipt: ${lost.join(' ')}, not booked: ${unbooked}`;
    throw new Error(`${what}\n${this.story.join('\n')}`);
  }

  #born(): FloatLedger {
    const { thread, float, clock } = this;
    const link: FloatLink = {
      // A process that has died asks nothing, although its timers still run.
      ask: (kind, ask, received) =>
        this.ledger === ledger
          ? thread.link.ask(kind, ask, received)
          : new Promise(() => undefined),
    };
    const ledger = new FloatLedger({ link, clock, float });
    thread.onTouched = (accountIds) => ledger.touched(accountIds);
    return ledger;
  }

  get #epoch(): string {
    return `${this.#name}_${this.#lives}`;
  }

  #anyRunning(): Running | null {
    const open = [...this.running.values()].filter(({ isSettling }) => !isSettling);
    return open.length === 0 ? null : this.#oneOf(open);
  }

  /** Calls `decided` with the outcome that `ask` returns, directly or as a promise. */
  #watch(ask: () => Outcome | Promise<Outcome>, decided: (outcome: Outcome) => void): void {
    const ledger = this.ledger;
    const failed = (thrown: unknown): void => {
      if (ledger === this.ledger) this.expectAway(thrown);
    };
    try {
      const outcome = ask();
      if (outcome instanceof Promise) outcome.then(decided).catch(failed);
      else decided(outcome);
    } catch (thrown) {
      failed(thrown);
    }
  }

  /** Checks that a command failed only because the store was unavailable. */
  expectAway(thrown: unknown): void {
    if (asGatewayError(thrown).code !== 'store_unavailable') this.#fault ??= thrown;
    else this.tell('the store is away');
  }

  #amount(most: number): bigint {
    return BigInt(1 + Math.floor(this.#random() * most));
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    return oneOf(this.#random, items);
  }

  tell(what: string): void {
    this.story.push(what);
  }
}
