/** Sets up the comparisons of providers' bills with receipts, and of prices with costs. */
import { CostWatch } from '../reconcile/cost-watch.ts';
import { Nightly } from '../reconcile/nightly.ts';
import { Reconciler } from '../reconcile/reconciler.ts';
import { Reconciliations } from '../reconcile/reconciliations.ts';
import { RequestLog } from '../reports/request-log.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Routing } from './routing-setup.ts';
import type { Store } from './store-setup.ts';
import type { TopUps } from './top-ups-setup.ts';

export type Reconciling = {
  readonly reconciler: Reconciler;
  readonly stored: Reconciliations;
  readonly stop: () => void;
};

export function setUpReconciling(
  { clock, log }: GatewayDeps,
  { database }: Pick<Store, 'database'>,
  { live }: Pick<Routing, 'live'>,
  { raise }: Pick<TopUps, 'raise'>,
): Reconciling {
  const stored = new Reconciliations(database.sql, () => live.config.retention.reconciliations);
  const reconciler = new Reconciler({
    upstreams: () => live.config.upstreams,
    catalogue: () => live.whole,
    requests: new RequestLog(database.sql),
    clock,
  });
  const nightly = new Nightly({
    reconciler,
    stored,
    outbox: { add: raise },
    clock,
    onAlert: ({ body }) => log.warn({ alert: body }, "alert about a provider's bill"),
    onFailure: (upstream, thrown) =>
      log.warn(
        { upstream, err: thrown },
        'could not compare the bill of a provider with the receipts; retrying every hour',
      ),
  });
  const costs = new CostWatch({
    catalogue: () => live.current,
    outbox: { add: raise },
    clock,
    onAlert: ({ body }) => log.warn({ alert: body }, 'a channel sells below its cost'),
    onReviewDue: (due) => log.warn({ price: due }, 'the review date of a price has passed'),
    onFailure: (thrown) => log.warn({ err: thrown }, 'could not store an alert about a price'),
  });
  void costs.look();
  const stop = (): void => {
    nightly.stop();
    costs.stop();
  };
  return { reconciler, stored, stop };
}
