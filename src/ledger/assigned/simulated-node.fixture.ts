/**
 * One node of a simulation: its clocks, its connections to the store, and its process. The
 * simulation starts, pauses and kills the process, and decides when each message arrives.
 */
import type { Clock, Timer } from '../../clock.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { unavailable } from '../../store/store-fault.ts';
import { Float } from '../float/float.ts';
import { OutcomeInDoubt, type SettleCommand, type VoidCommand } from '../ledger.ts';
import { LEASE_MS } from '../node-lease.ts';
import { recall } from '../postgres/postgres-node.ts';
import { AssignedLedger } from './assigned-ledger.ts';
import type { AssignmentModel } from './assignment-model.fixture.ts';
import type { AssignmentStore, StoreQuestions } from './assignment-store.ts';

/** A question that the node has sent to the store, and that the store has not applied yet. */
type Asked = {
  readonly what: string;
  readonly atMs: number;
  /** Applies the question. Returns the function that delivers the answer. */
  readonly carryOut: () => Delivery;
  readonly fail: (thrown: unknown) => void;
  /**
   * Applies only a part of the question, as if the store failed; null for a question without parts.
   */
  readonly half: (() => void) | null;
};
type Delivery = () => void;
type Answer = { readonly atMs: number; bring: Delivery; readonly fail: Asked['fail'] };

/**
 * The ways in which a question fails. `half`: only a part is applied. `delayed`: it may be applied
 * later. `written`: it is applied, but its answer is lost.
 */
export const FAILURES = ['refused', 'lost', 'delayed', 'half', 'written'] as const;
export type Failure = (typeof FAILURES)[number];

/**
 * A connection to the store. The store may apply questions in any order. Their answers arrive in
 * the order in which the store applied them.
 */
export class Connection {
  waiting: Asked[] = [];
  answers: Answer[] = [];
  /** Questions that the node no longer waits for, and that the store may still receive. */
  stray: Asked[] = [];
  isCut = false;
  readonly #trueMs: () => number;

  constructor(trueMs: () => number) {
    this.#trueMs = trueMs;
  }

