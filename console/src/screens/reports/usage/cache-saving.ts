/** Calculates how much money cached tokens saved, at the prices in force now. */
import type { UsageRow } from '#api/usage.ts';
import type { Model, Price } from '#catalogue/models.ts';
import { type Pico, parseAmount } from '#money/amount.ts';

const MILLION = 1_000_000n;

/**
 * Returns the amount saved in each currency. It is what the cached tokens would cost as plain
 * input, minus what they cost as cache reads and cache writes. It can be negative, because cache
 * writes cost extra.
 * @param rows usage by model and channel. Models without token prices are ignored.
 */
export function cacheSaving(
  rows: readonly UsageRow[],
  models: readonly Pick<Model, 'id' | 'channels'>[],
): ReadonlyMap<string, Pico> {
  const priceOf = new Map<string, Price>(
    models.flatMap(({ id, channels }) =>
      channels.map(({ channel, price }) => [`${id} ${channel}`, price] as const),
    ),
  );
  const saved = new Map<string, Pico>();
  for (const row of rows) {
    const price = priceOf.get(`${row.model} ${row.channel}`);
    if (price == null || price.input === null) continue;
    const input = parseAmount(price.input);
    const less = (tokens: number, cost: string | null, otherwise: Pico): Pico =>
      BigInt(tokens) * (input - (cost === null ? otherwise : parseAmount(cost)));
    const amount =
      less(row.cache_read_tokens, price.cache_read, input) +
      less(row.cache_write_5m_tokens, price.cache_write, input) +
      less(row.cache_write_1h_tokens, price.cache_write_1h, 2n * input);
    if (amount === 0n) continue;
    saved.set(price.currency, (saved.get(price.currency) ?? 0n) + amount / MILLION);
  }
  return saved;
}
