/** The catalogue: what is sold, at which price. One body serves the clients of both protocols. */
import type { Catalogue, ChatModel, ImageModel, Model } from '../catalogue/catalogue.ts';
import { findModel } from '../catalogue/find-model.ts';
import { GatewayError } from '../errors.ts';
import type { Call, Route } from './route.ts';

export type CatalogueDeps = {
  readonly catalogue: () => Catalogue;
  /** Whether the catalogue may be read without a key. */
  readonly isPublic: boolean;
};

type Json = Readonly<Record<string, unknown>>;

/** As many as the Messages protocol lets a client ask for. */
const MAX_PAGE = 1000;

export function catalogueRoutes(deps: CatalogueDeps): readonly Route[] {
  const pages = new ModelPages(deps.catalogue);
  const route = (
    path: string,
    summary: string,
    handle: (call: Call) => Promise<Response>,
  ): Route => ({
    method: 'GET',
    path,
    auth: deps.isPublic ? 'public' : 'key',
    dialect: 'both',
    doc: { summary, tag: 'catalogue' },
    handle,
  });
  return ['/v2', '/v1'].flatMap((prefix) => [
    route(`${prefix}/models`, 'List the models with their channels and prices', (call) =>
      pages.list(call),
    ),
    // A model id may hold slashes, so the rest of the path is its name.
    route(`${prefix}/models/:id{.+}`, 'One model', (call) => pages.one(call)),
  ]);
}

type Encoded = {
  readonly catalogue: Catalogue;
  readonly models: readonly Json[];
  readonly whole: string;
};

/** Bodies are encoded once a snapshot. */
class ModelPages {
  readonly #catalogue: () => Catalogue;
  #encoded: Encoded | null = null;

  constructor(catalogue: () => Catalogue) {
    this.#catalogue = catalogue;
  }

  async list(call: Call): Promise<Response> {
    const { catalogue, models, whole } = this.#current();
    const etag = `"${catalogue.version}"`;
    if (call.request.headers.get('if-none-match') === etag) {
      return new Response(null, { status: 304, headers: { etag } });
    }
    const query = call.url.searchParams;
    const isPaged = ['limit', 'after_id', 'before_id'].some((name) => query.has(name));
    const body = isPaged ? JSON.stringify(listBody(...page(models, query))) : whole;
    return json(body, etag);
  }

  async one(call: Call): Promise<Response> {
    const { catalogue } = this.#current();
    const model = findModel(catalogue, call.params['id'] ?? '');
    return json(JSON.stringify(modelBody(model, catalogue)), `"${catalogue.version}"`);
  }

  #current(): Encoded {
    const catalogue = this.#catalogue();
    if (this.#encoded?.catalogue !== catalogue) {
      const models = [...catalogue.models.values()].map((model) => modelBody(model, catalogue));
      this.#encoded = { catalogue, models, whole: JSON.stringify(listBody(models, false)) };
    }
    return this.#encoded;
  }
}

const json = (body: string, etag: string): Response =>
  new Response(body, { headers: { 'content-type': 'application/json', etag } });

/** The page a query asks for, in the Messages protocol's terms, and whether more follow in its direction. */
function page(models: readonly Json[], query: URLSearchParams): [readonly Json[], boolean] {
  const limit = Number(query.get('limit') ?? MAX_PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new GatewayError('invalid_value', `limit must be a whole number from 1 to ${MAX_PAGE}.`, {
      param: 'limit',
    });
  }
  const place = (name: string): number | null => {
    const id = query.get(name);
    if (id === null) return null;
    const index = models.findIndex((model) => model['id'] === id);
    if (index < 0)
      throw new GatewayError('invalid_value', `${name} names no model.`, { param: name });
    return index;
  };
  const before = place('before_id');
  if (before !== null) {
    const start = Math.max(0, before - limit);
    return [models.slice(start, before), start > 0];
  }
  const start = (place('after_id') ?? -1) + 1;
  return [models.slice(start, start + limit), start + limit < models.length];
}

const listBody = (models: readonly Json[], hasMore: boolean): Json => ({
  object: 'list',
  data: models,
  has_more: hasMore,
  first_id: models[0]?.['id'] ?? null,
  last_id: models.at(-1)?.['id'] ?? null,
});

function modelBody(model: Model, catalogue: Catalogue): Json {
  // A model without a release date is as old as the catalogue that lists it.
  const createdMs =
    model.releaseDate === null
      ? catalogue.loadedAtMs
      : Date.parse(`${model.releaseDate.replaceAll('/', '-')}T00:00:00Z`);
  return {
    id: model.id,
    object: 'model',
    type: 'model',
    created: Math.floor(createdMs / 1000),
    created_at: new Date(Math.floor(createdMs / 1000) * 1000).toISOString(),
    owned_by: model.maker,
    display_name: model.name,
    shutdown_date: null,
    name: model.name,
    maker: model.maker,
    kind: model.kind,
    ...limits(model),
    input_modalities: model.input,
    output_modalities: model.output,
    release_date: model.releaseDate,
    settlement: model.settlement,
    channels: channelBodies(model),
  };
}

function limits(model: Model): Json {
  if (model.kind === 'image') {
    return {
      context_length: null,
      max_output_tokens: null,
      sizes: model.sizes,
      max_images: model.maxImages,
      qualities: model.qualities,
      styles: model.styles,
    };
  }
  return {
    context_length: model.contextWindow,
    max_output_tokens: model.maxOutput,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutput,
  };
}

function channelBodies(model: ChatModel | ImageModel): readonly Json[] {
  return [...model.channels.values()].map(({ name, card }) => ({
    channel: name,
    default: name === model.defaultChannel,
    price_card: card.id,
    example: card.example,
    price: {
      currency: card.currency,
      unit: card.kind === 'chat' ? '1M tokens' : 'image',
      input: card.kind === 'chat' ? card.listed.input : null,
      output: card.kind === 'chat' ? card.listed.output : null,
      cache_read: card.kind === 'chat' ? card.listed.cacheRead : null,
      cache_write: card.kind === 'chat' ? card.listed.cacheWrite : null,
      cache_write_1h: card.kind === 'chat' ? card.listed.cacheWrite1h : null,
      per_image: card.kind === 'image' ? card.listed : null,
    },
  }));
}
