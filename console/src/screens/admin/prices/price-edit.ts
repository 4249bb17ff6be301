/**
 * Edits of prices in the format of the configuration: exact decimals, and a merge patch that
 * contains only the changes.
 */
import { asList, asObject, asText, isObject, type JsonObject } from '#api/json.ts';
import { CHANNELS, type ChannelName } from '#catalogue/models.ts';
import { PRICE_KEYS } from '#catalogue/usage-buckets.ts';
import { parseAmount } from '#money/amount.ts';

/** The value that the configuration has in place of a price if the tokens are not sold. */
export const NOT_SOLD = '-';
/** The maximum number of decimal places of a price per 1M tokens. */
export const TOKEN_DECIMALS = 6;
/** The maximum number of decimal places of a price per image or per use. */
const UNIT_DECIMALS = 9;
/** The decimal places of the amounts that `parseAmount` returns. */
const PICO_DECIMALS = 12;

/** A price and its path in a channel, such as `input`, `rows.0.output` or `fees.web_search`. */
export type PriceItem = {
  readonly path: readonly string[];
  readonly value: string;
  readonly decimals: number;
};

/** The models of the configuration, unparsed, by id. */
export type Models = ReadonlyMap<string, unknown>;
/** The model and channel that an edit concerns. */
export type Place = { readonly model: string; readonly channel: ChannelName };

/** Returns the configured channel of a model; null if the model has no such channel. */
export const channelIn = (models: Models, { model, channel }: Place): JsonObject | null =>
  asObject(asObject(asObject(models.get(model))?.['channels'])?.[channel]);

/** Returns all channels of the models. */
export const placesOf = (models: Models): readonly Place[] =>
  [...models.keys()].flatMap((model) =>
    CHANNELS.map((channel) => ({ model, channel })).filter((at) => channelIn(models, at) !== null),
  );

/** Returns every price of a channel, including fees and rows with conditions. */
export function itemsOf(price: unknown): readonly PriceItem[] {
  const of = asObject(price) ?? {};
  const rows = asList(of['rows']).flatMap((row, index) => tokenItems(row, ['rows', `${index}`]));
  const models = Object.entries(asObject(of['models']) ?? {}).flatMap(([name, own]) =>
    tokenItems(own, ['models', name]),
  );
  return [
    ...tokenItems(of, []),
    ...unitItems(of, 'per_image'),
    ...rows,
    ...unitItems(of, 'fees'),
    ...models,
  ];
}

const tokenItems = (from: unknown, path: readonly string[]): readonly PriceItem[] =>
  PRICE_KEYS.flatMap((key) => {
    const value = asObject(from)?.[key];
    const decimals = TOKEN_DECIMALS;
    return typeof value === 'string' ? [{ path: [...path, key], value, decimals }] : [];
  });

const unitItems = (price: JsonObject, key: string): readonly PriceItem[] =>
  Object.entries(asObject(price[key]) ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ path: [key, name], value, decimals: UNIT_DECIMALS }] : [],
  );

/** Finds the price at a path. */
export const itemAt = (price: unknown, path: readonly string[]): PriceItem | undefined =>
  itemsOf(price).find((item) => keyOf(item.path) === keyOf(path));
export const keyOf = (path: readonly string[]): string => JSON.stringify(path);

/**
 * A new value of one price. Null removes the price, so that another price applies, such as `input`.
 */
export type Edit = { readonly path: readonly string[]; readonly value: string | null };

/** Returns a copy of the value with the edits applied. Objects without edits are reused. */
export function edited(value: unknown, edits: readonly Edit[]): unknown {
  const here = edits.find(({ path }) => path.length === 0);
  if (here !== undefined) return here.value;
  const entries = new Map(Object.entries(Object(value)));
  for (const [key, own] of Map.groupBy(edits, ({ path }) => path[0] ?? '')) {
    const next = edited(
      entries.get(key),
      own.map((edit) => ({ ...edit, path: edit.path.slice(1) })),
    );
    if (next === null) entries.delete(key);
    else entries.set(key, next);
  }
  return Array.isArray(value) ? [...entries.values()] : Object.fromEntries(entries);
}

/** The prices to change on each channel. */
export type PriceEdits = readonly (Place & { readonly edits: readonly Edit[] })[];

