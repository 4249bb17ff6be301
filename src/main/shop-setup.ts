/** Builds the dependencies that the relay needs to serve requests. */
import { limitStore } from '../accounts/limits/limit-store.ts';
import { Limiter } from '../accounts/limits/limiter.ts';
import { SharedLimits } from '../accounts/limits/shared-limits.ts';
import { catalogueOf } from '../catalogue/catalogue.ts';
import type { IdempotencyKeys } from '../idempotency/idempotency-keys.ts';
import { nano } from '../money/amount.ts';
import type { InFlight } from '../relay/in-flight.ts';
import { isOverrun, type Settled, type Till } from '../relay/purchase.ts';
import type { Shop } from '../relay/sell.ts';
import { randomFraction } from '../routing/route-plan.ts';
import { relayEvents, watchHolds } from '../telemetry/relay-events.ts';
import type { LowBalance } from '../topups/alerts/low-balance.ts';
import type { Overrun, OverrunAlerts } from '../topups/alerts/overrun-alerts.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Routing } from './routing-setup.ts';
import type { Store } from './store-setup.ts';
import type { Telemetry } from './telemetry-setup.ts';

/**
 * How much longer a hold is valid than its request may take. Settlements may be late, and the
 * clocks of nodes may differ.
 */
const HOLD_MARGIN_MS = 60 * 60 * 1000;

export type ShopParts = {
  readonly store: Pick<Store, 'database' | 'spool' | 'lease' | 'prices'>;
  readonly routing: Routing;
  readonly telemetry: Telemetry;
  readonly inFlight: InFlight;
  readonly limiter: Limiter;
  readonly keys: Pick<IdempotencyKeys, 'claimOf'>;
  readonly ledger: Till['ledger'];
  readonly alerts: {
    readonly lowBalance: Pick<LowBalance, 'observe'>;
    readonly overruns: Pick<OverrunAlerts, 'observe'>;
  };
};

function overrunOf({ receipt, held, charge, loss }: Settled): Overrun {
  const { requestId, accountId, model, currency } = receipt;
  return { requestId, accountId, model, currency, held, price: nano(charge + loss), loss };
}

export function setUpShop({ config, clock, log }: GatewayDeps, parts: ShopParts): Shop {
  const { store, routing, inFlight, limiter, ledger } = parts;
  const { metrics, journal, failures } = parts.telemetry;
  const { limits } = config;
  const { onSettled, onSettleFailed, onBrokenStream } = relayEvents({ log, metrics, journal });
  const till: Till = {
    ledger: watchHolds(ledger, (reason) => metrics.holdFailed(reason)),
    spool: {
      keep: (command) => store.spool.keep(command, parts.keys.claimOf(command.id)?.claimId ?? null),
    },
    // When the lease of the claim has ended, another node may have run a repeat of the request.
    // Before the spool sends a charge, it checks that.
    mustWait: (requestId) => {
      const claim = parts.keys.claimOf(requestId);
      return claim !== null && !store.database.isLive(claim.epoch);
    },
    clock,
    epoch: () => store.lease.epoch,
    holdLifetimeMs: limits.total_timeout + HOLD_MARGIN_MS,
    carefulAnswers: limits.careful_answers,
    onSettled: (settled) => {
      onSettled(settled);
      const { receipt, available, exchange } = settled;
      // `available`, the balance, is null while the settlement waits in the spool (the local file
      // for settlements that the store has not accepted yet). The balance is then reported with the
      // next settlement that the store accepts.
      if (available !== null)
        parts.alerts.lowBalance.observe(receipt.accountId, receipt.currency, available, exchange);
      if (isOverrun(settled)) parts.alerts.overruns.observe(overrunOf(settled));
    },
    onSettleFailed,
  };
  return {
    clock,
    draw: () => randomFraction(clock),
    till,
    inFlight,
    limiter,
    catalogue: ({ priceList }) => {
      store.prices.requireAgreement();
      return catalogueOf(routing.live.current, priceList);
    },
    upstreams: routing.upstreams,
    health: routing.health,
    limits: {
      keepAliveMs: limits.keep_alive,
      idleTimeoutMs: limits.idle_timeout,
      firstByteTimeoutMs: limits.first_byte_timeout,
      stallTimeoutMs: limits.stall_timeout,
      totalTimeoutMs: limits.total_timeout,
      firstEventHoldMs: limits.first_event_hold,
      maxAnswerBytes: limits.answer_size,
      maxEventBytes: limits.event_size,
      readOnMs: limits.read_on,
    },
    onBrokenStream: (requestId, error) => {
      onBrokenStream(requestId, error);
      failures.brokeOff(requestId, error);
    },
    onAttemptFailed: (failed) => failures.add(failed),
  };
}

export type LimitsSetup = {
  readonly limiter: Limiter;
  /** The limiter of requests that only count tokens. */
  readonly countLimiter: Limiter;
  readonly sharedLimits: SharedLimits | null;
};

/** Builds the limiters. If nodes share the store, the limiters count the requests of all nodes. */
export function setUpLimits(
  { clock, log }: GatewayDeps,
  store: Pick<Store, 'database' | 'lease' | 'onNodes'>,
): LimitsSetup {
  const { prompt } = store.database;
  const shared =
    prompt === null
      ? null
      : new SharedLimits({
          store: limitStore(prompt),
          clock,
          epoch: () => store.lease.epoch,
          onAway: (thrown) =>
            log.warn(
              { err: thrown },
              'could not count rate limits together with the other nodes; this node enforces its share of each limit',
            ),
        });
  const limiter = new Limiter({ clock, shared });
  const countLimiter = new Limiter({ clock, shared, requestLimit: 'count_tokens_per_minute' });
  shared?.start();
  store.onNodes((nodes) => {
    shared?.setNodes(nodes);
    limiter.setShare(nodes);
    countLimiter.setShare(nodes);
  });
  return { limiter, countLimiter, sharedLimits: shared };
}
