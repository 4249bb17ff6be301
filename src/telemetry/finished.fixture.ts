/** Finished requests, for tests. */
import { receipt } from '../ledger/conformance/ledger.fixture.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { formatAmount, nano, ZERO } from '../money/amount.ts';
import type { Settled } from '../relay/purchase.ts';
import type { FinishedRequest } from './request-journal.ts';

export const STARTED_MS = 1_790_000_000_000;

/** Returns a settled request: its receipt, charge and cost. */
export function settledFor(id: string, given: Partial<Receipt> = {}, charge = 20n): Settled {
  const own = { ...receipt(id, 10n), ...given };
  return {
    receipt: own,
    charge: nano(charge),
    loss: ZERO,
    held: nano(charge),
    available: ZERO,
    exchange: null,
    cost: { usd: '0', exact: formatAmount(nano(charge)), currency: own.currency, estimated: null },
  };
}

/** A successful chat request. The fields in `given` replace the default ones. */
export const finished = (given: Partial<FinishedRequest> = {}): FinishedRequest => ({
  requestId: 'req_1',
  trace: {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: null,
    spanId: '00000000000000f0',
    sampled: true,
    recorded: true,
  },
  method: 'POST',
  route: '/v2/chat/completions',
  endpoint: 'chat',
  isProbe: false,
  caller: { accountId: 'acc_1', keyId: 'key_1' },
  asked: { model: 'gen', channel: null, stream: false },
  status: 200,
  errorCode: null,
  errorMessage: null,
  end: 'completed',
  settled: settledFor('req_1'),
  startedAtMs: STARTED_MS,
  durationMs: 120.6,
  ...given,
});