  /** @param received called when the answer arrives, before the promise resolves. */
  ask<Given>(
    what: string,
    write: () => Given,
    received: (given: Given) => void = () => undefined,
    half: (() => void) | null = null,
  ): Promise<Given> {
    const { promise, resolve, reject } = Promise.withResolvers<Given>();
    if (this.isCut) return promise;
    const carryOut = (): Delivery => {
      const given = write();
      return () => {
        received(given);
        resolve(given);
      };
    };
    this.waiting.push({ what, atMs: this.#trueMs(), carryOut, fail: reject, half });
    return promise;
  }

  /** Lets the store apply a question. @returns the kind of question */
  carryOut(at: number): string | null {
    const [asked] = this.waiting.splice(at, 1);
    if (asked === undefined) return null;
    this.answers.push({ ...asked, bring: asked.carryOut() });
    return asked.what;
  }

  /**
   * Lets the store apply a question and drops the answer. The question stays in `waiting`, as if
   * the node had sent it again.
   */
  double(at: number): string | null {
    const asked = this.waiting[at];
    asked?.carryOut();
    return asked?.what ?? null;
  }

  fail(at: number, how: Failure): string | null {
    const [asked] = this.waiting.splice(at, 1);
    if (asked === undefined) return null;
    if (how === 'written') asked.carryOut();
    if (how === 'half') asked.half?.();
    if (how === 'delayed') this.stray.push(asked);
    const away = unavailable('the store is away');
    const thrown = how === 'refused' ? away : new OutcomeInDoubt(away);
    this.answers.push({ ...asked, bring: () => asked.fail(thrown) });
    return asked.what;
  }

  /** Fails all questions older than `ageMs`. The store may still receive them. */
  giveUp(ageMs: number): void {
    const untilMs = this.#trueMs() - ageMs;
    for (const answer of this.answers) {
      if (answer.atMs > untilMs) continue;
      answer.bring = () => answer.fail(new OutcomeInDoubt(unavailable('it did not answer')));
    }
    for (let at = this.waiting.length - 1; at >= 0; at -= 1) {
      if ((this.waiting[at]?.atMs ?? 0) <= untilMs) this.fail(at, 'delayed');
    }
  }

  deliver(): boolean {
    const answer = this.answers.shift();
    answer?.bring();
    return answer !== undefined;
  }

  /** Lets the store apply a question that the node no longer waits for. */
  arrive(): string | null {
    const asked = this.stray.shift();
    asked?.carryOut();
    return asked?.what ?? null;
  }

  /** Closes the connection of a process that has died. Its questions may still arrive. */
  cut(): void {
    this.isCut = true;
    this.stray.push(...this.waiting);
    this.waiting = [];
    this.answers = [];
  }
}

type Due = { readonly atMs: number; readonly run: () => void };

/**
 * The clocks of a machine: a monotonic clock with its own rate, and a wall clock that can also
 * jump.
 */
export class NodeClock implements Clock {
  jumpedMs = 0;
  readonly #trueMs: () => number;
  readonly #rate: number;
  readonly #startMs: number;
  readonly #due = new Set<Due>();

  constructor(trueMs: () => number, rate: number) {
    this.#trueMs = trueMs;
    this.#rate = rate;
    this.#startMs = trueMs();
  }

  readonly nowMs = (): number => Math.floor(this.#startMs + this.monotonicMs() + this.jumpedMs);
  readonly monotonicMs = (): number => (this.#trueMs() - this.#startMs) * this.#rate;
  readonly after = (delayMs: number, run: () => void): Timer => {
    const due = { atMs: this.monotonicMs() + delayMs, run };
    this.#due.add(due);
    return { cancel: () => this.#due.delete(due) };
  };
  readonly sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => this.after(delayMs, resolve));
  readonly every = (): Timer => {
    throw new Error('the simulation itself runs periodic tasks');
  };
  readonly randomBytes = (length: number): Uint8Array => new Uint8Array(length);

  /** Milliseconds until the next timer is due; null without timers. */
  get nextMs(): number | null {
    const nowMs = this.monotonicMs();
    const left = [...this.#due].map(({ atMs }) =>
      Math.max(1, Math.ceil((atMs - nowMs) / this.#rate)),
    );
    return left.length === 0 ? null : Math.min(...left);
  }

  /** Runs the timers that are due. */
  run(): void {
    const nowMs = this.monotonicMs();
    for (const due of [...this.#due]) {
      if (due.atMs <= nowMs && this.#due.delete(due)) due.run();
    }
  }
}

export class SimulatedNode {
  readonly name: string;
  /** Settlements and releases that wait on the node's disk. They survive a crash of the process. */
  readonly spool = new Map<string, SettleCommand | VoidCommand>();
  readonly model: AssignmentModel;
  clock: NodeClock;
  /** The connection for the ledger's questions. */
  ledgerLink: Connection;
  /** The connection for all other questions. */
  otherLink: Connection;
  float = new Float();
  ledger: AssignedLedger;
  isUp = false;
  /** Whether the node has had a lease since its start, so that it serves requests. */
  isReady = false;
  isPaused = false;
  lives = 0;
  /** Notices that the store has sent and that have not arrived yet. */
  notices: string[] = [];
  #beating: Promise<void> | null = null;

  constructor(name: string, model: AssignmentModel, clock: NodeClock) {
    this.name = name;
    this.model = model;
    this.clock = clock;
    this.ledgerLink = new Connection(() => model.nowMs);
    this.otherLink = new Connection(() => model.nowMs);
    this.ledger = this.#born();
  }

  get epoch(): string {
    return `${this.name}.${this.lives}`;
  }

  get links(): readonly Connection[] {
    return [this.ledgerLink, this.otherLink];
  }

  /** Starts the process, which sends its spooled commands and takes a lease. */
  async start(clock: NodeClock): Promise<void> {
    this.clock = clock;
    this.ledger = this.#born();
    this.isUp = true;
    this.isPaused = false;
    this.#beating = null;
    this.lives += 1;
    const { ledger } = this;
    await this.#replay(ledger);
    await this.#join();
    if (this.ledger === ledger && this.isUp) this.isReady = true;
  }

  crash(): void {
    this.isUp = false;
    this.isReady = false;
    for (const link of this.links) link.cut();
    this.notices = [];
  }

  /**
   * Runs one heartbeat: renews the lease or takes a new one, sends the spooled commands, reaps and
   * checks.
   */
  beat(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  /** Renews a live lease while the simulation lets a longer time pass. */
  renew(): void {
    const { ledger, model } = this;
    const { epoch } = ledger.right;
    if (epoch === null || !model.renew(epoch, LEASE_MS)) return;
    ledger.right.granted(epoch, ledger.right.now(), LEASE_MS);
    const own = model.assignments.filter((each) => each.epoch === epoch);
    const used = own.map((each) => ({ ...each, amount: each.used }));
    void ledger.recalled(model.check({ epoch, used, keys: [] }).recalled);
  }

  async #beat(): Promise<void> {
    const { ledger, model, otherLink: link, epoch } = this;
    const asked = ledger.right.now();
    const isLive = await link.ask('renew', () => model.renew(epoch, LEASE_MS));
    if (isLive) ledger.right.granted(epoch, asked, LEASE_MS);
    else await this.#join();
    await this.#replay(ledger);
    await link.ask('reap', () => model.reap());
    await ledger.reap();
    await ledger.check();
  }

  async #join(): Promise<void> {
    const { ledger, model, otherLink: link } = this;
    ledger.right.lost();
    // After a failed attempt, the next one uses the same epoch, because the store may have granted
    // the lease.
    const epoch = `${this.name}.${this.lives + 1}`;
    const asked = ledger.right.now();
    const isJoined = await link.ask('join', () => model.join(epoch, LEASE_MS));
    this.lives += 1;
    // An earlier attempt took a lease, which has ended.
    if (!isJoined) return await this.#join();
    ledger.right.granted(epoch, asked, LEASE_MS);
    ledger.joined();
  }

  /** Shuts the process down gracefully. */
  async leave(): Promise<void> {
    await this.ledger.leave();
    await this.otherLink.ask('leave', () => this.model.leave(this.epoch));
  }

  /**
   * Makes an administrator's change, which is answered once the account has no assignments left, or
   * after a time limit. Returns false if the time limit ended the wait.
   */
  async administer(accountId: string, change: () => void): Promise<boolean> {
    const { ledger: assigned, otherLink: link, model, clock } = this;
    await link.ask('change', change);
    const sql: SqlExecutor = {
      query: () => link.ask('recall', () => [{ remains: model.recall(accountId) ? 1n : 0n }]),
      transaction: () => Promise.reject(new Error('a recall is one statement')),
    };
    let isAnswered = true;
    const onUnanswered = (): void => {
      isAnswered = false;
    };
    await recall({ assigned, sql, clock, onUnanswered }, [accountId]);
    return isAnswered;
  }

  async #replay(ledger: AssignedLedger): Promise<void> {
    const send = async ([id, command]: readonly [string, SettleCommand | VoidCommand]) => {
      const { status } = await ledger.applyOne(command);
      const isDone = status === 'applied' || status === 'already_applied';
      // A release may be refused, because its hold may have ended already.
      if (!isDone && command.kind === 'settle') throw new Error(`${id} in the spool: ${status}`);
      if (this.spool.get(id) === command) this.spool.delete(id);
    };
    const failed = (await Promise.allSettled([...this.spool].map(send))).find(
      ({ status }) => status === 'rejected',
    );
    if (failed?.status === 'rejected') throw failed.reason;
  }

  #born(): AssignedLedger {
    const { model } = this;
    const ledgerLink = new Connection(() => model.nowMs);
    const otherLink = new Connection(() => model.nowMs);
    // The messages of the killed process may still arrive.
    ledgerLink.stray = this.ledgerLink.stray;
    otherLink.stray = this.otherLink.stray;
    this.ledgerLink = ledgerLink;
    this.otherLink = otherLink;
    this.float = new Float();
    const store: AssignmentStore = {
      ask: <Kind extends keyof StoreQuestions>(
        kind: Kind,
        ask: StoreQuestions[Kind]['ask'],
        received?: (answer: StoreQuestions[Kind]['answer']) => void,
      ) => {
        const moved = kind === 'command' && 'moved' in ask ? ask.moved : null;
        const half = moved === null ? null : () => void model.move(moved);
        return ledgerLink.ask(kind, () => model.answers[kind](ask), received, half);
      },
    };
    return new AssignedLedger({ store, clock: this.clock, float: this.float });
  }
}
