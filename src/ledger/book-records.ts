/** The ledger's plain reads and its rare writes, as SQL that every engine understands. */
import { type Currency, isCurrency, type NanoAmount, nano } from '../money/amount.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from './database.ts';
import type { PublishedCard, PublishedRate, StoredReceipt, Wallet } from './ledger.ts';
import { integer, receiptOf, text } from './receipt-row.ts';

export async function walletsOf(sql: SqlExecutor, accountId: string): Promise<readonly Wallet[]> {
  const rows = await sql.query({
    sql: `SELECT currency, balance, held, floor FROM wallet WHERE account_id = $1
          ORDER BY currency DESC`,
    params: [accountId],
  });
  return rows.map((row) => ({
    currency: currencyIn(row),
    balance: nano(integer(row, 'balance')),
    held: nano(integer(row, 'held')),
    floor: nano(integer(row, 'floor')),
  }));
}

export async function receiptFor(
  sql: SqlExecutor,
  requestId: string,
): Promise<StoredReceipt | null> {
  const [row] = await sql.query({
    sql: 'SELECT * FROM receipt WHERE request_id = $1',
    params: [requestId],
  });
  return row === undefined ? null : receiptOf(row);
}

export async function spentBy(
  sql: SqlExecutor,
  keyId: string,
): Promise<ReadonlyMap<Currency, NanoAmount>> {
  const rows = await sql.query({
    sql: 'SELECT currency, SUM(charge) AS charged FROM key_spend WHERE key_id = $1 GROUP BY currency',
    params: [keyId],
  });
  return new Map(rows.map((row) => [currencyIn(row), nano(integer(row, 'charged'))]));
}

/** Writes the cards and rates whose id is new, all or none. */
export async function publishCards(
  sql: SqlExecutor,
  cards: readonly PublishedCard[],
  rates: readonly PublishedRate[],
): Promise<void> {
  const known = new Set(
    (await sql.query({ sql: 'SELECT id FROM card', params: [] })).map((row) => text(row, 'id')),
  );
  const statements = [
    ...rates.map(insertRate),
    ...cards.filter((card) => !known.has(card.id)).flatMap(insertCard),
  ];
  if (statements.length > 0) await sql.transaction(statements);
}

function insertRate({ id, base, quote, scaled, effectiveFromMs }: PublishedRate): SqlStatement {
  return {
    sql: `INSERT INTO fx_rate (id, base, quote, scaled, effective_from_ms)
          VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`,
    params: [id, base, quote, scaled, effectiveFromMs],
  };
}

function insertCard(card: PublishedCard): SqlStatement[] {
  const { id, currency, model, channel, rates, perImage, effectiveFromMs } = card;
  const perToken = [
    ...[rates?.input ?? null, rates?.cacheRead ?? null, rates?.cacheWrite5m ?? null],
    ...[rates?.cacheWrite1h ?? null, rates?.output ?? null],
  ];
  return [
    {
      sql: `INSERT INTO card (id, currency, model, channel, input, cache_read, cache_write_5m,
              cache_write_1h, output, effective_from_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING`,
      params: [id, currency, model, channel, ...perToken, effectiveFromMs],
    },
    ...Object.entries(perImage ?? {}).map(([priceKey, price]) => ({
      sql: `INSERT INTO card_image (card_id, price_key, price) VALUES ($1, $2, $3)
            ON CONFLICT (card_id, price_key) DO NOTHING`,
      params: [id, priceKey, price],
    })),
  ];
}

/** Voids the pending holds of every epoch but `liveEpoch`; returns how many. */
export async function voidOrphans(
  sql: SqlExecutor,
  liveEpoch: string,
  atMs: number,
): Promise<number> {
  const orphans = "state = 'pending' AND epoch <> $1";
  const [, voided] = await sql.transaction([
    {
      sql: `UPDATE wallet SET held = held
              - COALESCE((SELECT SUM(own) FROM hold WHERE ${orphans}
                  AND hold.account_id = wallet.account_id AND hold.currency = wallet.currency), 0)
              - COALESCE((SELECT SUM(reserve) FROM hold WHERE ${orphans}
                  AND hold.account_id = wallet.account_id
                  AND hold.reserve_currency = wallet.currency), 0)
            WHERE account_id IN (SELECT account_id FROM hold WHERE ${orphans})`,
      params: [liveEpoch],
    },
    {
      sql: `UPDATE hold SET state = 'void', resolved_at_ms = $1
            WHERE state = 'pending' AND epoch <> $2 RETURNING id`,
      params: [atMs, liveEpoch],
    },
  ]);
  return voided?.length ?? 0;
}

function currencyIn(row: SqlRow): Currency {
  const currency = text(row, 'currency');
  if (!isCurrency(currency)) throw new Error(`a row in an unknown currency ${currency}`);
  return currency;
}
