/**
 * For tests: reads the ledger's records, so that a history can be checked. Reads the tables of the
 * store instead of calling the gateway.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Charge, Kind, LedgerRecords } from './history.ts';

type Row = Readonly<Record<string, unknown>>;
type Query = (sql: string) => Promise<readonly Row[]>;

/**
 * Reads the database in a data folder. Its gateway must have ended, because a running gateway locks
 * the database.
 */
export async function recordsOfFolder(dataDir: string): Promise<LedgerRecords> {
  const file = new SqliteFile(join(dataDir, 'modelgate.db'), {
    readwrite: true,
    safeIntegers: true,
  });
  try {
    return await readRecords(HOLDS_IN_MEMORY, async (sql) => file.query<Row, []>(sql).all());
  } finally {
    file.close();
  }
}

/** Reads a PostgreSQL database. Its gateways may be running. */
export async function recordsOfServer(url: string): Promise<LedgerRecords> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await readRecords(HOLDS, async (text) => await sql.unsafe(text));
  } finally {
    await sql.end();
  }
}

/**
 * Selects charges and corrections, each with its loss: the part of the price that was not charged.
 */
const CHARGES = `SELECT seq, kind, request_id, currency, charge, loss FROM charged
  WHERE charge <> 0 OR loss <> 0 ORDER BY seq`;
const REQUEST = `request_id, key_id, endpoint, model, streamed, started_at_ms,
  input + cache_read + cache_write_5m + cache_write_1h + audio_input + image_input AS prompt,
  output + reasoning + audio_output + image_output AS output`;
const REQUESTS = `SELECT ${REQUEST} FROM late_receipt UNION ALL SELECT ${REQUEST} FROM receipt
  WHERE request_id NOT IN (SELECT request_id FROM late_receipt)`;
/**
 * Selects holds on PostgreSQL. A hold in a node's memory has no row, but the receipt of its request
 * states the held amount.
 */
const HOLDS = `SELECT id, amount, state, created_at_ms FROM hold
  UNION ALL SELECT request_id, held, 'settled', started_at_ms FROM receipt
  WHERE NOT EXISTS (SELECT 1 FROM hold WHERE hold.id = receipt.request_id)`;
/**
 * Selects holds on SQLite, where holds are only in memory. The store contains only the held amounts
 * of settled requests and of streams that are still running.
 */
const HOLDS_IN_MEMORY = `SELECT request_id AS id, held AS amount, 'settled' AS state,
  started_at_ms AS created_at_ms FROM receipt
  UNION ALL SELECT request_id, held, 'pending', 0 FROM checkpoint`;
const MOVEMENTS = `SELECT account_id, currency, amount, balance_after FROM movement
  ORDER BY seq, line`;
const WALLETS = 'SELECT account_id, currency, balance, held, floor FROM wallet';

async function readRecords(holdsSql: string, query: Query): Promise<LedgerRecords> {
  const charges = await query(CHARGES);
  const requests = await query(REQUESTS);
  const holds = await query(holdsSql);
  const movements = await query(MOVEMENTS);
  const wallets = await query(WALLETS);
  return {
    readAtMs: Date.now(),
    charges: charges.map(chargeOf),
    requests: requests.map((row) => ({
      requestId: text(row, 'request_id'),
      keyId: text(row, 'key_id'),
      endpoint: endpointOf(row),
      model: text(row, 'model'),
      streamed: integer(row, 'streamed') === 1n,
      startedAtMs: Number(integer(row, 'started_at_ms')),
      promptTokens: integer(row, 'prompt'),
      completionTokens: integer(row, 'output'),
    })),
    holds: holds.map((row) => ({
      requestId: text(row, 'id'),
      amount: integer(row, 'amount'),
      isPending: text(row, 'state') === 'pending',
      createdAtMs: Number(integer(row, 'created_at_ms')),
    })),
    movements: movements.map((row) => ({
      ...walletOf(row),
      amount: integer(row, 'amount'),
      balanceAfter: integer(row, 'balance_after'),
    })),
    wallets: wallets.map((row) => ({
      ...walletOf(row),
      balance: integer(row, 'balance'),
      held: integer(row, 'held'),
      floor: integer(row, 'floor'),
    })),
  };
}

function chargeOf(row: Row): Charge {
  return {
    transaction: integer(row, 'seq'),
    kind: text(row, 'kind') === 'late' ? 'late' : 'settle',
    requestId: text(row, 'request_id'),
    currency: text(row, 'currency'),
    taken: integer(row, 'charge'),
    loss: integer(row, 'loss'),
  };
}

const walletOf = (row: Row) => ({
  accountId: text(row, 'account_id'),
  currency: text(row, 'currency'),
});

function endpointOf(row: Row): Kind['endpoint'] {
  const endpoint = text(row, 'endpoint');
  if (endpoint === 'chat' || endpoint === 'messages' || endpoint === 'images') return endpoint;
  throw new Error(`no endpoint: ${endpoint}`);
}

function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new Error(`column ${name} is not text`);
  return value;
}

/**
 * Reads an integer. PostgreSQL's driver returns 64-bit integers and sums as text, so that no digit
 * is lost.
 */
function integer(row: Row, name: string): bigint {
  const value = row[name];
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' || typeof value === 'string') return BigInt(value);
  throw new Error(`column ${name} is not an integer`);
}
