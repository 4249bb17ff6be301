/**
 * Sends the questions of `assignment-store.ts` to PostgreSQL, in batches over one connection per
 * node. In a batch, charges come first, then questions about assignments, then commands.
 */
import type { Clock } from '../../clock.ts';
import type { PostgresLink } from '../../store/postgres/postgres-link.ts';
import { fault, unavailable } from '../../store/store-fault.ts';
import type {
  Assigned,
  AssignmentStore,
  Recalled,
  StoredCommand,
  StoreQuestions,
} from '../assigned/assignment-store.ts';
import type { Charge, FloatHold } from '../float/float-account.ts';
import { GroupCommit } from '../group-commit.ts';
import { receiptValues } from '../receipt-row.ts';
import type { Fault, Reply } from '../wire.ts';
import { type BatchStatement, type CommitLimits, PostgresCommits } from './postgres-commits.ts';
import { CHARGES, COMMANDS, type NodeCharge } from './postgres-wire.ts';

/**
 * When a node gets more money, it gets at most 1 / `SHARE` of what is free in the wallet, so that
 * some is left for other nodes.
 */
export const SHARE = 4;

/**
 * Maximum commands in one statement. A command of an account with a cap takes one or two
 * milliseconds of the server's CPU. With hundreds of them, a statement would not end within
 * `probeMs`, and a busy node would never recover from a short outage.
 */
export const MAX_COMMANDS = 64;

type Kind = keyof StoreQuestions;
type Ask<Each extends Kind> = StoreQuestions[Each]['ask'];
type Answer<Each extends Kind> = StoreQuestions[Each]['answer'];

/** A question about assignments, encoded for `books_assignments`. */
type Question = {
  readonly stage: 'question';
  readonly wire: readonly unknown[];
  readonly done: (answer: unknown) => void;
  readonly failed: (fault: Fault) => void;
};
type Job =
  | Question
  | {
      readonly stage: 'charge';
      readonly charge: NodeCharge;
      readonly done: (reply: Reply) => void;
    }
  | {
      readonly stage: 'command';
      readonly command: StoredCommand;
      readonly done: (reply: Reply | Recalled) => void;
    };

export type PostgresAssignmentDeps = {
  readonly link: PostgresLink;
  readonly clock: Clock;
  readonly limits: CommitLimits;
  /** A node that needs money gets at most 1 / `share` of a wallet's free money: see `SHARE`. */
  readonly share: number;
};

export class PostgresAssignments implements AssignmentStore {
  readonly #charges: PostgresCommits<NodeCharge>;
  readonly #questions: PostgresCommits<Question, Given>;
  readonly #commands: PostgresCommits<StoredCommand, Reply | Recalled>;
  readonly #commits: GroupCommit<Job, null>;
  readonly #share: number;
  readonly #clock: Clock;
  readonly #deadlineMs: number;

  constructor({ link, clock, limits, share }: PostgresAssignmentDeps) {
    const health = { isLost: false };
    this.#charges = new PostgresCommits(CHARGES, link, clock, limits, health);
    this.#questions = new PostgresCommits(QUESTIONS, link, clock, limits, health);
    this.#commands = new PostgresCommits(COMMANDS, link, clock, limits, health);
    this.#commits = new GroupCommit((batch) => this.#write(batch));
    this.#share = share;
    this.#clock = clock;
    this.#deadlineMs = limits.deadlineMs;
  }

  async ask<Each extends Kind>(
    kind: Each,
    ask: Ask<Each>,
    received?: (answer: Answer<Each>) => void,
  ): Promise<Answer<Each>> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Each>>();
    const done = (answer: Answer<Each>): void => {
      received?.(answer);
      resolve(answer);
    };
    const failed = ({ code, message, param }: Fault): void => reject(fault(code, message, param));
    // If a later part of the batch fails, `reject` has no effect on questions that have their
    // answer.
    this.#commits.submit(JOBS[kind](ask, done, failed, this.#share)).catch(reject);
    return await promise;
  }

  close(): Promise<void> {
    return this.#commits.close();
  }

  async #write(batch: readonly Job[]): Promise<readonly null[]> {
    const charges = batch.filter((job) => job.stage === 'charge');
    const questions = batch.filter((job) => job.stage === 'question');
    const commands = batch.filter((job) => job.stage === 'command');
    if (charges.length > 0) {
      const replies = await this.#charges.write(charges.map(({ charge }) => charge));
      for (const [at, { done }] of charges.entries()) done(answerAt(replies, at));
    }
    if (questions.length > 0) {
      const answers = await this.#questions.write(questions);
      for (const [at, { done, failed }] of questions.entries()) {
        const answer = answerAt(answers, at);
        if ('fault' in answer) failed(answer.fault);
        else done(answer.given);
      }
    }
    const untilMs = this.#clock.monotonicMs() + this.#deadlineMs;
    for (let from = 0; from < commands.length; from += MAX_COMMANDS) {
      if (from > 0 && this.#clock.monotonicMs() >= untilMs) throw unavailable('it is too slow');
      const part = commands.slice(from, from + MAX_COMMANDS);
      const replies = await this.#commands.write(part.map(({ command }) => command));
      for (const [at, { done }] of part.entries()) done(answerAt(replies, at));
    }
    return batch.map(() => null);
  }
}

