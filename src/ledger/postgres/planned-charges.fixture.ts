/** Planned charges for tests, and a ledger in PostgreSQL to write them to. */

import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import type { SqlRow } from '../../store/sql.ts';
import { AT_MS, credit, EPOCH, furnish, receipt } from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import type { Receipt } from '../ledger.ts';
import { receiptValues } from '../receipt-row.ts';
import type { Reply } from '../wire.ts';
import { openTestUrl } from './postgres.fixture.ts';
import { COMMIT_LIMITS, type CommitLimits, PostgresCommits } from './postgres-commits.ts';
import { CHARGES, type NodeCharge } from './postgres-wire.ts';

/** The money in each wallet, more than any test charges. */
export const FUNDS = 1_000_000n;

type Terms = Partial<Omit<NodeCharge, 'receipt' | 'kind' | 'id'>> & { of?: Partial<Receipt> };

/** Returns a charge of `price` output tokens of one nano-unit each, held and paid in full. */
export function charge(id: string, price: bigint, { of = {}, ...terms }: Terms = {}): NodeCharge {
  return {
    ...{ kind: 'charge', id, price, taken: price, bought: 0n, sold: 0n, loss: 0n, available: 5n },
    ...{ metered: price, held: price, exchangeId: null, careful: null, atMs: AT_MS },
    ...{ epoch: EPOCH, freed: 0n, freedOther: 0n },
    receipt: receiptValues(receipt(id, price, of)),
    ...terms,
  };
}

/** A ledger in PostgreSQL, and the code with which a node writes its planned charges. */
export class Subject {
  readonly database: Database;
  readonly #link: PostgresLink;
  readonly #commits: PostgresCommits<NodeCharge>;

  private constructor(database: Database, url: string, limits: CommitLimits) {
    const { attemptMs } = limits;
    const timeouts = { statementMs: attemptMs, lockMs: attemptMs };
    this.database = database;
    this.#link = new PostgresLink({ url: new Secret(url), clock: systemClock, ...timeouts });
    this.#commits = new PostgresCommits(CHARGES, this.#link, systemClock, limits);
  }

  static async open(url: string, through = url, limits = COMMIT_LIMITS): Promise<Subject> {
    const subject = new Subject(await openTestUrl(url), through, limits);
    await furnish(subject.database);
    await fund(subject.database);
    return subject;
  }

  /** Connects to a database that already has the accounts of the tests. */
  static async join(url: string): Promise<Subject> {
    return new Subject(await openTestUrl(url), url, COMMIT_LIMITS);
  }

  write(batch: readonly NodeCharge[]): Promise<readonly Reply[]> {
    return this.#commits.write(batch);
  }

  async rows(sql: string): Promise<readonly SqlRow[]> {
    return await this.database.sql.query({ sql, params: [] });
  }

  async close(): Promise<void> {
    await Promise.all([this.#link.close(), this.database.close()]);
  }
}

/** Assigns `amount` of each of alice's wallets to an epoch, whose node may then hold it. */
export async function assign(subject: Subject, amount: bigint, epoch = EPOCH): Promise<void> {
  await subject.rows(`INSERT INTO assignment SELECT 'alice', each, '${epoch}', ${amount}, 0, 1, 0
    FROM unnest(ARRAY['USD', 'CNY']) AS each`);
  await subject.rows(`UPDATE wallet SET held = held + ${amount} WHERE account_id = 'alice'`);
}

export async function fund({ ledger }: Database): Promise<void> {
  await ledger.apply([
    credit('c1', FUNDS),
    credit('c2', FUNDS, { currency: 'CNY' }),
    credit('c3', FUNDS, { accountId: 'bob' }),
    credit('c4', FUNDS, { accountId: 'bob', currency: 'CNY' }),
  ]);
}
