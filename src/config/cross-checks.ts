/** Checks values against each other: undefined names, missing prices, missing exchange rates. */
import { isBaseUrl, isPrivateHost } from './address.ts';
import { TOTAL_TIMEOUT } from './document/limit-settings.ts';
import { instantMs, isDate } from './document/price-times.ts';
import { nearest } from './nearest.ts';
import { notOffered, type PriceSubject, priceChecks } from './price-checks.ts';
import type { Finding, Path } from './problem.ts';
import { isMap, valueAt } from './schema-path.ts';
import { parseDuration } from './units.ts';
import { REPORTS } from './upstream-schema.ts';

/** The protocols that have neither images nor embeddings. */
const TEXT_ONLY: ReadonlySet<string> = new Set(['anthropic', 'responses']);

/** Yields conflicts between values, even if the schema refuses some, to report all problems. */
export function* crossChecks(file: unknown, nowMs: number): Generator<Finding> {
  if (valueAt(file, ['share_port']) === true && !isOnPostgres(file)) {
    const message = 'needs a PostgreSQL database: with SQLite, one process owns all data';
    yield { path: ['share_port'], message };
  }
  for (const [name, message] of BESIDE_DATABASE) {
    if (valueAt(file, [name]) != null && !isOnPostgres(file)) yield { path: [name], message };
  }
  yield* calendarChecks(file, nowMs);
  yield* momentChecks(file);
  for (const [name, upstream] of entriesAt(file, ['upstreams'])) {
    yield* upstreamChecks(upstream, ['upstreams', name]);
  }
}

/** Settings that need a PostgreSQL URL in `database`, each with its error message. */
const BESIDE_DATABASE: readonly (readonly [name: string, message: string])[] = [
  ['database_direct', 'needs the address of a PostgreSQL pooler in `database`'],
  ['database_replica', 'needs the address of its PostgreSQL primary in `database`'],
];

/** The settings outside a model that affect whether the model is valid. */
export type ModelContext = Readonly<Record<string, unknown>>;

/** Returns the settings outside the models that affect whether the models are valid. */
export function contextOf(file: unknown): ModelContext {
  const upstreams = entriesAt(file, ['upstreams']).map(([name, upstream]) => [
    name,
    { protocol: valueAt(upstream, ['protocol']) },
  ]);
  const calendars = entriesAt(file, ['calendars']).map(([name]) => [name, {}]);
  return {
    ...(isMap(valueAt(file, ['upstreams'])) ? { upstreams: Object.fromEntries(upstreams) } : {}),
    calendars: Object.fromEntries(calendars),
    // Contains only whether a rate exists, so that a changed rate does not revalidate all models.
    fx: valueAt(file, ['fx', 'USD/CNY']) === undefined ? {} : { 'USD/CNY': '' },
    limits: { total_timeout: valueAt(file, ['limits', 'total_timeout']) },
  };
}

/** Yields the problems within a model, and between the model and the settings in `file`. */
export function* modelChecks(file: ModelContext, id: string, model: unknown): Generator<Finding> {
  const path = ['models', id];
  if (!/^[\w.:/-]{1,128}$/.test(id)) {
    yield { path, message: 'a model id has up to 128 letters, digits and the signs - _ . : /' };
  }
  yield* defaultChannelChecks(model, path);
  yield* settlementChecks(file, model, path);
  yield* timeoutChecks(file, model, path);
  const kind = valueAt(model, ['kind']);
  if (kind === 'image') yield* imageTokensChecks(model, path);
  if (kind === 'embedding') yield* dimensionsChecks(model, path);
  for (const [name, channel] of entriesAt(model, ['channels'])) {
    const at = [...path, 'channels', name];
    yield* routeChecks(file, model, channel, at);
    if (kind === 'image') yield* imagePricesChecks(file, model, channel, at);
    else if (kind !== 'embedding') yield* tokenPriceChecks(file, model, channel, at);
  }
}

const isOnPostgres = (file: unknown): boolean =>
  (textAt(file, ['database']) ?? 'sqlite') !== 'sqlite';

const ADDRESSES: readonly Path[] = [
  ['base_url'],
  ['reconcile', 'base_url'],
  ['sign_in', 'token_url'],
  ['sign_in', 'authority'],
];

