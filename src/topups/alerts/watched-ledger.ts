/**
 * A ledger that checks balances after money moved. All code that charges or credits applies its
 * commands through this ledger, so that no caller has to trigger the alerts.
 */
import type { Command, Ledger, Outcome } from '../../ledger/ledger.ts';
import type { LowBalance } from './low-balance.ts';

type Observer = Pick<LowBalance, 'observe' | 'observeRise'>;

export function watchBalances(
  ledger: Pick<Ledger, 'apply'>,
  lowBalance: Observer,
): Pick<Ledger, 'apply'> {
  return {
    apply: async (batch) => {
      const outcomes = await ledger.apply(batch);
      for (const [i, command] of batch.entries()) look(lowBalance, command, outcomes[i]);
      return outcomes;
    },
  };
}

function look(lowBalance: Observer, command: Command, outcome: Outcome | undefined): void {
  if (outcome?.status !== 'applied' && outcome?.status !== 'already_applied') return;
  const { available } = outcome.result;
  // A settlement may be a retry whose first result was lost, so its balance is checked even if it
  // was applied before.
  if (command.kind === 'settle') {
    const { accountId, currency } = command.receipt;
    lowBalance.observe(accountId, currency, available);
  } else if (outcome.status === 'already_applied') {
    return;
  } else if (command.kind === 'exchange') {
    // The result has only the balance of the bought currency. The sold one is checked with its next
    // charge.
    lowBalance.observeRise(command.accountId, command.rate.quote, available);
  } else if (command.kind === 'credit' || command.kind === 'adjust') {
    const { accountId, currency, amount } = command;
    if (amount < 0n) lowBalance.observe(accountId, currency, available);
    else lowBalance.observeRise(accountId, currency, available);
  }
}
