/** An in-memory model of the SQL function `books_count_limits`. */
import type { LimitAnswer, LimitAsk } from './limit-store.ts';

type Known = { readonly turn: number; readonly count: number; readonly life: number };
type Row = { debt: number; atMs: number; readonly nodes: Map<string, Known> };

export class LimitModel {
  readonly #rows = new Map<string, Row>();
  readonly #nowMs: () => number;
  readonly #isLive: (epoch: string) => boolean;

  constructor(nowMs: () => number, isLive: (epoch: string) => boolean) {
    this.#nowMs = nowMs;
    this.#isLive = isLive;
  }

  /** Deletes all counts, as a crash of the database server does. */
  forget(): void {
    this.#rows.clear();
  }

  count(asks: readonly LimitAsk[], epoch: string, turn: number): ReadonlyMap<string, LimitAnswer> {
    return new Map(asks.map((ask) => [ask.name, this.#count(ask, epoch, turn)]));
  }

  #count(ask: LimitAsk, epoch: string, turn: number): LimitAnswer {
    const nowMs = this.#nowMs();
    const row = this.#rows.get(ask.name) ?? { debt: 0, atMs: nowMs, nodes: new Map() };
    this.#rows.set(ask.name, row);
    const { limit, used, life } = ask;
    const known = row.nodes.get(epoch);
    if (known !== undefined && known.turn >= turn) return { granted: 0, level: 0 };
    for (const each of row.nodes.keys()) if (!this.#isLive(each)) row.nodes.delete(each);
    row.nodes.delete(epoch);
    const elapsedMs = Math.max(0, nowMs - row.atMs);
    row.atMs = nowMs;
    if (ask.kind === 'running') {
      const others = [...row.nodes.values()].reduce((sum, { count }) => sum + count, 0);
      const granted = Math.max(0, Math.min(ask.want, limit - others - used));
      row.nodes.set(epoch, { turn, count: used + granted, life });
      return { granted, level: others + used + granted };
    }
    const before = known?.life === life ? known.count : ask.confirmed;
    row.nodes.set(epoch, { turn, count: used, life });
    const drained = Math.max(0, row.debt - limit * elapsedMs);
    const debt = Math.max(0, drained + (used - before) * 60_000);
    const fits = Math.min(ask.want, Math.max(0, limit - Math.ceil(debt / 60_000)));
    const granted = fits < ask.least ? 0 : fits;
    row.debt = debt + granted * 60_000;
    return { granted, level: row.debt };
  }
}
