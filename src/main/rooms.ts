/**
 * Opens all rooms (the parts of the gateway, one for each folder of `src`) in the order of their
 * dependencies, and closes them.
 */
import { Accounts } from '../accounts/accounts.ts';
import { ChangeFeed, concerns } from '../accounts/change-feed.ts';
import { followForeignKeys } from '../accounts/foreign-keys.ts';
import { AddressRequests } from '../http/edge/address-requests.ts';
import { RequestBytes } from '../http/edge/request-bytes.ts';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.ts';
import { InFlight } from '../relay/in-flight.ts';
import type { StoredConfig } from '../revisions/stored-config.ts';
import { setUpBackups } from './backup/backups-setup.ts';
import { setUpConsole, setUpMail, setUpPeople } from './console-setup.ts';
import { firstStart } from './first-start.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { setUpImages } from './images-setup.ts';
import { setUpReconciling } from './reconcile-setup.ts';
import { publishAll, type Routing, setUpRouting } from './routing-setup.ts';
import { secretChanges, setUpSecrets } from './secrets.ts';
import { setUpSettings } from './settings-setup.ts';
import { setUpLimits, setUpShop } from './shop-setup.ts';
import { type Store, setUpStore } from './store-setup.ts';
import { setUpTelemetry, type Telemetry, type TelemetryParts } from './telemetry-setup.ts';
import { setUpTopUps } from './top-ups-setup.ts';

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

export async function openRooms(given: GatewayDeps) {
  const { clock, log } = given;
  const store = await setUpStore(given);
  const { ledger, sql } = store.database;
  const { limiter, countLimiter, sharedLimits } = setUpLimits(given, store);
  const secrets = await setUpSecrets(given, sql);
  const { deps, stored } = await setUpSettings(given, store);
  const { config } = deps;
  const routing = await setUpRouting(deps, store, stored);
  await store.forgetHolds(() => routing.live.config.retention.holds);
  const accounts = openAccounts(deps, store);
  const catalogue = routing.live.current;
  const first = await firstStart({ accounts, ledger, catalogue, config, clock });
  const images = await setUpImages(deps);
  const mail = setUpMail(deps, sql, routing.live);
  const people = await setUpPeople(deps, store, routing.live, mail);
  const topUps = await setUpTopUps(deps, store.database, people, () => routing.live.config);
  const backups = await setUpBackups(deps, store, topUps);
  const reconciling = setUpReconciling(deps, store, routing, topUps);
  const consoleAssets = await setUpConsole(deps);
  const inFlight = new InFlight(clock, (thrown) =>
    log.error({ err: thrown }, 'the timer of a request failed'),
  );
  await accounts.findForeignKeys();
  const changeFeed = startChangeFeed(deps, { store, routing, accounts, inFlight });
  stored?.start(routing.live);
  followChanges(changeFeed, routing, stored);
  const secretsChanged = secretChanges(deps, secrets, routing.live, changeFeed);
  const counted = {
    inFlight,
    requestBytes: new RequestBytes(config.limits.request_bytes),
    addressRequests: new AddressRequests(config.limits.requests_per_address),
  };
  const telemetry = await openTelemetry(deps, changeFeed, {
    store,
    routing,
    secrets,
    backups,
    ...counted,
  });
  const idempotency = { keys: idempotencyKeys(deps, store), onReplayed: telemetry.onReplayed };
  const shop = setUpShop(deps, {
    store,
    keys: idempotency.keys,
    routing,
    telemetry,
    inFlight,
    limiter,
    ledger,
    alerts: topUps,
  });
  return {
    deps,
    store,
    stored,
    secrets,
    secretsChanged,
    routing,
    accounts,
    firstStart: first,
    backups,
    images,
    mail,
    topUps,
    reconciling,
    people,
    consoleAssets,
    ...counted,
    changeFeed,
    telemetry,
    shop,
    countLimiter,
    sharedLimits,
    idempotency,
  };
}

const openAccounts = ({ clock, log }: GatewayDeps, { database }: Store): Accounts =>
  new Accounts({
    sql: database.sql,
    clock,
    inMemory: database.ledger.inMemory,
    onLastUsedFailure: (thrown) =>
      log.warn({ err: thrown }, 'could not store when API keys were last used; retrying'),
  });

