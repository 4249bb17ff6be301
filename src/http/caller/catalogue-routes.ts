/** Routes of the catalogue: models and prices, in one body for OpenAI's and Anthropic's clients. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Catalogue, catalogueOf, findModel } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { inSlices, type Steps } from '../../config/document/steps.ts';
import { GatewayError } from '../../errors.ts';
import { isKnown } from '../edge/response-headers.ts';
import { type Call, consoleRoute, idOf, type Route, type RouteDoc } from '../edge/route.ts';
import { type ChannelFacts, type ModelBody, modelBody } from './catalogue-body.ts';
import { MODEL, MODEL_LIST } from './catalogue-doc.ts';
import type { HealthOf } from './channel-health-body.ts';
import { codexModels } from './codex/codex-models.ts';
import { geminiModel, geminiModels, isInGeminiApi } from './gemini-models.ts';

export type CatalogueDeps = Omit<ChannelFacts, 'healthOf'> & {
  /** Returns a function that reports the current health of a channel. */
  readonly health: () => Promise<HealthOf>;
  readonly catalogue: () => Catalogue;
  readonly priceLists: CallersLists;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Whether the catalogue may be read without a key. */
  readonly isPublic: () => boolean;
};

/** Functions that return the name of a caller's price list; null for the public prices. */
export type CallersLists = {
  /**
   * Returns the price list of the API key's account. Returns null if the account has no price list,
   * or if the key is missing or invalid.
   */
  readonly ofKey: (call: Call) => Promise<string | null>;
  readonly ofAccount: (accountId: string) => Promise<string | null>;
};

/** Maximum number of models per page. The Messages protocol has the same maximum. */
const MAX_PAGE = 1000;
const STAGES: readonly string[] = ['active', 'deprecated', 'retired'];
const PAGE_PROPERTIES = {
  limit: { type: 'integer', minimum: 1, maximum: MAX_PAGE },
  after_id: { type: 'string' },
  before_id: { type: 'string' },
  client_version: {
    type: 'string',
    description: 'Codex sends this parameter. It adds `models` to the answer.',
  },
  lifecycle: { type: 'array', items: { enum: STAGES } },
} as const;
/** Official clients add brackets to the name of a parameter that is a list. */
const LIFECYCLE = ['lifecycle', 'lifecycle[]'];
const PAGE_PARAMETERS = [...Object.keys(PAGE_PROPERTIES), ...LIFECYCLE];
const ETAG_DIGITS = 32;
/** The paths of older clients of the Gemini API. Newer ones call `/v1`. */
const GEMINI_PREFIX = '/v1beta';
/**
 * How long encoded bodies are cached. The health statistics in them cover hours and hardly change
 * in this time.
 */
const HEALTH_HOLDS_MS = 10_000;

export function catalogueRoutes(deps: CatalogueDeps): readonly Route[] {
  const pages = new ModelPages(deps);
  const { ofKey, ofAccount } = deps.priceLists;
  const route = (
    path: string,
    summary: string,
    handle: (call: Call) => Promise<Response>,
    more: Partial<RouteDoc> = {},
  ): Route => ({
    method: 'GET',
    path,
    auth: 'key',
    scope: 'any',
    isOpen: deps.isPublic,
    ...(path.startsWith(GEMINI_PREFIX)
      ? { dialect: 'google', isAlias: true }
      : { dialect: 'both' }),
    doc: { summary, tag: 'catalogue', ...more },
    handle,
  });
  const forCallers = ['/v2', '/v1', GEMINI_PREFIX].flatMap((prefix) => [
    route(
      `${prefix}/models`,
      'List the models with their channels and prices',
      async (call) => pages.list(call, await ofKey(call)),
      { query: { properties: PAGE_PROPERTIES }, response: MODEL_LIST },
    ),
    // A model id may contain slashes, so the rest of the path is the id.
    route(
      `${prefix}/models/:id{.+}`,
      'Read a model',
      async (call) => pages.one(call, await ofKey(call)),
      { response: MODEL },
    ),
  ]);
  return [
    ...forCallers,
    consoleRoute(
      'GET /models',
      'read_only',
      {
        summary: 'List the models, even if the catalogue is not public',
        response: MODEL_LIST,
      },
      async (call) => pages.list(call, await ofAccount(call.person.accountId)),
    ),
  ];
}

