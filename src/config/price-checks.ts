/**
 * Validates price rows. Every row must be able to apply to some request. If several rows match the
 * same request, one of them must take precedence.
 */
import {
  FACTS,
  intersection,
  isCovered,
  isWithin,
  PRICE_KEYS,
  type PriceRow,
  priceRows,
  smallestPrompt,
  timesExactly,
} from './price-rows.ts';
import {
  type ConditionSettings,
  chatPriceOf,
  imagePriceOf,
  NOT_SOLD,
  type TokenPriceSettings,
} from './price-schema.ts';
import type { Finding, Path } from './problem.ts';

/** The properties of a model that its prices are validated against. */
export type PriceSubject = {
  /**
   * The context window of a chat model; null for an image model. Also null if the context window is
   * invalid, which the schema reports.
   */
  readonly contextWindow: number | null;
  readonly calendars: readonly string[];
  /** The sizes and qualities of an image model; null for a chat model. */
  readonly drawn: { readonly size: readonly string[]; readonly quality: readonly string[] } | null;
  /**
   * The prices that a chat model must have because of its modalities, such as audio. Empty for an
   * image model or a cost.
   */
  readonly needed: readonly NeededPrice[];
};
type NeededPrice = {
  readonly key: 'audio_input' | 'audio_output' | 'image_output';
  readonly why: string;
};

/** Yields the problems of a price, unless the schema already reports problems of it. */
export function* priceChecks(
  given: unknown,
  path: Path,
  subject: PriceSubject,
): Generator<Finding> {
  const price = subject.drawn === null ? chatPriceOf(given) : imagePriceOf(given);
  if (price === null) return;
  for (const { key, why } of subject.needed) {
    const isListed = price[key] !== undefined && price[key] !== NOT_SOLD;
    if (!isListed) yield { path: [...path, key], message: `is missing: ${why}` };
  }
  for (const [index, { when }] of price.rows.entries())
    yield* conditionChecks(price, when, [...path, 'rows', index, 'when'], subject);
  for (const [index, { when }] of price.times.entries())
    yield* conditionChecks(price, when, [...path, 'times', index, 'when'], subject);
  yield* rowChecks(price, path);
  yield* multipleChecks(price, path);
  yield* admitChecks(price, path);
}

/** Yields problems of conditions that contradict each other, or never hold for this model. */
function* conditionChecks(
  price: TokenPriceSettings,
  when: ConditionSettings,
  path: Path,
  { contextWindow, calendars, drawn }: PriceSubject,
): Generator<Finding> {
  const at = (key: keyof ConditionSettings, message: string): Finding => ({
    path: [...path, key],
    message,
  });
  for (const name of FACTS) {
    for (const value of when[name] ?? []) {
      const renamed = price.names[name]?.[value];
      if (value === 'auto')
        yield at(name, 'is auto, which no provider reports; write the values that it stands for');
      else if (renamed !== undefined)
        yield at(
          name,
          `can never be ${value}, because names.${name} maps this value to ${renamed}; write ${renamed}`,
        );
      else if (name === 'size' || name === 'quality') {
        const unknown = notOffered(value, name, drawn);
        if (unknown !== null) yield at(name, `can never be ${value}: ${unknown}`);
      }
    }
  }
  if (when.prompt_over !== undefined && when.prompt_from !== undefined)
    yield at('prompt_from', 'cannot be combined with prompt_over; write one of them');
  else if (contextWindow !== null && smallestPrompt(when) > contextWindow)
    yield at(
      when.prompt_over === undefined ? 'prompt_from' : 'prompt_over',
      `can never apply: the context window is ${contextWindow}`,
    );
  if (when.from !== undefined && when.until !== undefined && when.from >= when.until)
    yield at('until', 'is not after `from`, so the row can never apply');
  for (const [index, one] of (when.hours ?? []).entries()) {
    const other = when.hours?.findIndex(({ from, to }) => from < one.to && one.from < to) ?? index;
    if (other < index)
      yield { path: [...path, 'hours', index], message: 'overlaps the hours before it' };
  }
  for (const name of when.not_on ?? []) {
    if (calendars.includes(name)) continue;
    const known =
      calendars.length === 0 ? 'no calendar is defined' : `known: ${calendars.join(', ')}`;
    yield at('not_on', `there is no calendar "${name}" under \`calendars\`; ${known}`);
  }
}

