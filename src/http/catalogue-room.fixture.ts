/** The catalogue behind the real edge. */
import { NO_LIMITS } from '../accounts/limits/limits.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { type CatalogueDeps, catalogueRoutes } from './catalogue-routes.ts';
import { createEdge } from './edge.ts';
import { RequestBytes } from './request-bytes.ts';
import { unreadJournal } from './telemetry/request-journal.fixture.ts';

/** GET over the real edge; the only key is `right`. */
export function serving(
  catalogue: () => Catalogue,
  isPublic = true,
  health: CatalogueDeps['health'] = () => null,
  clock = manualClock(),
) {
  const edge = createEdge(catalogueRoutes({ catalogue, health, clock, isPublic }), {
    journal: unreadJournal(),
    authenticate: async (headers) => {
      if (headers.get('authorization') !== 'Bearer right') {
        throw new GatewayError('invalid_api_key', 'No.');
      }
      return {
        accountId: 'acc',
        keyId: 'key',
        keyName: 'key',
        allowExchange: true,
        limits: { key: NO_LIMITS, account: NO_LIMITS },
      };
    },
    trustedProxies: 0,
    adminToken: new Secret('admin'),
    publicUrl: 'http://gate',
    isDraining: () => false,
    requestBytes: new RequestBytes(1024 * 1024),
    during: (answer) => answer(),
    onFailure: (_id, _path, error) => {
      throw error;
    },
  });
  return async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    await edge.fetch(new Request(`http://gate${path}`, { headers, method }));
}
