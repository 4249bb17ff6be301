/**
 * Loads the modules behind `other-routes.ts` bit by bit. Loaded at once, they would block the event
 * loop for 0.1 s, and with it the streams of all callers.
 */
import { nextTurn } from '../../clock.ts';

/** Loaded in this order, each takes at most 10 ms, and so does the rest of `other-routes.ts`. */
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

/** Loads one module after the other, and lets the gateway serve requests in between. */
export async function loadInTurns(): Promise<void> {
  for (const load of MODULES) {
    await load();
    await nextTurn();
  }
}