/** Returns why an image model does not offer this size or quality; null if it offers it. */
export function notOffered(
  value: string,
  fact: 'size' | 'quality',
  drawn: PriceSubject['drawn'],
): string | null {
  const offered = drawn?.[fact] ?? [];
  const key = fact === 'size' ? 'sizes' : 'qualities';
  if (offered.length === 0) return `list it under \`${key}\` of the model`;
  if (offered.some((each) => each.toLowerCase() === value)) return null;
  return `the model offers ${offered.join(', ')}; add it to \`${key}\`, or write one of these`;
}

/**
 * Yields a problem for each row that can never apply, for each row that lacks a price, and for each
 * `scale` that makes inexact prices. Also yields the problems from `overlapChecks`.
 */
function* rowChecks(price: TokenPriceSettings, path: Path): Generator<Finding> {
  const rows = priceRows(price);
  for (const [index, given] of price.rows.entries()) {
    const at = [...path, 'rows', index];
    const own = rows.filter((row) => row.index === index);
    if (own.length === 0) {
      yield {
        path: at,
        message:
          'has no effect: no row with prices can apply under the same conditions, or later rows replace the scaled prices',
      };
      continue;
    }
    const [inexact] = own.flatMap((row) => row.inexact);
    if (inexact !== undefined)
      yield {
        path: [...at, 'scale'],
        message: `gives the price ${inexact} more than 6 decimals; write prices in this row instead of a scale`,
      };
    if (Object.keys(given.when).length === 0) {
      yield {
        path: [...at, 'when'],
        message: 'has no conditions, so no row before it could apply',
      };
      continue;
    }
    if (own.every((row) => isCovered(row, rows)))
      yield { path: at, message: 'can never apply: a later row applies to the same requests' };
    if (given.scale !== undefined || given.input === NOT_SOLD) continue;
    for (const key of PRICE_KEYS) {
      if (price[key] === undefined || given[key] !== undefined) continue;
      const remedy = `write a price, or "${NOT_SOLD}" if these tokens are not sold under these conditions`;
      yield {
        path: [...at, key],
        message: `is missing, although the price without conditions has it; ${remedy}`,
      };
    }
  }
  yield* overlapChecks(rows, path);
}

/**
 * Yields a problem for each row that overlaps an earlier row: some of its requests also match the
 * earlier row, and others do not. An overlap is no problem if a third, later row matches all
 * requests that match both rows, because that row sets their price.
 */
function* overlapChecks(rows: readonly PriceRow[], path: Path): Generator<Finding> {
  for (const [position, later] of rows.entries()) {
    for (const earlier of rows.slice(0, position)) {
      const both = intersection(earlier.when, later.when);
      if (both === null || isWithin(later.when, earlier.when)) continue;
      const isDecided = rows.slice(position + 1).some((row) => isWithin(both, row.when));
      if (isDecided || isCovered(earlier, rows)) continue;
      yield {
        path: [...path, 'rows', later.index ?? 0],
        message: `applies to some of the same requests as ${nameOf(earlier)}; add a last row that has the conditions of both, and its prices, or "${NOT_SOLD}" for not sold`,
      };
      break;
    }
  }
}

const nameOf = ({ index }: PriceRow): string =>
  index === null ? 'the price without conditions' : `rows.${index}`;

/**
 * The maximum number of decimals of a token price. With six decimals, a price per 1M tokens is a
 * whole number of pico-units per token.
 */
const TOKEN_PRICE_DECIMALS = 6;
/**
 * The maximum number of decimals of a fee. With twelve decimals, the fee for one use is a whole
 * number of pico-units.
 */
const FEE_DECIMALS = 12;

