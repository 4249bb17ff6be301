/**
 * Fills the daily roll-ups and the spend meters from the receipts of books that were kept without them:
 * once, when schema step 2 is applied. In bigint, because a charge times the scale of its rate does not
 * fit in 64 bits.
 */

import type { SQLQueryBindings, Database as SqliteFile } from 'bun:sqlite';
import { DAY_MS, daysAt } from '../../money/calendar.ts';
import { meteredCharge, meterRate } from '../meter.ts';

type ReceiptRow = {
  readonly account_id: string;
  readonly key_id: string;
  readonly model: string;
  readonly channel: string;
  readonly currency: string;
  readonly day: bigint;
  readonly outcome: string;
  readonly input: bigint;
  readonly cache_read: bigint;
  readonly cache_write_5m: bigint;
  readonly cache_write_1h: bigint;
  readonly output: bigint;
  readonly images: bigint;
  readonly charge: bigint;
  readonly loss: bigint;
  readonly base: 'USD' | 'CNY' | null;
  readonly scaled: bigint | null;
};

/** In the order of the statement that adds them. */
type Sums = bigint[];

export function fillRollUps(file: SqliteFile): void {
  const days = new Map<string, { readonly keys: (string | bigint)[]; readonly sums: Sums }>();
  const spent = new Map<string, Map<bigint, bigint>>();
  const receipts = file.query<ReceiptRow, []>(
    `SELECT r.account_id, r.key_id, r.model, r.channel, r.currency,
       r.settled_at_ms / ${DAY_MS} AS day, r.outcome, r.input, r.cache_read, r.cache_write_5m,
       r.cache_write_1h, r.output, COALESCE(r.image_count, 0) AS images, r.charge, r.loss,
       f.base, f.scaled
     FROM receipt r LEFT JOIN fx_rate f ON f.id = r.fx_rate_id`,
  );
  for (const row of receipts.iterate()) {
    const { base, scaled } = row;
    const rate = base === null || scaled === null ? null : { base, scaled };
    const metered = meteredCharge(row.charge, meterRate(rate));
    const keys = [row.account_id, row.day, row.key_id, row.model, row.channel, row.currency];
    addTo(days, keys, [
      ...[1n, row.outcome === 'completed' ? 0n : 1n, row.input, row.cache_read],
      ...[row.cache_write_5m, row.cache_write_1h, row.output, row.images],
      ...[row.charge, row.loss, metered],
    ]);
    for (const owner of [row.key_id, row.account_id]) {
      const byDay = spent.get(owner) ?? new Map<bigint, bigint>();
      byDay.set(row.day, (byDay.get(row.day) ?? 0n) + metered);
      spent.set(owner, byDay);
    }
  }
  writeDays(file, days);
  writeMeters(file, spent);
}

function addTo(
  days: Map<string, { readonly keys: (string | bigint)[]; readonly sums: Sums }>,
  keys: (string | bigint)[],
  amounts: Sums,
): void {
  const name = JSON.stringify(keys.map(String));
  const before = days.get(name)?.sums;
  days.set(name, { keys, sums: amounts.map((amount, at) => amount + (before?.[at] ?? 0n)) });
}

function writeDays(
  file: SqliteFile,
  days: ReadonlyMap<string, { readonly keys: (string | bigint)[]; readonly sums: Sums }>,
): void {
  const insert = file.query<never, SQLQueryBindings[]>(
    `INSERT INTO usage_day (account_id, day, key_id, model, channel, currency, requests, incomplete,
       input, cache_read, cache_write_5m, cache_write_1h, output, images, charge, loss, metered)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { keys, sums } of days.values()) insert.run(...keys, ...sums);
}

/** The windows of the last day that has a receipt, and what pending holds may come to. */
function writeMeters(
  file: SqliteFile,
  spent: ReadonlyMap<string, ReadonlyMap<bigint, bigint>>,
): void {
  const update = file.query<never, SQLQueryBindings[]>(
    `UPDATE spend_meter SET total = ?2, day = ?3, in_day = ?4, week = ?5, in_week = ?6, month = ?7,
       in_month = ?8 WHERE owner_id = ?1`,
  );
  for (const [owner, byDay] of spent) {
    const last = [...byDay.keys()].reduce((latest, day) => (day > latest ? day : latest));
    const { day, week, month } = daysAt(Number(last) * DAY_MS);
    const since = (first: bigint): bigint =>
      [...byDay].reduce((sum, [each, metered]) => (each >= first ? sum + metered : sum), 0n);
    update.run(owner, since(0n), day, since(day), week, since(week), month, since(month));
  }
  file.run(`UPDATE spend_meter SET held = COALESCE((SELECT SUM(metered) FROM hold
    WHERE state = 'pending' AND (key_id = owner_id OR account_id = owner_id)), 0)`);
}