function answerAt<Each>(answers: readonly Each[], at: number): Each {
  const answer = answers[at];
  if (answer === undefined) throw new Error('the store did not answer a question');
  return answer;
}

type Jobs<Each extends Kind> = (
  ask: Ask<Each>,
  done: (answer: Answer<Each>) => void,
  failed: (fault: Fault) => void,
  share: number,
) => readonly Job[];

const text = (amount: bigint | null): string | null => amount?.toString() ?? null;

const JOBS: { readonly [Each in Kind]: Jobs<Each> } = {
  assign: (
    { accountId, epoch, currency, version, change, atLeast, keyIds },
    done,
    failed,
    share,
  ) => [
    {
      stage: 'question',
      wire: [
        ...['assign', accountId, epoch, currency, text(version), text(change), text(atLeast)],
        ...[keyIds, share],
      ],
      done: (answer) => done(assignedFrom(answer as WireAssigned)),
      failed,
    },
  ],
  surrender: ({ accountId, epoch, versions, holds }, done, failed) => [
    {
      stage: 'question',
      wire: [
        ...['surrender', accountId, epoch, text(versions.USD), text(versions.CNY)],
        holds.map(holdToWire),
      ],
      done: (answer) => {
        const [usd, cny, refused] = answer as WireSurrendered;
        done({
          ...{ USD: whole(usd), CNY: whole(cny) },
          refused: refused.map(([id, reason]) => ({ id, reason })),
        });
      },
      failed,
    },
  ],
  charge: (charge, done) => [{ stage: 'charge', charge: nodeCharge(charge), done }],
  command: (command, done, failed) => {
    const decided: Job = { stage: 'command', command, done };
    return command.moved === null ? [decided] : [moveOf(command.moved, () => {}, failed), decided];
  },
  move: (held, done, failed) => [moveOf(held, () => done(null), failed)],
  check: ({ epoch, used, keys }, done, failed) => [
    {
      stage: 'question',
      wire: [
        ...['check', null, epoch],
        used.map(({ accountId, currency, amount }) => [accountId, currency, text(amount)]),
        keys.map(({ accountId, id, expiresAtMs }) => [accountId, id, expiresAtMs]),
      ],
      done: (answer) => {
        const [recalled, rests] = answer as [string[], [string, string, string][]];
        const restOf = ([accountId, usd, cny]: [string, string, string]) => ({
          accountId,
          USD: BigInt(usd),
          CNY: BigInt(cny),
        });
        done({ recalled, rests: rests.map(restOf) });
      },
      failed,
    },
  ],
};

const moveOf = (held: FloatHold, done: () => void, failed: Question['failed']): Question => ({
  stage: 'question',
  wire: ['move', held.by.accountId, holdToWire(held)],
  done,
  failed,
});

const holdToWire = ({ by, result, amount, metered }: FloatHold): readonly unknown[] => [
  ...[by.id, by.accountId, by.keyId, by.currency, text(amount), text(metered)],
  ...[text(result.available), by.exchange?.id ?? null, by.exchange?.base ?? null],
  ...[by.priceRate?.id ?? null, by.epoch, by.atMs, by.expiresAtMs, text(by.atLeast)],
];

type WireWallet = [version: string | null, amount: string, rest: string];
type WireSurrendered = [
  usd: string | null,
  cny: string | null,
  refused: [id: string, reason: string][],
];
type WireAssigned = [
  isFit: boolean,
  usd: WireWallet | null,
  cny: WireWallet | null,
  keys: [id: string, expiresAtMs: number | null][],
];

/**
 * The wallet of an account that the database lacks, because it was restored from an older backup.
 */
const NO_WALLET: WireWallet = [null, '0', '0'];

const assignedFrom = ([isFit, usd, cny, keys]: WireAssigned): Assigned => ({
  isFit,
  wallets: { USD: walletFrom(usd ?? NO_WALLET), CNY: walletFrom(cny ?? NO_WALLET) },
  keys: keys.map(([id, expiresAtMs]) => ({ id, expiresAtMs })),
});

const walletFrom = ([version, amount, rest]: WireWallet) => ({
  version: whole(version),
  amount: BigInt(amount),
  rest: BigInt(rest),
});

const whole = (digits: string | null): bigint | null => (digits === null ? null : BigInt(digits));

/**
 * Returns a charge as `books_charge` reads it. Only the charged amount leaves the assignment; the
 * rest of the hold stays in it.
 */
const nodeCharge = ({ by, hold, plan, available, metered, careful }: Charge): NodeCharge => ({
  kind: 'charge',
  id: by.id,
  epoch: hold.by.epoch,
  price: by.charge,
  ...plan,
  available,
  metered,
  held: hold.amount,
  exchangeId: hold.by.exchange?.id ?? null,
  careful,
  atMs: by.atMs,
  receipt: receiptValues(by.receipt),
  freed: plan.taken,
  freedOther: 0n,
});

type Given = { readonly given: unknown } | { readonly fault: Fault };

const QUESTIONS: BatchStatement<Question, Given> = {
  sql: 'SELECT books_assignments($1::text::jsonb) AS replies',
  encode: (batch) => [JSON.stringify(batch.map(({ wire }) => wire))],
  decode: (answers) =>
    (JSON.parse(answers ?? '[]') as unknown[]).map((given): Given => ({ given })),
  faulty: (fault) => ({ fault }),
};
