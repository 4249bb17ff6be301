/**
 * Keeps nodes from selling at different prices. Each node reports a digest of its prices. Only the
 * nodes with the most frequent digest sell. In a tie, the digest of the node that joined first
 * wins. The other nodes refuse requests with the error `config_mismatch`.
 *
 * Nodes with `config: database` also report their config revision. The newest revision wins. The
 * other nodes may sell at older prices for `CATCH_UP_MS`, because nodes read a new revision one
 * after another.
 *
 * Digests of different formats are not compared. Then only the revision counts.
 */
import { createHash } from 'node:crypto';
import { datedCards } from '../catalogue/announced.ts';
import type { Card, Catalogue, Channel, Model } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { inSlices, type Steps } from '../config/document/steps.ts';
import { GatewayError } from '../errors.ts';
import { numberOrNull, text } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { LEASE_MS } from './node-lease.ts';

/**
 * How long a node that refuses requests because of its prices still reports ready. If it reported
 * not ready at once, a rolling restart with new prices would get stuck, because it replaces the
 * next node only when the new one is ready, but the new prices win only when most nodes have them.
 */
export const ROLLOUT_MS = 10 * 60_000;
/**
 * How long a node may sell at an older revision's prices: three intervals of `POLL_MS`, at which
 * nodes look for a newer revision.
 */
export const CATCH_UP_MS = 6_000;
const DIGEST_CHARS = 32;
/**
 * The format of the digests. Raise it when the same prices get another digest than in the previous
 * version, for example because the id of a price card covers one more field.
 */
export const PRICES_FORMAT = 1;

/** The result of comparing this node's prices with those of the other live nodes. */
export type Comparison = {
  /** Whether this node must refuse requests, because other nodes' prices have won. */
  readonly isRefusing: boolean;
  /** The names of the nodes whose prices differ from this node's. Callers never see the names. */
  readonly others: readonly string[];
};
const SAME: Comparison = { isRefusing: false, others: [] };

type Report = { readonly digest: string; readonly revision: number | null };

export type PriceAgreementDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /**
   * The epoch of this process's lease, which must have been renewed just before each call of
   * `check`.
   */
  readonly epoch: () => string;
  /** Called when the comparison changes. */
  readonly onChange: (comparison: Comparison) => void;
};

export class PriceAgreement {
  readonly #deps: PriceAgreementDeps;
  /** The last report of this node; null before the first report and while the node drains. */
  #reported: Report | null = null;
  /** Since when (monotonic time) another node's prices differ; null while all prices are equal. */
  #differingSinceMs: number | null = null;
  #comparison = SAME;
  #refusingSinceMs = 0;
  #checking: Promise<void> | null = null;

  constructor(deps: PriceAgreementDeps) {
    this.#deps = deps;
  }

  get comparison(): Comparison {
    return this.#comparison;
  }

  /** Whether the node may get traffic: it sells, or a rolling restart may soon let it sell. */
  get isReady(): boolean {
    const ageMs = this.#deps.clock.monotonicMs() - this.#refusingSinceMs;
    return !this.#comparison.isRefusing || ageMs < ROLLOUT_MS;
  }