/**
 * Yields a problem for each multiple (`times`) that makes a price with too many decimals. Such a
 * price cannot be counted in whole pico-units.
 */
function* multipleChecks(price: TokenPriceSettings, path: Path): Generator<Finding> {
  const rows = priceRows(price);
  const models = Object.values(price.models).map((prices) => ({ when: {}, prices }));
  for (const applies of ['tokens', 'fees'] as const) {
    const decimals = applies === 'tokens' ? TOKEN_PRICE_DECIMALS : FEE_DECIMALS;
    const listed =
      applies === 'tokens'
        ? [...rows, ...models].flatMap(({ when, prices }) =>
            PRICE_KEYS.map((key) => ({ when, key: String(key), text: prices[key] })),
          )
        : Object.entries(price.fees).map(([key, text]) => ({ when: {}, key, text }));
    for (const { indexes, when, multiples } of products(price, applies)) {
      const inexact = listed.find(
        (each) =>
          each.text !== undefined &&
          each.text !== NOT_SOLD &&
          intersection(each.when, when) !== null &&
          timesExactly(each.text, multiples, decimals) === null,
      );
      const last = indexes.at(-1);
      if (inexact === undefined || last === undefined) continue;
      yield {
        path: [...path, 'times', last, applies],
        message: `gives the price ${inexact.key} too many decimals to be charged exactly; write rows with prices instead`,
      };
    }
  }
}

type Product = {
  readonly indexes: readonly number[];
  readonly when: ConditionSettings;
  readonly multiples: readonly string[];
};

/**
 * Returns each combination of entries in `times` that can apply to the same request. Each
 * combination has the multiples of its entries, for tokens or for fees.
 */
function products(price: TokenPriceSettings, applies: 'tokens' | 'fees'): readonly Product[] {
  let found: readonly Product[] = [{ indexes: [], when: {}, multiples: [] }];
  for (const [index, each] of price.times.entries()) {
    const multiple = each[applies];
    if (multiple === undefined) continue;
    const more = found.flatMap(({ indexes, when, multiples }): Product[] => {
      const both = intersection(when, each.when);
      if (both === null) return [];
      return [{ indexes: [...indexes, index], when: both, multiples: [...multiples, multiple] }];
    });
    found = [...found, ...more];
  }
  return found.filter(({ indexes }) => indexes.length > 0);
}

/**
 * Yields a problem for each tier, speed, region or tool that callers may request but that has no
 * price, and for each tool whose number of uses has no limit.
 */
function* admitChecks(price: TokenPriceSettings, path: Path): Generator<Finding> {
  const { admit, names, fees, limits } = price;
  for (const name of ['tier', 'speed', 'geo'] as const) {
    const priced = [...price.rows, ...price.times].flatMap(({ when }) => when[name] ?? []);
    for (const [index, value] of admit[name].entries()) {
      const known = names[name][value] ?? value;
      if (known === 'auto' || BASE.includes(known) || priced.includes(known)) continue;
      yield {
        path: [...path, 'admit', name, index],
        message: `has no price: add an entry to \`rows\` or \`times\` with when: { ${name}: ${known} }`,
      };
    }
  }
  for (const [index, tool] of admit.tools.entries()) {
    const at = [...path, 'admit', 'tools', index];
    if (fees[tool] === undefined)
      yield {
        path: at,
        message: `has no fee: add fees.${tool}; write "0" if the provider charges only for tokens`,
      };
    if (UNLIMITED.includes(tool) && limits.uses[tool] === undefined)
      yield {
        path: at,
        message: `has no limit: add limits.uses.${tool}, because no request field can limit how often a request uses this tool`,
      };
  }
}

/**
 * Tools whose number of uses a request cannot limit, because no protocol has a field for such a
 * limit.
 */
const UNLIMITED: readonly string[] = ['file_search', 'code_execution', 'x_search', 'maps'];

/** The default tier, speed and region of the providers. Prices without conditions apply to them. */
const BASE: readonly string[] = ['default', 'standard', 'global'];
