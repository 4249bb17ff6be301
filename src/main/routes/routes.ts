/**
 * Collects the routes of the gateway. Those that nearly every gateway serves are there from the
 * start: inference, the catalogue, and what probes request. The others are loaded when a request
 * first needs them, since their code and schemas take memory and time of every start.
 */
import { nextTurn } from '../../clock.ts';
import { azureRoutes } from '../../http/caller/azure-routes.ts';
import { catalogueRoutes } from '../../http/caller/catalogue-routes.ts';
import { embeddingRoutes } from '../../http/caller/embedding-routes.ts';
import { geminiRoutes } from '../../http/caller/gemini-routes.ts';
import { imageFileRoutes } from '../../http/caller/images/image-file-routes.ts';
import { imageRoutes } from '../../http/caller/images/image-routes.ts';
import { textRoutes } from '../../http/caller/text-routes.ts';
import type { Route } from '../../http/edge/route.ts';
import { serviceRoutes } from '../../http/edge/service-routes.ts';
import { supportedParameters } from '../../routing/supported-parameters.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { priceListsIn } from '../price-lists-setup.ts';
import type { Rooms } from '../rooms.ts';
import { loadSeals } from '../secrets.ts';
import { judgedHealth } from './judged-health.ts';
import { loadInTurns } from './later-modules.ts';

/**
 * The factor by which the runtime delays the compilation of functions while routes are loaded, as
 * it does at the start. Code that runs once costs more to compile than to interpret.
 */
const LOADING_JIT = 1_000;

export type Routes = {
  /** The routes that are there from the start. */
  readonly first: readonly Route[];
  /** Loads all other routes, once. Rejects if that fails, and then the next call tries again. */
  readonly others: () => Promise<readonly Route[]>;
};

export function routesOf(deps: GatewayDeps, rooms: Rooms, isReady: () => boolean): Routes {
  const inference = inferenceRoutes(deps, rooms);
  const loaded = sharedLoad(async () => {
    Bun.unsafe.setJITPolicy(LOADING_JIT);
    try {
      await loadInTurns();
      const { otherRoutes } = await import('./other-routes.ts');
      await nextTurn();
      const made = otherRoutes(deps, rooms, { inference, service });
      await nextTurn();
      return made;
    } finally {
      Bun.unsafe.setJITPolicy(1);
    }
  });
  const service: readonly Route[] = serviceRoutes({
    isReady,
    pingStore: rooms.store.database.ping,
    hasSamePrices: () => rooms.store.prices.isReady,
    metrics: rooms.telemetry.metrics,
    version: deps.version,
    openApi: async (isForCallers) => (await loaded()).openApi(isForCallers),
  });
  return { first: [...inference, ...service], others: async () => (await loaded()).routes };
}

/** Loads once, for all callers at the same time and later. After a failure, it loads again. */
function sharedLoad<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | null = null;
  return () => {
    loading ??= load().catch((thrown: unknown) => {
      loading = null;
      throw thrown;
    });
    return loading;
  };
}

/**
 * Returns the routes of inference and of the catalogue. None of them changes settings or reports
 * data, so none needs the idempotency or the data age that `otherRoutes` adds.
 */
function inferenceRoutes({ config, clock }: GatewayDeps, rooms: Rooms): readonly Route[] {
  const { store, routing, shop, idempotency, images } = rooms;
  const { live } = routing;
  const inference = [
    ...textRoutes({
      shop,
      countRules: {
        limiter: rooms.countLimiter,
        perMinute: config.limits.count_tokens_per_minute,
        wallets: (accountId) => store.database.ledger.wallets(accountId),
      },
      clock,
      idempotency,
      streamDefault: () => live.config.chat.stream_default,
      seals: loadSeals(config, clock),
      prompts: rooms.telemetry.prompts,
    }),
    ...embeddingRoutes({ shop, clock, idempotency }),
    ...imageRoutes({
      ...{ shop, clock, idempotency, shelf: { ...images, clock } },
      statusHoldMs: config.limits.image_status_hold,
    }),
    ...catalogueRoutes({
      catalogue: () => live.current,
      priceLists: priceListsIn(rooms.accounts),
      health: judgedHealth(rooms).now,
      parameters: (channel) => supportedParameters(channel, shop.upstreams()),
      clock,
      isPublic: () => live.config.catalogue.public,
    }),
  ];
  return [
    ...inference,
    ...azureRoutes(inference),
    ...geminiRoutes(inference, config.limits.event_size),
    ...imageFileRoutes(images),
  ];
}
