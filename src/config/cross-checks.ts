/** Checks values against each other: undefined names, missing prices and exchange rates. */
import { isBaseUrl, isPrivateHost } from './address.ts';
import { nearest } from './nearest.ts';
import { type PriceSubject, priceChecks } from './price-checks.ts';
import { isDate } from './price-schema.ts';
import type { Finding, Path } from './problem.ts';
import { TOTAL_TIMEOUT } from './schema.ts';
import { valueAt } from './schema-path.ts';
import { parseDuration } from './units.ts';
import { REPORTS } from './upstream-schema.ts';

/** Yields problems between values. Reads the unvalidated file, to find all problems at once. */
export function* crossChecks(file: unknown, nowMs: number): Generator<Finding> {
  yield* calendarChecks(file, nowMs);
  for (const [name, upstream] of entriesAt(file, ['upstreams'])) {
    yield* upstreamChecks(upstream, ['upstreams', name]);
  }
  for (const [id, model] of entriesAt(file, ['models'])) {
    const path = ['models', id];
    if (!/^[\w.:/-]{1,128}$/.test(id)) {
      yield { path, message: 'a model id is up to 128 letters, digits and the signs - _ . : /' };
    }
    yield* defaultChannelChecks(model, path);
    yield* settlementChecks(file, model, path);
    yield* timeoutChecks(file, model, path);
    for (const [name, channel] of entriesAt(model, ['channels'])) {
      const at = [...path, 'channels', name];
      yield* routeChecks(file, model, channel, at);
      if (valueAt(model, ['kind']) === 'image') yield* imagePriceChecks(model, channel, at);
      else yield* tokenPriceChecks(file, model, channel, at);
    }
  }
}

/** Yields private addresses, and a `reconcile` whose provider neither `make` nor `report` names. */
function* upstreamChecks(upstream: unknown, path: Path): Generator<Finding> {
  for (const place of [['base_url'], ['reconcile', 'base_url']]) {
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
      message: `needs \`report\`, one of ${REPORTS.join(', ')}: no report of make ${make} is known`,
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
  file: unknown,
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
      const hint = near === null ? `known: ${names.join(', ')}` : `did you mean "${near}"?`;
      yield { path: at, message: `there is no upstream "${upstream}"; ${hint}` };
      continue;
    }
    const protocol = valueAt(file, ['upstreams', upstream, 'protocol']);
    if (protocol === 'anthropic' && valueAt(model, ['kind']) === 'image') {
      yield { path: at, message: `"${upstream}" speaks anthropic, which cannot make images` };
    }
  }
}

/** Prices are in USD, so a model that settles in CNY needs the exchange rate. */
function* settlementChecks(file: unknown, model: unknown, path: Path): Generator<Finding> {
  if (valueAt(model, ['settlement']) !== 'CNY') return;
  if (valueAt(file, ['fx', 'USD/CNY']) !== undefined) return;
  yield { path: [...path, 'settlement'], message: 'is CNY, but fx has no rate USD/CNY' };
}

/** A model's total timeout may not exceed `limits.total_timeout`, after which holds expire. */
function* timeoutChecks(file: unknown, model: unknown, path: Path): Generator<Finding> {
  const total = textAt(model, ['timeouts', 'total']);
  const limit = textAt(file, ['limits', 'total_timeout']) ?? TOTAL_TIMEOUT;
  const [totalMs, limitMs] = [parseDuration(total ?? ''), parseDuration(limit)];
  if (totalMs === null || limitMs === null || totalMs <= limitMs) return;
  yield {
    path: [...path, 'timeouts', 'total'],
    message: `is longer than limits.total_timeout, which is ${limit}; raise that first`,
  };
}

/** Yields calendars that end before one of their dates, or that have ended. */
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
  file: unknown,
  model: unknown,
  channel: unknown,
  path: Path,
): Generator<Finding> {
  const window = valueAt(model, ['context_window']);
  const subject: PriceSubject = {
    contextWindow: typeof window === 'number' ? window : null,
    calendars: entriesAt(file, ['calendars']).map(([name]) => name),
    needed: [],
  };
  const needed = NEEDED_PRICES.filter(({ list, kind }) => listAt(model, [list]).includes(kind));
  yield* priceChecks(valueAt(channel, ['price']), [...path, 'price'], { ...subject, needed });
  if (valueAt(channel, ['cost']) !== undefined)
    yield* priceChecks(valueAt(channel, ['cost']), [...path, 'cost'], subject);
}

/** Prices that must be listed, because every provider charges several times the price of text. */
const NEEDED_PRICES = [
  { list: 'input', kind: 'audio', key: 'audio_input', why: 'the model accepts audio' },
  { list: 'output', kind: 'audio', key: 'audio_output', why: 'the model answers with audio' },
  { list: 'output', kind: 'image', key: 'image_output', why: 'the model answers with images' },
] as const;

/** Yields sizes and qualities without a price, and prices for those the model does not offer. */
function* imagePriceChecks(model: unknown, channel: unknown, path: Path): Generator<Finding> {
  const prices = entriesAt(channel, ['price', 'per_image']).map(([key]) => key);
  const sizes = listAt(model, ['sizes']).map(String);
  // Without prices or without sizes, the schema reports the problem.
  if (prices.length === 0 || sizes.length === 0) return;
  const [standard, ...others] = listAt(model, ['qualities']).map(String);
  const needed = sizes.flatMap((size) => [size, ...others.map((each) => `${size}/${each}`)]);
  const known =
    standard === undefined ? needed : [...needed, ...sizes.map((s) => `${s}/${standard}`)];
  const at = [...path, 'price', 'per_image'];
  for (const key of needed) {
    if (!prices.includes(key)) {
      yield { path: [...at, key], message: 'is missing: the model offers it, so it needs a price' };
    }
  }
  for (const key of prices) {
    if (known.includes(key)) continue;
    yield {
      path: [...at, key],
      message: `is not offered by the model; it offers ${known.join(', ')}`,
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

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function entriesAt(value: unknown, path: Path): readonly (readonly [string, unknown])[] {
  const found = valueAt(value, path);
  return isMap(found) ? Object.entries(found) : [];
}