/** Yields the problems of an upstream's address, credentials and `reconcile` setting. */
function* upstreamChecks(upstream: unknown, path: Path): Generator<Finding> {
  if (valueAt(upstream, ['base_url']) !== undefined) {
    const hasKey = valueAt(upstream, ['api_key']) !== undefined;
    const signsIn = valueAt(upstream, ['sign_in']) !== undefined;
    if (!hasKey && !signsIn) {
      const message =
        'is missing; write the API key, or "none" if the server needs no key, or set sign_in instead';
      yield { path: [...path, 'api_key'], message };
    }
    if (hasKey && signsIn) {
      const message = 'cannot be combined with api_key; remove one of the two';
      yield { path: [...path, 'sign_in'], message };
    }
  }
  for (const place of ADDRESSES) {
    const url = textAt(upstream, place);
    if (url === null || !isBaseUrl(url) || valueAt(upstream, ['allow_private']) === true) continue;
    if (!isPrivateHost(new URL(url).hostname)) continue;
    yield {
      path: [...path, ...place],
      message: 'is a private address; add allow_private: true if intended',
    };
  }
  const make = textAt(upstream, ['make']) ?? 'generic';
  if (!isMap(valueAt(upstream, ['reconcile'])) || REPORTS.some((kind) => kind === make)) return;
  if (textAt(upstream, ['reconcile', 'report']) === null)
    yield {
      path: [...path, 'reconcile'],
      message: `needs \`report\`, one of ${REPORTS.join(', ')}: the report format of make ${make} is unknown`,
    };
}

function* defaultChannelChecks(model: unknown, path: Path): Generator<Finding> {
  const chosen = textAt(model, ['default_channel']);
  const channels = entriesAt(model, ['channels']).map(([name]) => name);
  const isSound = isMap(valueAt(model, ['channels']));
  if (!isSound || chosen === null || channels.includes(chosen)) return;
  const known = channels.length === 0 ? 'it has none' : `it has ${channels.join(', ')}`;
  yield {
    path: [...path, 'default_channel'],
    message: `is ${chosen}, which is not among the model's channels; ${known}`,
  };
}

function* routeChecks(
  file: ModelContext,
  model: unknown,
  channel: unknown,
  path: Path,
): Generator<Finding> {
  if (!isMap(valueAt(file, ['upstreams']))) return;
  const names = entriesAt(file, ['upstreams']).map(([name]) => name);
  for (const [index, route] of listAt(channel, ['routes']).entries()) {
    const upstream = textAt(route, ['upstream']);
    if (upstream === null) continue;
    const at = [...path, 'routes', index, 'upstream'];
    if (!names.includes(upstream)) {
      const near = nearest(upstream, names);
      const listed = names.length === 0 ? 'no upstream is defined' : `known: ${names.join(', ')}`;
      const hint = near === null ? listed : `did you mean "${near}"?`;
      yield { path: at, message: `there is no upstream "${upstream}"; ${hint}` };
      continue;
    }
    const protocol = valueAt(file, ['upstreams', upstream, 'protocol']);
    const made = NOT_TEXT.get(valueAt(model, ['kind'])) ?? null;
    if (typeof protocol !== 'string' || !TEXT_ONLY.has(protocol) || made === null) continue;
    yield { path: at, message: `"${upstream}" speaks ${protocol}, which cannot make ${made}` };
  }
}

/** The output of each kind of model that does not produce text. */
const NOT_TEXT: ReadonlyMap<unknown, string> = new Map([
  ['image', 'images'],
  ['embedding', 'embeddings'],
]);

/** Yields a problem if the minimum number of dimensions is above the default number. */
function* dimensionsChecks(model: unknown, path: Path): Generator<Finding> {
  const [most, least] = [valueAt(model, ['dimensions']), valueAt(model, ['min_dimensions'])];
  if (typeof most !== 'number' || typeof least !== 'number' || least <= most) return;
  yield { path: [...path, 'min_dimensions'], message: `is more than dimensions, which is ${most}` };
}

/** Yields a problem if a model settles in CNY, but the rate to convert its prices is missing. */
function* settlementChecks(file: ModelContext, model: unknown, path: Path): Generator<Finding> {
  if (valueAt(model, ['settlement']) !== 'CNY') return;
  if (valueAt(file, ['fx', 'USD/CNY']) !== undefined) return;
  yield { path: [...path, 'settlement'], message: 'is CNY, but fx has no rate USD/CNY' };
}

/** Yields a problem if a model's total timeout exceeds `limits.total_timeout`. */
function* timeoutChecks(file: ModelContext, model: unknown, path: Path): Generator<Finding> {
  const total = textAt(model, ['timeouts', 'total']);
  const limit = textAt(file, ['limits', 'total_timeout']) ?? TOTAL_TIMEOUT;
  const [totalMs, limitMs] = [parseDuration(total ?? ''), parseDuration(limit)];
  if (totalMs === null || limitMs === null || totalMs <= limitMs) return;
  yield {
    path: [...path, 'timeouts', 'total'],
    message: `is longer than limits.total_timeout, which is ${limit}; raise that first`,
  };
}

