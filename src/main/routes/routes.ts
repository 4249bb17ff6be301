/**
 * Collects the routes of the gateway. Routes that nearly every gateway serves are loaded at the
 * start: inference, the catalogue, and what probes request. The others are loaded on the first
 * request to one of them, because loading their code and schemas makes every start slower and takes
 * memory.
 */
import { nextTurn } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { azureRoutes } from '../../http/caller/azure-routes.ts';
import { catalogueRoutes } from '../../http/caller/catalogue-routes.ts';
import { embeddingRoutes } from '../../http/caller/embedding-routes.ts';
import { geminiRoutes } from '../../http/caller/gemini-routes.ts';
import { imageFileRoutes } from '../../http/caller/images/image-file-routes.ts';
import { imageRoutes } from '../../http/caller/images/image-routes.ts';
import { textRoutes } from '../../http/caller/text-routes.ts';
import type { Route } from '../../http/edge/route.ts';
import { serviceRoutes } from '../../http/edge/service-routes.ts';
import { AnswerMemory } from '../../relay/images/answer-memory.ts';
import { ImageShelf } from '../../relay/images/image-shelf.ts';
import { supportedParameters } from '../../routing/supported-parameters.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { priceListsIn } from '../price-lists-setup.ts';
import type { Rooms } from '../rooms.ts';
import { loadSeals } from '../secrets.ts';
import { judgedHealth } from './judged-health.ts';
import { loadInTurns } from './later-modules.ts';

/**
 * The factor by which the runtime delays the JIT compilation of functions while routes are loaded.
 * Most of this code runs once, and costs more to compile than to interpret.
 */
const LOADING_JIT = 1_000;

export type Routes = {
  /** The routes that are loaded at the start. */
  readonly first: readonly Route[];
  /**
   * Loads all other routes. Concurrent and later calls share one load. If it fails, the promise
   * rejects, and the next call loads again.
   */
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

/**
 * Returns a function that calls `load` once. Concurrent and later calls share the result. After a
 * failure, the next call loads again. Rejects with GatewayError `internal_error`.
 */
function sharedLoad<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | null = null;
  return () => {
    loading ??= load().catch((thrown: unknown) => {
      loading = null;
      throw notLoaded(thrown);
    });
    return loading;
  };
}

/**
 * Returns the error when code could not be loaded: an update may have replaced or removed the files
 * of the running program.
 */
const notLoaded = (cause: unknown): GatewayError =>
  new GatewayError(
    'internal_error',
    'The gateway could not load the code for this request. Its operator must restart it, because its files have probably changed since it started.',
    { cause },
  );

/**
 * Returns the routes of inference and of the catalogue. They do without the wrapper in
 * `otherRoutes` that makes changes idempotent and adds the age of the data to reports.
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
      ...{ shop, clock, idempotency, shelf: new ImageShelf({ ...images, clock }) },
      memory: new AnswerMemory(config.limits.image_bytes, clock),
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
    ...geminiRoutes(inference, { clock, ...shop.limits }),
    ...imageFileRoutes(images),
  ];
}
