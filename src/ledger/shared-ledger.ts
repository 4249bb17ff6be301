/** The part of a ledger that all engines share, on top of the engine's SQL and commits. */
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { currencyOf, integer } from '../store/row.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { fault } from '../store/store-fault.ts';
import { checkCommand } from './check-command.ts';
import type { GroupCommit } from './group-commit.ts';
import { NOTHING_HELD } from './held-in-memory.ts';
import type { Command, Ledger, Outcome, Sales, StoredReceipt, Wallet } from './ledger.ts';
import { publishCards } from './publish.ts';
import { receiptOf } from './receipt-row.ts';
import type { Reply } from './wire.ts';

export function sharedLedger(
  sql: SqlExecutor,
): Pick<Ledger, 'wallets' | 'receipt' | 'spentByKey' | 'publish'> {
  return {
    wallets: (accountId) => walletsOf(sql, accountId),
    receipt: (requestId) => receiptFor(sql, requestId),
    spentByKey: (keyId) => spentBy(sql, keyId),
    publish: (cards, rates) => publishCards(sql, cards, rates),
  };
}

/** Returns a ledger whose commands are all decided by the store. */
export function storedLedger(
  commits: Pick<GroupCommit<Command, Reply>, 'submit'>,
  checkpoints: Pick<Sales, 'keepCheckpoint'>,
): Pick<Ledger, 'apply' | 'inMemory'> & Sales {
  const apply: Ledger['apply'] = async (batch) => {
    for (const command of batch) checkCommand(command);
    return (await commits.submit(batch)).map(outcomeOf);
  };
  return {
    apply,
    ...oneByOne(apply, checkpoints),
    inMemory: NOTHING_HELD,
  };
}

/** Makes, extends and settles holds by batches of one command. */
export function oneByOne(
  apply: Ledger['apply'],
  checkpoints: Pick<Sales, 'keepCheckpoint'>,
): Sales {
  const one = async (command: Command): Promise<Outcome> => {
    const [outcome] = await apply([command]);
    if (outcome === undefined) throw new Error(`no outcome of ${command.kind} ${command.id}`);
    return outcome;
  };
  const keepCheckpoint: Sales['keepCheckpoint'] = (holdId, checkpoint) =>
    checkpoints.keepCheckpoint(holdId, checkpoint);
  return { hold: one, extend: one, settle: one, keepCheckpoint };
}

/** @throws GatewayError if the command failed with an error. It has then changed nothing. */
export function outcomeOf(reply: Reply): Outcome {
  if (reply.status === 'fault') throw fault(reply.code, reply.message, reply.param);
  return reply;
}

export const WALLETS = `SELECT currency, balance, held, floor FROM wallet WHERE account_id = $1
  ORDER BY currency DESC`;

async function walletsOf(sql: SqlExecutor, accountId: string): Promise<readonly Wallet[]> {
  const rows = await sql.query({
    sql: WALLETS,
    params: [accountId],
  });
  return rows.map((row) => ({
    currency: currencyOf(row),
    balance: nano(integer(row, 'balance')),
    held: nano(integer(row, 'held')),
    floor: nano(integer(row, 'floor')),
  }));
}

async function receiptFor(sql: SqlExecutor, requestId: string): Promise<StoredReceipt | null> {
  const [row] = await sql.query({
    sql: 'SELECT * FROM receipt WHERE request_id = $1',
    params: [requestId],
  });
  return row === undefined ? null : receiptOf(row);
}

async function spentBy(
  sql: SqlExecutor,
  keyId: string,
): Promise<ReadonlyMap<Currency, NanoAmount>> {
  const rows = await sql.query({
    sql: `SELECT currency, SUM(charge) AS charged FROM usage_by_day
          WHERE key_id = $1 AND charge <> 0 GROUP BY currency`,
    params: [keyId],
  });
  return new Map(rows.map((row) => [currencyOf(row), nano(integer(row, 'charged'))]));
}
