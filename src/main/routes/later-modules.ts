/**
 * Loads, one by one, the modules that `other-routes.ts` imports. Loading them all at once would
 * block the event loop, and so all streams, for 0.1 s.
 */
import { nextTurn } from '../../clock.ts';

/**
 * The modules in an order in which loading each of them takes at most 10 ms. Loading the rest of
 * `other-routes.ts` afterwards takes at most 10 ms too.
 */
const MODULES: readonly (() => Promise<unknown>)[] = [
  () => import('../../accounts/account-directory.ts'),
  () => import('../../http/admin/admin-account-routes.ts'),
  () => import('../../http/admin/admin-alert-routes.ts'),
  () => import('../../http/admin/admin-ledger-routes.ts'),
  () => import('../../http/admin/admin-money-routes.ts'),
  () => import('../../http/admin/admin-report-routes.ts'),
  () => import('../../http/admin/admin-upstream-routes.ts'),
  () => import('../../http/admin/config/config-routes.ts'),
  () => import('../../http/admin/config/price-data-routes.ts'),
  () => import('../../http/admin/config/price-preview-routes.ts'),
  () => import('../../http/admin/providers/admin-provider-routes.ts'),
  () => import('../../http/admin/traffic/route-history-routes.ts'),
  () => import('../../http/caller/status/status-routes.ts'),
  () => import('../../http/console/passkey-routes.ts'),
  () => import('../../ledger/archive/receipt-archive.ts'),
  () => import('../move-in/move-in-setup.ts'),
  () => import('./for-administrators.ts'),
  () => import('./for-people.ts'),
];

/** Loads one module after the other. Between two modules, the event loop can serve requests. */
export async function loadInTurns(): Promise<void> {
  for (const load of MODULES) {
    await load();
    await nextTurn();
  }
}