/** A body and its entity tag: a hash, so that all nodes send the same tag for the same body. */
type Encoded = { readonly body: string | Blob; readonly etag: string };
type EncodedModel = Encoded & { readonly id: string; readonly body: string };

type Snapshot = {
  readonly catalogue: Catalogue;
  /** When the bodies were encoded, in milliseconds on the monotonic clock. */
  readonly takenMs: number;
  readonly facts: ChannelFacts;
  readonly models: readonly EncodedModel[];
  readonly list: Encoded;
  readonly byId: ReadonlyMap<string, Encoded>;
  /** The list for Codex, which has 20 KB of instructions for each model; null until it is read. */
  codex: Encoded | null;
};

/** Encodes the bodies of models, at most once per `HEALTH_HOLDS_MS` for each price list. */
class ModelPages {
  readonly #deps: CatalogueDeps;
  /**
   * The encoded bodies by catalogue. The public prices and each price list have a catalogue each.
   */
  readonly #snapshots = new WeakMap<Catalogue, Snapshot>();
  /** Snapshots that are still being encoded. Concurrent requests wait for them. */
  readonly #taken = new WeakMap<Catalogue, Promise<Snapshot>>();

  constructor(deps: CatalogueDeps) {
    this.#deps = deps;
  }

  async list(call: Call, priceList: string | null): Promise<Response> {
    const snapshot = await this.#current(priceList);
    const { catalogue, models, list } = snapshot;
    const query = call.url.searchParams;
    // Only Codex sends `client_version`. For Codex, the list has an additional member, which
    // contains instructions for each model.
    if (query.has('client_version')) {
      snapshot.codex ??= encodeShared(
        listText({ models, hasMore: false }, { models: codexModels(catalogue, this.#deps) }),
      );
      return answer(call, catalogue, snapshot.codex);
    }
    if (isFromGemini(call)) {
      const more = { models: geminiModels(catalogue) };
      return answer(call, catalogue, encode(listText({ models, hasMore: false }, more)));
    }
    const isPaged = PAGE_PARAMETERS.some((name) => query.has(name));
    if (!isPaged) return answer(call, catalogue, list);
    return answer(call, catalogue, encode(listText(pageOf(inStages(models, query), query))));
  }

  /** Answers with one model. @throws GatewayError `model_not_found`. */
  async one(call: Call, priceList: string | null): Promise<Response> {
    const { catalogue, facts, byId } = await this.#current(priceList);
    const model = findModel(catalogue, idOf(call));
    if (isFromGemini(call) && isInGeminiApi(model))
      return answer(call, catalogue, encode(JSON.stringify(geminiModel(model))));
    const body = byId.get(model.id) ?? encode(JSON.stringify(modelBody(model, catalogue, facts)));
    return answer(call, catalogue, body);
  }

  async #current(priceList: string | null): Promise<Snapshot> {
    const { catalogue: inForce, clock } = this.#deps;
    const catalogue = catalogueOf(inForce(), priceList);
    const nowMs = clock.monotonicMs();
    const known = this.#snapshots.get(catalogue);
    if (known !== undefined && nowMs - known.takenMs < HEALTH_HOLDS_MS) return known;
    const taking =
      this.#taken.get(catalogue) ??
      this.#take(catalogue).finally(() => this.#taken.delete(catalogue));
    this.#taken.set(catalogue, taking);
    return await taking;
  }

  async #take(catalogue: Catalogue): Promise<Snapshot> {
    const { clock, health, parameters } = this.#deps;
    const facts = { healthOf: await health(), parameters };
    const snapshot = await inSlices(snapshotSteps(catalogue, facts, clock.monotonicMs()), clock);
    this.#snapshots.set(catalogue, snapshot);
    return snapshot;
  }
}

/** Encodes one model per step of the generator, because there may be thousands of models. */
function* snapshotSteps(
  catalogue: Catalogue,
  facts: ChannelFacts,
  takenMs: number,
): Steps<Snapshot> {
  const models: EncodedModel[] = [];
  for (const model of catalogue.models.values()) {
    const body: ModelBody = modelBody(model, catalogue, facts);
    models.push({ id: model.id, ...encode(JSON.stringify(body)) });
    yield;
  }
  const text = listText({ models, hasMore: false });
  yield;
  const byId = new Map(models.map((model) => [model.id, model]));
  return { catalogue, facts, takenMs, models, list: encodeShared(text), byId, codex: null };
}

/** Whether the request comes from a client of the Gemini API. */
const isFromGemini = ({ request, url }: Call): boolean =>
  url.pathname.startsWith(GEMINI_PREFIX) || request.headers.has('x-goog-api-key');

/** Encodes a long body. All answers share the bytes of a blob, also while callers are slow. */
const encodeShared = (text: string): Encoded => ({ ...encode(text), body: new Blob([text]) });

function encode(body: string) {
  const digest = createHash('sha256').update(body).digest('hex');
  return { body, etag: `"${digest.slice(0, ETAG_DIGITS)}"` };
}

function answer(
  { request }: Call,
  { list }: Pick<Catalogue, 'list'>,
  { body, etag }: Encoded,
): Response {
  // Clients may keep a copy but must revalidate it, because prices must not be stale. Proxies must
  // not cache the prices of a price list, since only some accounts have them.
  const cacheControl = list === null ? 'no-cache' : 'private, no-cache';
  const headers = { etag, 'cache-control': cacheControl };
  if (isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body, { headers: { ...headers, 'content-type': 'application/json' } });
}

/**
 * Returns all models if the query names no lifecycle stage or includes `active`, because every
 * model of the gateway is active. Returns an empty list if it names only other stages.
 * @throws GatewayError `invalid_value` for an unknown stage.
 */
function inStages(
  models: readonly EncodedModel[],
  query: URLSearchParams,
): readonly EncodedModel[] {
  const stages = LIFECYCLE.flatMap((name) => query.getAll(name)).flatMap((list) => list.split(','));
  if (!stages.every((stage) => STAGES.includes(stage)))
    throw invalid('lifecycle', `must be one or more of: ${STAGES.join(', ')}`);
  return stages.length === 0 || stages.includes('active') ? models : [];
}

type Page = { readonly models: readonly EncodedModel[]; readonly hasMore: boolean };

/** Returns the requested page. `hasMore`: whether more models follow in the paging direction. */
function pageOf(models: readonly EncodedModel[], query: URLSearchParams): Page {
  const given = query.get('limit') ?? `${MAX_PAGE}`;
  const limit = Number(given);
  if (!/^\d+$/.test(given) || limit < 1 || limit > MAX_PAGE) {
    throw invalid('limit', `must be a whole number from 1 to ${MAX_PAGE}`);
  }
  if (query.has('after_id') && query.has('before_id')) {
    throw invalid('before_id', 'cannot be combined with after_id');
  }
  const before = placeOf(models, query, 'before_id');
  if (before !== null) {
    const start = Math.max(0, before - limit);
    return { models: models.slice(start, before), hasMore: start > 0 };
  }
  const start = (placeOf(models, query, 'after_id') ?? -1) + 1;
  return {
    models: models.slice(start, start + limit),
    hasMore: start + limit < models.length,
  };
}

function placeOf(
  models: readonly EncodedModel[],
  query: URLSearchParams,
  name: string,
): number | null {
  const id = query.get(name);
  if (id === null) return null;
  const place = models.findIndex((model) => model.id === id);
  if (place < 0) throw invalid(name, 'is not a model in the list');
  return place;
}

const invalid = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_value', `${param} ${message}.`, { param });

type ListEnd = Omit<z.infer<ReturnType<typeof MODEL_LIST>>, 'object' | 'data'>;

/** Returns the body of a list. `more` are members that only some clients ask for. */
function listText({ models, hasMore }: Page, more: Pick<ListEnd, 'models'> = {}): string {
  const end: ListEnd = {
    has_more: hasMore,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
    ...more,
  };
  const bodies = models.map(({ body }) => body).join(',');
  return `{"object":"list","data":[${bodies}],${JSON.stringify(end).slice(1)}`;
}