/** Returns the announced prices of a channel, in the order of their start. */
export const upcomingIn = (models: Models, place: Place): readonly JsonObject[] =>
  asList(channelIn(models, place)?.['upcoming']).filter(isObject);

const startOf = (price: JsonObject): number => Date.parse(asText(price['effective_from']));

/**
 * Returns the price that a channel has, or is announced to have, at the time `from`. If `from` is
 * null, returns the current price.
 */
export function priceAt(models: Models, place: Place, from: string | null): JsonObject {
  const atMs = from === null ? -Infinity : Date.parse(from);
  const begun = upcomingIn(models, place).findLast((each) => startOf(each) <= atMs);
  return begun ?? asObject(channelIn(models, place)?.['price']) ?? {};
}

/**
 * The keys of notes about a price, such as its source. A new price does not inherit them, because
 * they may not apply to it.
 */
export const NOTES: readonly string[] = ['example', 'source', 'review', 'effective_from'];

/**
 * Returns the merge patch that announces the edited prices. Keeps announcements for other times.
 */
function announcing(models: Models, all: PriceEdits, from: string): JsonObject {
  const lists = all.map(({ edits, ...place }): readonly [Place, readonly JsonObject[]] => {
    const after = Object.entries(Object(edited(priceAt(models, place, from), edits)));
    const price = Object.fromEntries(after.filter(([key]) => !NOTES.includes(key)));
    const others = upcomingIn(models, place).filter((each) => startOf(each) !== Date.parse(from));
    const announced = [...others, { effective_from: from, ...price }];
    return [place, announced.toSorted((a, b) => startOf(a) - startOf(b))];
  });
  return upcomingPatch(lists);
}

/** Returns the merge patch that withdraws the price announced for a given time. */
export const withdrawing = (models: Models, place: Place, from: string): JsonObject =>
  upcomingPatch([
    [place, upcomingIn(models, place).filter((each) => startOf(each) !== Date.parse(from))],
  ]);

function upcomingPatch(lists: readonly (readonly [Place, readonly JsonObject[]])[]): JsonObject {
  const byModel = Map.groupBy(lists, ([{ model }]) => model);
  const patches = [...byModel].map(([model, own]) => {
    const channels = own.map(([{ channel }, upcoming]) => {
      return [channel, { upcoming: upcoming.length === 0 ? null : upcoming }];
    });
    return [model, { channels: Object.fromEntries(channels) }];
  });
  return { models: Object.fromEntries(patches) };
}

/**
 * Returns the merge patch with the edits, effective at a given time or at once. Edited prices lose
 * the notes about them (`NOTES`).
 */
export function patchOf(
  models: Models,
  all: PriceEdits,
  from: string | null = null,
  what: 'price' | 'cost' = 'price',
): JsonObject {
  if (from !== null) return announcing(models, all, from);
  const patches: Record<string, { channels: Record<string, JsonObject> }> = {};
  for (const { model, channel, edits } of all) {
    const before = asObject(channelIn(models, { model, channel })?.[what]) ?? {};
    const after = asObject(edited(before, edits)) ?? {};
    const touched = new Set(edits.map(({ path }) => path[0] ?? ''));
    const price: Record<string, unknown> = Object.fromEntries(
      // Null removes a price in a merge patch.
      [...touched].map((key) => [key, after[key] ?? null]),
    );
    if (edits.length === 0) continue;
    for (const note of NOTES) if (note in before) price[note] = null;
    const own = patches[model] ?? { channels: {} };
    own.channels[channel] = { [what]: price };
    patches[model] = own;
  }
  return { models: patches };
}

/** How to calculate new prices: a factor times the prices, or times the operator's costs. */
export type Factor = {
  readonly base: 'price' | 'cost';
  /** A decimal such as `1.3`, with at most six decimal places. */
  readonly factor: string;
  /** The maximum number of decimal places of the results; null for the maximum of each price. */
  readonly decimals: number | null;
  /**
   * The time at which the results take effect. The factor multiplies the prices that apply at that
   * time.
   */
  readonly from?: string | null;
};
export type Multiplied = {
  readonly edits: PriceEdits;
  /** The number of results that were rounded. */
  readonly rounded: number;
  /** The number of prices that stay unchanged because they have no cost. */
  readonly withoutCost: number;
};