/** Maximum number of start times of announced prices. A node builds a catalogue for each. */
const MAX_MOMENTS = 100;

/** Yields a problem if the announced prices of all models start at too many different times. */
function* momentChecks(file: unknown): Generator<Finding> {
  const moments = new Set<number | null>();
  const places = [file, ...entriesAt(file, ['price_lists']).map(([, list]) => list)];
  const models = places.flatMap((place) => entriesAt(place, ['models']));
  for (const [, model] of models)
    for (const [, channel] of entriesAt(model, ['channels']))
      for (const price of listAt(channel, ['upcoming']))
        moments.add(instantMs(valueAt(price, ['effective_from'])));
  if (moments.size <= MAX_MOMENTS) return;
  const message = `have announced prices with ${moments.size} different start times; at most ${MAX_MOMENTS} are allowed`;
  yield { path: ['models'], message };
}

function* calendarChecks(file: unknown, nowMs: number): Generator<Finding> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  for (const [name, calendar] of entriesAt(file, ['calendars'])) {
    const until = textAt(calendar, ['until']);
    if (until === null || !isDate(until)) continue;
    const path = ['calendars', name];
    const later = listAt(calendar, ['dates']).findIndex((date) => String(date) > until);
    if (later !== -1)
      yield { path: [...path, 'dates', later], message: `is after \`until\`, which is ${until}` };
    if (until >= today) continue;
    yield {
      path: [...path, 'until'],
      message: `ended on ${until}; add the dates of the next period and raise \`until\``,
    };
  }
}

/** Yields problems in a channel's token price and cost. */
function* tokenPriceChecks(
  file: ModelContext,
  model: unknown,
  channel: unknown,
  path: Path,
): Generator<Finding> {
  const window = valueAt(model, ['context_window']);
  const subject: PriceSubject = {
    contextWindow: typeof window === 'number' ? window : null,
    calendars: calendarsIn(file),
    drawn: null,
    needed: [],
  };
  const needed = NEEDED_PRICES.filter(({ list, kind }) => listAt(model, [list]).includes(kind));
  for (const [place, price] of soldPrices(channel))
    yield* priceChecks(price, [...path, ...place], { ...subject, needed });
  if (valueAt(channel, ['cost']) !== undefined)
    yield* priceChecks(valueAt(channel, ['cost']), [...path, 'cost'], subject);
}

/** Returns the current and the announced prices of a channel, each with its path in the channel. */
const soldPrices = (channel: unknown): readonly (readonly [Path, unknown])[] => [
  [['price'], valueAt(channel, ['price'])],
  ...listAt(channel, ['upcoming']).map((price, index) => [['upcoming', index], price] as const),
];

/** Prices that a model must list if it has audio or images, which cost far more than text. */
const NEEDED_PRICES = [
  { list: 'input', kind: 'audio', key: 'audio_input', why: 'the model accepts audio' },
  { list: 'output', kind: 'audio', key: 'audio_output', why: 'the model answers with audio' },
  { list: 'output', kind: 'image', key: 'image_output', why: 'the model answers with images' },
] as const;

const calendarsIn = (file: unknown): readonly string[] =>
  entriesAt(file, ['calendars']).map(([name]) => name);

/** Yields problems in the price and cost of an image model's channel, per image or per token. */
function* imagePricesChecks(
  file: ModelContext,
  model: unknown,
  channel: unknown,
  path: Path,
): Generator<Finding> {
  const drawn = {
    size: listAt(model, ['sizes']).map(String),
    quality: listAt(model, ['qualities']).map(String),
  };
  const subject = { contextWindow: null, calendars: calendarsIn(file), drawn, needed: [] };
  const cost = [['cost'], valueAt(channel, ['cost'])] as const;
  for (const [place, price] of [...soldPrices(channel), cost]) {
    const at = [...path, ...place];
    if (!isMap(price)) continue;
    yield* formChecks(price, at);
    yield* editPriceChecks(model, price, at);
    yield* nameChecks(price, drawn, at);
    yield* perImageChecks(price, drawn, [...at, 'per_image'], place[0] !== 'cost');
    yield* priceChecks(price, at, subject);
  }
}

/** The only fields allowed in a price with `per_image`. All others are for prices per token. */
const BESIDE_PER_IMAGE = [
  ...['per_image', 'names', 'currency', 'example', 'source', 'review', 'effective_from'],
];

