/** Sets up the route that imports accounts from other gateways. */
import { moveInRoutes } from '../../http/admin/move-in/move-in-routes.ts';
import type { Route } from '../../http/edge/route.ts';
import { MovedAccounts } from '../../movein/moved-accounts.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { Rooms } from '../rooms.ts';

export function movingIn({ clock }: GatewayDeps, rooms: Rooms): readonly Route[] {
  const { sql, ledger } = rooms.store.database;
  const { live } = rooms.routing;
  const hasPriceList = (name: string): boolean => live.current.lists.has(name);
  const moved = new MovedAccounts({ sql, clock, ledger, hasPriceList });
  return moveInRoutes({ moved, accounts: rooms.accounts });
}
