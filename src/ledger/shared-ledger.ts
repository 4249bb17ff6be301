/** What every engine's ledger does alike, over its own plain SQL and its own commits. */

import type { SqlExecutor } from '../store/sql.ts';
import { fault } from '../store/store-fault.ts';
import { publishCards, receiptFor, spentBy, walletsOf } from './book-records.ts';
import { checkCommand } from './check-command.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Command, Ledger, Outcome } from './ledger.ts';
import type { Reply } from './wire.ts';

export function sharedLedger(
  sql: SqlExecutor,
  commits: Pick<GroupCommit<Command, Reply>, 'submit'>,
): Pick<Ledger, 'apply' | 'wallets' | 'receipt' | 'spentByKey' | 'publish'> {
  return {
    apply: async (batch) => {
      for (const command of batch) checkCommand(command);
      return (await commits.submit(batch)).map(outcomeOf);
    },
    wallets: (accountId) => walletsOf(sql, accountId),
    receipt: (requestId) => receiptFor(sql, requestId),
    spentByKey: (keyId) => spentBy(sql, keyId),
    publish: (cards, rates) => publishCards(sql, cards, rates),
  };
}

/** @throws GatewayError when the command met a fault: nothing of it was written. */
function outcomeOf(reply: Reply): Outcome {
  if (reply.status === 'fault') throw fault(reply.code, reply.message, reply.param);
  return reply;
}