  /**
   * Reports the prices that this node sells at, and compares them with those of other nodes.
   * @param revision the config revision of the prices; null if they are from the node's own file.
   */
  async report(catalogue: Catalogue, revision: number | null): Promise<void> {
    const digest = await inSlices(digestSteps(catalogue), this.#deps.clock);
    const report = { digest, revision };
    await this.#compare(report);
    this.#reported = report;
  }

  /**
   * Compares the prices again. Reports them again if the epoch is new. Only one check runs at a
   * time.
   */
  check(): Promise<void> {
    if (this.#reported === null) return Promise.resolve();
    this.#checking ??= this.#compare(this.#reported).finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Withdraws the report of a node that stops, so that it does not count while it drains. */
  async withdraw(): Promise<void> {
    this.#reported = null;
    await this.#checking;
    const { sql, epoch } = this.#deps;
    await sql.query(statement`UPDATE node SET catalogue = NULL WHERE epoch = ${epoch()}`);
  }

  /** @throws GatewayError `config_mismatch` while this node must not sell. */
  requireAgreement(): void {
    if (!this.#comparison.isRefusing) return;
    throw new GatewayError(
      'config_mismatch',
      'The prices of this gateway node differ from those of the other nodes, so it refuses requests. Retry the request.',
      { retryAfterSeconds: 1 },
    );
  }

  async #compare({ digest, revision }: Report): Promise<void> {
    const { sql, epoch, onChange, clock } = this.#deps;
    const own = epoch();
    // The lease was just renewed, so its end minus `LEASE_MS` is the current time by the store's
    // clock.
    const [, rows = []] = await sql.transaction([
      statement`UPDATE node SET catalogue = ${digest}, config_revision = ${revision}
        WHERE epoch = ${own} AND (catalogue IS NULL OR catalogue <> ${digest}
          OR COALESCE(config_revision, 0) <> ${revision ?? 0})`,
      statement`SELECT name, catalogue, config_revision FROM node WHERE catalogue IS NOT NULL AND lease_until_ms >
        (SELECT lease_until_ms FROM node WHERE epoch = ${own}) - ${LEASE_MS}
        ORDER BY joined_at_ms, epoch`,
    ]);
    const alike = rows.filter((row) => formatIn(row) === PRICES_FORMAT);
    const differing = rows.filter((row) =>
      alike.includes(row) ? digestIn(row) !== digest : isNewer(row, revision),
    );
    const nowMs = clock.monotonicMs();
    this.#differingSinceMs = differing.length === 0 ? null : (this.#differingSinceMs ?? nowMs);
    const forMs = nowMs - (this.#differingSinceMs ?? nowMs);
    // With `config: database`, ignores differences that last less than `CATCH_UP_MS`, because nodes
    // do not read new prices in the same second.
    const isNoted = differing.length > 0 && (revision === null || forMs >= CATCH_UP_MS);
    const others = isNoted ? differing.map((row) => text(row, 'name')) : [];
    const isRefusing =
      isNoted &&
      (revision === null
        ? mostFrequent(alike.map(digestIn)) !== digest
        : differing.some((row) => isNewer(row, revision)));
    const was = this.#comparison;
    this.#comparison = { isRefusing, others };
    if (isRefusing && !was.isRefusing) this.#refusingSinceMs = nowMs;
    const isSame = was.isRefusing === isRefusing && String(was.others) === String(others);
    if (!isSame) onChange(this.#comparison);
  }
}

const digestIn = (row: SqlRow): string => text(row, 'catalogue');
/**
 * Returns a digest's format: the number at its start, as in `2:`. A digest of the first format has
 * no such prefix.
 */
const formatIn = (row: SqlRow): number => Number(/^(\d+):/.exec(digestIn(row))?.[1] ?? 1);
const isNewer = (row: SqlRow, revision: number | null): boolean =>
  revision !== null && (numberOrNull(row, 'config_revision') ?? 0) > revision;

/** Returns the most frequent text; in a tie, the one that comes first. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const each of texts) counts.set(each, (counts.get(each) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].find((each) => counts.get(each) === most);
}

/**
 * Returns a digest of models, channels and prices, in steps. The digest depends neither on their
 * order nor on the time of the node's start, because it includes all announced prices.
 */
function* digestSteps(catalogue: Catalogue): Steps<string> {
  const lines: string[] = [];
  // The ids of price cards differ between price lists, so the lines of the digest need not name the
  // price list.
  for (const { models } of [catalogue, ...catalogue.lists.values()]) {
    for (const model of models.values()) {
      lines.push(...linesOnce(model));
      yield;
    }
  }
  for (const { id } of catalogue.fx.values()) lines.push(id);
  const content = lines.toSorted().join('\n');
  const format: number = PRICES_FORMAT;
  const digest = createHash('sha256').update(content).digest('hex').slice(0, DIGEST_CHARS);
  return format === 1 ? digest : `${format}:${digest}`;
}

/**
 * Caches the lines of each model. A new catalogue keeps the object of a model that did not change.
 */
const known = new WeakMap<Model, readonly string[]>();

function linesOnce(model: Model): readonly string[] {
  const before = known.get(model);
  if (before !== undefined) return before;
  const { id, settlement, channels } = model;
  const datedIn = (channel: Channel<Card>): readonly string[] =>
    datedCards(channel).map(({ fromMs, card }) =>
      fromMs === 0 ? card.id : `${fromMs} ${card.id}`,
    );
  const lines = [...channels.values()].map((channel) =>
    [id, settlement, channel.name, ...datedIn(channel)].join(' '),
  );
  known.set(model, lines);
  return lines;
}