/** Yields a problem if a price mixes prices per image and per token, or is incomplete. */
function* formChecks(price: object, path: Path): Generator<Finding> {
  const keys = Object.keys(price);
  if (keys.includes('per_image')) {
    for (const key of keys.filter((each) => !BESIDE_PER_IMAGE.includes(each)))
      yield {
        path: [...path, key],
        message: 'cannot be combined with `per_image`; write one of them',
      };
    return;
  }
  const missing = ['input', 'image_output'].filter((key) => !keys.includes(key));
  const remedy = 'write `per_image`, or `input` and `image_output` per 1M tokens';
  if (missing.length === 2) yield { path, message: `has no prices: ${remedy}` };
  else for (const key of missing) yield { path: [...path, key], message: `is missing: ${remedy}` };
}

/** Yields a problem if images to edit have no price. Their tokens are counted separately. */
function* editPriceChecks(model: unknown, price: object, path: Path): Generator<Finding> {
  const keys = Object.keys(price);
  const edits = Number(valueAt(model, ['max_input_images']) ?? 0) > 0;
  if (!edits || keys.includes('per_image') || keys.includes('image_input')) return;
  const message = 'is missing: the model edits images (max_input_images), so they need a price';
  yield { path: [...path, 'image_input'], message };
}

/** Yields a problem for each entry of `names` that maps to a size or quality not offered. */
function* nameChecks(
  price: object,
  drawn: NonNullable<PriceSubject['drawn']>,
  path: Path,
): Generator<Finding> {
  for (const fact of ['size', 'quality'] as const) {
    for (const [reported, name] of entriesAt(price, ['names', fact])) {
      const unknown = typeof name === 'string' ? notOffered(name, fact, drawn) : null;
      if (unknown !== null)
        yield { path: [...path, 'names', fact, reported], message: `is ${name}: ${unknown}` };
    }
  }
}

/** Yields a problem for each size or quality without a price, and for each unknown key. */
function* perImageChecks(
  price: object,
  { size: sizes, quality: qualities }: NonNullable<PriceSubject['drawn']>,
  path: Path,
  isComplete: boolean,
): Generator<Finding> {
  const prices = entriesAt(price, ['per_image']).map(([key]) => key);
  // If prices or sizes are missing, the schema has already reported the problem.
  if (prices.length === 0 || sizes.length === 0) return;
  const [standard, ...others] = qualities;
  const needed = sizes.flatMap((size) => [size, ...others.map((each) => `${size}/${each}`)]);
  const known =
    standard === undefined ? needed : [...needed, ...sizes.map((s) => `${s}/${standard}`)];
  for (const key of isComplete ? needed : []) {
    if (prices.includes(key)) continue;
    yield { path: [...path, key], message: 'is missing: the model offers it, so it needs a price' };
  }
  for (const key of prices) {
    if (known.includes(key)) continue;
    yield {
      path: [...path, key],
      message: `is not offered by the model; it offers ${known.join(', ')}`,
    };
  }
}

/**
 * Yields problems of `image_tokens`: unknown keys and, if images are priced by token, missing keys.
 * A hold needs the maximum number of tokens of each kind of image.
 */
function* imageTokensChecks(model: unknown, path: Path): Generator<Finding> {
  const isByToken = entriesAt(model, ['channels'])
    .flatMap(([, channel]) => soldPrices(channel))
    .some(([, price]) => valueAt(price, ['image_output']) !== undefined);
  const bounds = entriesAt(model, ['image_tokens']).map(([key]) => key);
  const sizes = listAt(model, ['sizes']).map(String);
  const qualities = listAt(model, ['qualities']).map(String);
  const known = sizes.flatMap((size) => [size, ...qualities.map((each) => `${size}/${each}`)]);
  for (const key of bounds.filter((each) => !known.includes(each))) {
    const message = `is not offered by the model; it offers ${known.join(', ')}`;
    yield { path: [...path, 'image_tokens', key], message };
  }
  for (const size of isByToken ? sizes : []) {
    if (bounds.includes(size)) continue;
    const keys = qualities.length === 0 ? [size] : qualities.map((each) => `${size}/${each}`);
    for (const key of keys.filter((each) => !bounds.includes(each)))
      yield {
        path: [...path, 'image_tokens', key],
        message: 'is missing: holds need the maximum number of output tokens of such an image',
      };
  }
}

const textAt = (value: unknown, path: Path): string | null => {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : null;
};

const listAt = (value: unknown, path: Path): readonly unknown[] => {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
};

function entriesAt(value: unknown, path: Path): readonly (readonly [string, unknown])[] {
  const found = valueAt(value, path);
  return isMap(found) ? Object.entries(found) : [];
}
