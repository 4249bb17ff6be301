/** Counts the holds that the books do not grant, on their way from the purchase to the ledger. */

import { asGatewayError } from '../errors.ts';
import { OutcomeInDoubt } from '../ledger/in-doubt.ts';
import type { Command, Ledger, Outcome } from '../ledger/ledger.ts';

/**
 * The same books.
 * @param onFailed told of each hold and extension that was not granted: the status of its outcome, or the
 *   code of the failure, `in_doubt` when nobody can tell.
 */
export function watchHolds(
  ledger: Pick<Ledger, 'apply'>,
  onFailed: (reason: string) => void,
): Pick<Ledger, 'apply'> {
  const isHold = ({ kind }: Command): boolean => kind === 'hold' || kind === 'extend';
  const isGranted = (outcome: Outcome | undefined): boolean =>
    outcome?.status === 'applied' || outcome?.status === 'already_applied';
  return {
    apply: async (batch) => {
      try {
        const outcomes = await ledger.apply(batch);
        for (const [i, command] of batch.entries()) {
          const outcome = outcomes[i];
          if (isHold(command) && !isGranted(outcome)) onFailed(outcome?.status ?? 'no_outcome');
        }
        return outcomes;
      } catch (thrown) {
        const reason = thrown instanceof OutcomeInDoubt ? 'in_doubt' : asGatewayError(thrown).code;
        for (const command of batch) if (isHold(command)) onFailed(reason);
        throw thrown;
      }
    },
  };
}