/**
 * Returns the edits that set all prices of the channels to the factor times the price at the time
 * `by.from`, or times the cost. Tokens that are not sold remain so. If costs are multiplied, a
 * price without a cost stays unchanged.
 */
export function multiplied(models: Models, places: readonly Place[], by: Factor): Multiplied {
  let rounded = 0;
  let withoutCost = 0;
  const edits = places.map((place) => {
    const { cost } = channelIn(models, place) ?? {};
    const price = priceAt(models, place, by.from ?? null);
    const own = itemsOf(price).flatMap(({ path, value, decimals }): readonly Edit[] => {
      if (value === NOT_SOLD) return [];
      const base = by.base === 'price' ? value : costAt(price, cost, path);
      if (base === null) {
        withoutCost += 1;
        return [];
      }
      const result = product(base, by.factor, Math.min(decimals, by.decimals ?? decimals));
      if (!result.isExact) rounded += 1;
      return isSame(result.text, value) ? [] : [{ path, value: result.text }];
    });
    return { ...place, edits: own };
  });
  return { edits: edits.filter((place) => place.edits.length > 0), rounded, withoutCost };
}

/**
 * Returns the cost at the path of a price; null if no cost is set there. The cost of a price in a
 * row with conditions is in the row of costs with the same index. It counts only if both rows have
 * the same conditions.
 */
export function costAt(price: unknown, cost: unknown, path: readonly string[]): string | null {
  const [section, index = ''] = path;
  if (section === 'rows') {
    const [own, other] = [price, cost].map((of) =>
      asObject(asList(asObject(of)?.['rows'])[Number(index)]),
    );
    if (JSON.stringify(own?.['when']) !== JSON.stringify(other?.['when'])) return null;
  }
  const value = itemAt(cost, path)?.value ?? NOT_SOLD;
  return value === NOT_SOLD ? null : value;
}

/** Returns the product, rounded half up to at most `decimals` places. */
export function product(
  price: string,
  factor: string,
  decimals: number,
): { readonly text: string; readonly isExact: boolean } {
  const exact = parseAmount(price) * parseAmount(factor);
  const step = 10n ** BigInt(2 * PICO_DECIMALS - decimals);
  const count = (exact + step / 2n) / step;
  return { text: decimalText(count, decimals), isExact: exact % step === 0n };
}

/** Formats `count` times 10^-decimals without trailing zeros, but with at least two decimals. */
function decimalText(count: bigint, decimals: number): string {
  const digits = count.toString().padStart(decimals + 1, '0');
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    digits.slice(digits.length - decimals),
  ];
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Whether two prices are the same amount, such as `5` and `5.00`. */
export const isSame = (one: string, other: string): boolean =>
  one === other || (isPrice(one) && isPrice(other) && parseAmount(one) === parseAmount(other));

const PRICE = /^\d{1,9}(?:\.(\d+))?$/;

/** Whether a text is a price with at most `decimals` decimal places. */
export const isPrice = (text: string, decimals = PICO_DECIMALS): boolean =>
  (PRICE.exec(text)?.[1]?.length ?? 0) <= decimals && PRICE.test(text);

/** Whether a text is a factor above zero, with at most six decimal places. */
export const isFactor = (text: string): boolean =>
  isPrice(text, TOKEN_DECIMALS) && parseAmount(text) > 0n;

/** A changed price in the configuration, read from its path. */
export type ChangedPrice = Place & { readonly path: readonly string[] };

/** Parses the path of a changed price. Model names may contain dots. Null for other paths. */
export function changedPrice(path: string, models: Models): ChangedPrice | null {
  for (const place of placesOf(models)) {
    const start = `models.${place.model}.channels.${place.channel}.price.`;
    if (path.startsWith(start)) return { ...place, path: path.slice(start.length).split('.') };
  }
  return null;
}

/** Formats the value of a changed setting for display. The API returns the value as JSON. */
export function shownValue(json: string | null): string | null {
  if (json === null) return null;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    // A long value is truncated, so it is not valid JSON.
    return json;
  }
}

/** Returns the conditions of a row as a text, such as `tier: priority, prompt_over: 200000`. */
export function conditionsOf(price: unknown, index: string): string {
  const when = asObject(asList(asObject(price)?.['rows'])[Number(index)])?.['when'];
  if (!isObject(when)) return '';
  return Object.entries(when)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('; ');
}