/**
 * Closes all rooms (the parts of the gateway), after the last request has ended. The rooms that
 * write to the store are closed before the store.
 */
export async function closeRooms(rooms: Rooms): Promise<void> {
  rooms.stored?.stop();
  rooms.routing.prober.stop();
  rooms.routing.states.stop();
  rooms.reconciling.stop();
  rooms.backups.schedule.stop();
  rooms.images.sweep.stop();
  await rooms.idempotency.keys.close();
  rooms.changeFeed.stop();
  rooms.secretsChanged.stop();
  rooms.telemetry.promptSwitch.stop();
  await rooms.topUps.close();
  await rooms.people.entryMail.settled();
  await rooms.mail.sender.stop();
  await rooms.accounts.close();
  await rooms.telemetry.history.close();
  await rooms.telemetry.routeHistory.close();
  await rooms.telemetry.refusals.close();
  await rooms.telemetry.failures.close();
  await rooms.telemetry.prompts.close();
  rooms.sharedLimits?.stop();
  await rooms.store.close();
  await rooms.telemetry.close();
}

/**
 * Opens the telemetry. Reloads the list of keys and accounts whose prompts are logged, whenever any
 * node turns the prompt log on or off for one of them.
 */
async function openTelemetry(
  deps: GatewayDeps,
  changeFeed: ChangeFeed,
  parts: TelemetryParts,
): Promise<Telemetry> {
  const telemetry = setUpTelemetry(deps, parts);
  const { promptSwitch } = telemetry;
  changeFeed.subscribe((change) => {
    if (!['prompt_log.on', 'prompt_log.off'].some((each) => concerns(change, each))) return;
    void promptSwitch.follow((err) =>
      deps.log.warn({ err }, 'reading whose prompts are logged failed; it will be retried'),
    );
  });
  await promptSwitch.refresh();
  return telemetry;
}

type FeedParts = {
  readonly store: Store;
  readonly routing: Routing;
  readonly accounts: Accounts;
  readonly inFlight: InFlight;
};

/**
 * Starts the feed of changes. When any node changes a key or account, this node updates its caches
 * and ends running requests of revoked keys.
 */
function startChangeFeed(
  { clock, log }: GatewayDeps,
  { store, routing, accounts, inFlight }: FeedParts,
): ChangeFeed {
  const { database, onNodes } = store;
  const feed = new ChangeFeed({
    sql: database.sql,
    clock,
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'reading changes of keys and accounts failed; it will be retried'),
    onLost: async () => {
      await publishAll(store, routing.live.current);
      log.error(
        {},
        'the database lost entries of the audit log, as after a failover to a standby without the ' +
          'newest commits; this node reads keys, settings and secrets again',
      );
    },
  });
  feed.subscribe((change) => accounts.forget(change));
  followForeignKeys({
    find: () => accounts.findForeignKeys(),
    ...{ changes: feed, onBeat: onNodes },
    onFailure: (err) =>
      log.warn({ err }, 'reading the formats of imported keys failed; it will be retried'),
  });
  feed.subscribe((change) => inFlight.endRevoked(change));
  feed.start();
  void feed.poll();
  return feed;
}

/**
 * Applies another node's change of settings or route states as soon as the feed reports it, instead
 * of at the next regular poll.
 */
function followChanges(
  changeFeed: ChangeFeed,
  { live, states }: Routing,
  stored: StoredConfig | null,
): void {
  changeFeed.subscribe((change) => {
    if (concerns(change, 'config.change')) void stored?.poll(live);
    if (concerns(change, 'route.')) void states.poll();
  });
}

function idempotencyKeys(
  { config, clock, log }: GatewayDeps,
  { database, lease }: Store,
): IdempotencyKeys {
  return new IdempotencyKeys({
    sql: database.sql,
    // Nodes compare claims and leases, so they need one clock: if a node's own clock were ahead, it
    // would take a request that runs on another node for one of a dead process, and run it again.
    clock: { ...clock, nowMs: database.nowMs },
    epoch: () => lease.epoch,
    totalTimeoutMs: config.limits.total_timeout,
    isHeld: (requestId) => database.ledger.inMemory.request(requestId),
    onFailure: (thrown) =>
      log.warn(
        { err: thrown },
        'writing the state of an Idempotency-Key failed; it will be retried',
      ),
  });
}
