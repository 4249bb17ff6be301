/**
 * Keeps nodes from selling at different prices. Each node reports a digest of its prices. Only
 * nodes with the most frequent digest sell. In a tie, the digest of the node that joined first
 * wins. The other nodes refuse requests with an error that says so.
 */
import { createHash } from 'node:crypto';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { text } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { LEASE_MS } from './node-lease.ts';

/**
 * How long a node that refuses requests stays ready. A rolling restart replaces the next node only
 * when the new one is ready, and the new prices win only when most nodes have them.
 */
export const ROLLOUT_MS = 10 * 60_000;
const DIGEST_CHARS = 32;

/** How the prices of the live nodes compare. */
export type Comparison = {
  /** Whether this node refuses requests. */
  readonly isRefusing: boolean;
  /** The names of the nodes with other prices than this one. Callers never see them. */
  readonly others: readonly string[];
};
const SAME: Comparison = { isRefusing: false, others: [] };

export type PriceAgreementDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The epoch of this process's lease, which was renewed just before each call of `check`. */
  readonly epoch: () => string;
  /** Called when the comparison changes. */
  readonly onChange: (comparison: Comparison) => void;
};

export class PriceAgreement {
  readonly #deps: PriceAgreementDeps;
  /** The digest that this node has reported; null before the first report and when draining. */
  #digest: string | null = null;
  #comparison = SAME;
  #refusingSinceMs = 0;
  #checking: Promise<void> | null = null;

  constructor(deps: PriceAgreementDeps) {
    this.#deps = deps;
  }

  get comparison(): Comparison {
    return this.#comparison;
  }

  /** Whether the node may get traffic: it sells, or other nodes may be about to get its prices. */
  get isReady(): boolean {
    const ageMs = this.#deps.clock.monotonicMs() - this.#refusingSinceMs;
    return !this.#comparison.isRefusing || ageMs < ROLLOUT_MS;
  }

  /** Reports the prices that this node sells at from now on, and compares them. */
  async report(catalogue: Catalogue): Promise<void> {
    const digest = priceDigest(catalogue);
    await this.#compare(digest);
    this.#digest = digest;
  }

  /** Compares the prices again, and reports them under a new epoch. One check runs at a time. */
  check(): Promise<void> {
    if (this.#digest === null) return Promise.resolve();
    this.#checking ??= this.#compare(this.#digest).finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Withdraws the report of a node that stops, so that it does not count while it drains. */
  async withdraw(): Promise<void> {
    this.#digest = null;
    await this.#checking;
    const { sql, epoch } = this.#deps;
    await sql.query(statement`UPDATE node SET catalogue = NULL WHERE epoch = ${epoch()}`);
  }

  /** @throws GatewayError `config_mismatch` while this node must not sell. */
  requireAgreement(): void {
    if (!this.#comparison.isRefusing) return;
    throw new GatewayError(
      'config_mismatch',
      'This node of the gateway has other prices than the other nodes, so it refuses requests. Retry the request.',
      { retryAfterSeconds: 1 },
    );
  }

  async #compare(digest: string): Promise<void> {
    const { sql, epoch, onChange, clock } = this.#deps;
    const own = epoch();
    // This node's lease was just renewed, so its end minus `LEASE_MS` is the store's current time.
    const [, rows = []] = await sql.transaction([
      statement`UPDATE node SET catalogue = ${digest} WHERE epoch = ${own}
        AND (catalogue IS NULL OR catalogue <> ${digest})`,
      statement`SELECT name, catalogue FROM node WHERE catalogue IS NOT NULL AND lease_until_ms >
        (SELECT lease_until_ms FROM node WHERE epoch = ${own}) - ${LEASE_MS}
        ORDER BY joined_at_ms, epoch`,
    ]);
    const others = rows.filter((row) => digestIn(row) !== digest).map((row) => text(row, 'name'));
    const isRefusing = others.length > 0 && mostFrequent(rows.map(digestIn)) !== digest;
    const was = this.#comparison;
    this.#comparison = { isRefusing, others };
    if (isRefusing && !was.isRefusing) this.#refusingSinceMs = clock.monotonicMs();
    const isSame = was.isRefusing === isRefusing && String(was.others) === String(others);
    if (!isSame) onChange(this.#comparison);
  }
}

const digestIn = (row: SqlRow): string => text(row, 'catalogue');

/** Returns the most frequent text; in a tie, the one that occurs first. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const each of texts) counts.set(each, (counts.get(each) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].find((each) => counts.get(each) === most);
}

/** Returns a digest of models, channels and prices, which does not depend on their order. */
function priceDigest({ models, fx }: Catalogue): string {
  const prices = [...models.values()].flatMap(({ id, settlement, channels }) =>
    [...channels.values()].map(({ name, card }) => [id, settlement, name, card.id].join(' ')),
  );
  const rates = [...fx.values()].map(({ id }) => id);
  const content = [...prices, ...rates].toSorted().join('\n');
  return createHash('sha256').update(content).digest('hex').slice(0, DIGEST_CHARS);
}
