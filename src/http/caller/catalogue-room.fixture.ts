/** Makes catalogue routes behind the real HTTP edge, for tests. */
import { NO_LIMITS } from '../../accounts/limits/limits.ts';
import { DEFAULT_SCOPES, scopeBits } from '../../accounts/scopes.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import { supportedParameters } from '../../routing/supported-parameters.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import { catalogueRoutes } from './catalogue-routes.ts';
import type { HealthOf } from './channel-health-body.ts';

const UNKNOWN = { status: 'unknown', lastDay: null, last90Days: null } as const;

/**
 * Returns a function that sends a GET request through the real edge. The only valid key is `right`.
 */
export function serving(
  catalogue: () => Catalogue,
  isPublic = true,
  health: HealthOf = () => UNKNOWN,
  clock = manualClock(),
) {
  const edge = edgeOf(
    catalogueRoutes({
      catalogue,
      health: async () => health,
      parameters: (channel) => supportedParameters(channel, new Map()),
      clock,
      priceLists: { ofKey: async () => null, ofAccount: async () => null },
      isPublic: () => isPublic,
    }),
    {
      authenticate: async (headers) => {
        if (headers.get('authorization') !== 'Bearer right') {
          throw new GatewayError('invalid_api_key', 'No.');
        }
        return {
          accountId: 'acc',
          keyId: 'key',
          keyName: 'key',
          allowExchange: true,
          priceList: null,
          limits: { key: NO_LIMITS, account: NO_LIMITS },
          scopes: scopeBits(DEFAULT_SCOPES),
        };
      },
    },
  );
  return async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    await edge.fetch(new Request(`http://gate${path}`, { headers, method }));
}
