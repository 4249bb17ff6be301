/**
 * The composition root. It opens all rooms (the parts of the gateway, one for each folder of
 * `src`), and the edge, which receives HTTP requests, with its routes.
 */
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { attendanceOf } from '../http/edge/authorize.ts';
import { createEdge, type Edge, type EdgeDeps } from '../http/edge/edge.ts';
import type { NewLink } from '../people/one-time-links.ts';
import type { People } from '../people/people.ts';
import { describeCause } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { FirstStart } from './first-start.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { closeRooms, openRooms, type Rooms } from './rooms.ts';
import { routesOf } from './routes/routes.ts';
import { loadAdminToken } from './secrets.ts';
import { checkInstallation } from './store-setup.ts';

/** How long the gateway waits for settlements after all streams have ended. */
const SETTLE_GRACE_MS = 8_000;

export type Gateway = {
  readonly edge: Edge;
  readonly live: LiveCatalogue;
  readonly firstStart: FirstStart | null;
  /** The link that creates the first administrator; null if an administrator exists. */
  readonly setupLink: NewLink | null;
  readonly metrics: Pick<Metrics, 'text'>;
  /** Makes `/readyz` fail, then waits until load balancers have had time to notice it. */
  readonly giveNotice: () => Promise<void>;
  /**
   * Refuses new requests, waits until the running requests have ended and are settled, and closes
   * every room (part of the gateway).
   */
  readonly close: () => Promise<void>;
};

export async function openGateway(given: GatewayDeps): Promise<Gateway> {
  const rooms = await openRooms(given);
  const { deps } = rooms;
  const { live } = rooms.routing;
  let [isReady, draining] = [true, false];
  const isDraining = (): boolean => draining;
  const { first, others } = routesOf(deps, rooms, () => isReady);
  const edge = createEdge(first, edgeDeps(deps, rooms, isDraining), others);
  const giveNotice = async (): Promise<void> => {
    isReady = false;
    await deps.clock.sleep(live.started.limits.drain_notice);
  };
  const close = async (): Promise<void> => {
    [isReady, draining] = [false, true];
    // Withdraws this node's prices from the comparison with other nodes. This node accepts no more
    // requests, so other nodes may have different prices.
    await rooms.store.prices
      .withdraw()
      .catch((err) =>
        deps.log.warn(
          { err },
          "could not withdraw this node's prices; other nodes may still compare their prices with those of this node",
        ),
      );
    const { drain } = live.started.limits;
    const startedMs = deps.clock.monotonicMs();
    const cut = await rooms.inFlight.drain(drain, SETTLE_GRACE_MS);
    if (cut > 0) deps.log.warn({ cut }, 'requests were ended before they finished');
    await rooms.store.lease.emptied(drain - (deps.clock.monotonicMs() - startedMs));
    await closeRooms(rooms);
  };
  const setupLink = await newSetupLink(rooms.people);
  // Checks again that the database belongs to the data folder. A new database has no identity
  // before its first audit entry, which exists now.
  await checkInstallation(rooms.store.database, deps.config);
  const { metrics } = rooms.telemetry;
  return { edge, live, firstStart: rooms.firstStart, setupLink, metrics, giveNotice, close };
}

function edgeDeps(
  { config, clock, log, publicUrl }: GatewayDeps,
  { accounts, people, telemetry, requestBytes, addressRequests, inFlight }: Rooms,
  isDraining: () => boolean,
): EdgeDeps {
  return {
    journal: telemetry.journal,
    knownCaller: (headers, address) => accounts.knownCaller(headers, address),
    authenticate: (headers, address) => accounts.authenticateRequest(headers, address),
    playgroundOf: (person, address) => accounts.playgroundOf(person.accountId, person, address),
    signedIn: async (headers) => {
      const session = await people.sessions.of(headers.get('cookie'), attendanceOf(headers));
      return session?.person ?? null;
    },
    requireTotp: people.requireTotp,
    trustedProxies: config.trusted_proxies,
    adminToken: loadAdminToken(config, clock),
    publicUrl,
    isDraining,
    requestBytes,
    addressRequests,
    inFlight,
    onFailure: (requestId, path, { code, cause, message }) =>
      log.error({ requestId, path, code, cause: describeCause(cause) }, message),
  };
}

/**
 * Creates a setup link if there is no administrator, and revokes the setup links of earlier starts.
 */
const newSetupLink = async ({ signUp }: People): Promise<NewLink | null> =>
  (await signUp.setupNeeded()) ? await signUp.newSetupLink('system') : null;
