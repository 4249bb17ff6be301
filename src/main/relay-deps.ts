/** What the life of a request needs of all the other rooms. */

import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { InFlight } from '../relay/in-flight.ts';
import type { RelayDeps } from '../relay/sell.ts';
import { watchHolds } from '../telemetry/hold-watch.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestJournal } from '../telemetry/request-journal.ts';
import type { LowBalance } from '../topups/alerts/low-balance.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Books } from './books.ts';
import type { GatewayDeps } from './gateway-deps.ts';

/**
 * What a hold outlives its request's longest time by: its end may wait for the store, and the clocks of
 * this machine and the store's, which judges it, may differ.
 */
const HOLD_MARGIN_MS = 60 * 60 * 1000;

export type RelayParts = Pick<Books, 'database' | 'spool' | 'lease'> &
  Pick<RelayDeps, 'limiter' | 'health'> & {
    readonly inFlight: InFlight;
    readonly lowBalance: Pick<LowBalance, 'observe'>;
    readonly metrics: Metrics;
    readonly journal: Pick<RequestJournal, 'settled' | 'notBooked'>;
    readonly live: LiveCatalogue;
    readonly upstreams: () => ReadonlyMap<string, Upstream>;
  };

export function relayDeps({ config, clock, log }: GatewayDeps, parts: RelayParts): RelayDeps {
  const { limits } = config;
  return {
    ledger: watchHolds(parts.database.ledger, (reason) => parts.metrics.holdFailed(reason)),
    clock,
    epoch: () => parts.lease.epoch,
    holdLifetimeMs: limits.total_timeout + HOLD_MARGIN_MS,
    spool: parts.spool,
    inFlight: parts.inFlight,
    limiter: parts.limiter,
    catalogue: () => parts.live.current,
    upstreams: parts.upstreams,
    health: parts.health,
    limits: {
      keepAliveMs: limits.keep_alive,
      idleTimeoutMs: limits.idle_timeout,
      firstByteTimeoutMs: limits.first_byte_timeout,
      stallTimeoutMs: limits.stall_timeout,
      totalTimeoutMs: limits.total_timeout,
      firstEventHoldMs: limits.first_event_hold,
      maxAnswerBytes: limits.answer_size,
      maxEventBytes: limits.event_size,
    },
    onSettled: (settled) => {
      parts.metrics.settled(settled);
      parts.journal.settled(settled);
      const { receipt, available } = settled;
      if (available !== null)
        parts.lowBalance.observe(receipt.accountId, receipt.currency, available);
    },
    onBrokenStream: (requestId, { code, message, cause }) =>
      log.warn({ requestId, code, cause: describeCause(cause) }, message),
    onSettleFailed: (command, thrown) => {
      parts.metrics.settleFailed();
      if (command.kind === 'settle') parts.journal.notBooked(command.id);
      // With this line the command can be booked by hand: nothing else knows of it.
      log.error({ command: JSON.stringify(command, bigintAsText), err: thrown }, 'not booked');
    },
  };
}

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** The cause tells the operator what the caller must not see; it is masked where it was made. */
export function describeCause(cause: unknown): string | null {
  if (cause === undefined || cause === null) return null;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
