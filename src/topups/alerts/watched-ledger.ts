/** Wraps a ledger so that its commands also cause low-balance alerts and emails about payments. */
import type { Command, Ledger, Outcome } from '../../ledger/ledger.ts';
import type { LowBalance } from './low-balance.ts';
import type { ReceiptLetters } from './receipt-letters.ts';

type Observer = Pick<LowBalance, 'observe' | 'observeRise'>;

export function watchBalances(
  ledger: Pick<Ledger, 'apply'>,
  lowBalance: Observer,
  receipts: Pick<ReceiptLetters, 'observe'>,
): Pick<Ledger, 'apply'> {
  return {
    apply: async (batch) => {
      const outcomes = await ledger.apply(batch);
      for (const [i, command] of batch.entries()) {
        look(lowBalance, command, outcomes[i]);
        // A repeated credit is observed too, because the process may have stopped before it queued
        // the email.
        const { status } = outcomes[i] ?? { status: null };
        if (status === 'applied' || status === 'already_applied') receipts.observe(command, batch);
      }
      return outcomes;
    },
  };
}

function look(lowBalance: Observer, command: Command, outcome: Outcome | undefined): void {
  if (outcome?.status !== 'applied' && outcome?.status !== 'already_applied') return;
  const { available } = outcome.result;
  // A repeated settlement is checked too, because the first settlement's result may have been lost.
  if (command.kind === 'settle') {
    const { accountId, currency } = command.receipt;
    lowBalance.observe(accountId, currency, available);
  } else if (outcome.status === 'already_applied') {
    return;
  } else if (command.kind === 'exchange') {
    // The result of an exchange contains only the balance of the bought currency. The wallet of the
    // sold currency is checked after its next charge.
    lowBalance.observeRise(command.accountId, command.rate.quote, available);
  } else if (command.kind === 'credit' || command.kind === 'adjust') {
    const { accountId, currency, amount } = command;
    if (amount < 0n) lowBalance.observe(accountId, currency, available);
    else lowBalance.observeRise(accountId, currency, available);
  }
}
