import type { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Verdict } from '../routing/health.ts';
import { TookTooLong } from './deadlines.ts';

/** What the end of an answer that had begun well says about its route. */
export function verdictOf(outcome: RequestOutcome, error: GatewayError | null): Verdict {
  switch (outcome) {
    case 'completed':
      return { kind: 'success' };
    case 'upstream_error':
    case 'upstream_timeout':
    case 'upstream_truncated': {
      if (error instanceof TookTooLong) return { kind: 'unknown' };
      // A refusal of what the caller asked for, told late.
      if (error !== null && error.status < 500) return { kind: 'unknown' };
      const cause = error?.cause instanceof Error ? error.cause.message : null;
      return { kind: 'failure', code: error?.code ?? outcome, cause };
    }
    default:
      // The caller left, the money ran out, the key was revoked, or the fault is ours.
      return { kind: 'unknown' };
  }
}
