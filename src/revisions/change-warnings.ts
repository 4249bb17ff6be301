/** Warns about settings changes that would break something or look like mistakes. */
import { limitsOf } from '../accounts/limits/limits.ts';
import { withLater } from '../catalogue/announced.ts';
import { type BelowCost, belowCostSteps } from '../catalogue/below-cost.ts';
import type { Catalogue, ChannelName, Model } from '../catalogue/catalogue.ts';
import type { Config } from '../config/config.ts';
import type { Document } from '../config/document/document.ts';
import { plainSecrets } from '../config/document/document-secrets.ts';
import type { Steps } from '../config/document/steps.ts';
import { valueAt } from '../config/schema-path.ts';
import { formatFee, formatTokenPrice, parsePico } from '../money/price.ts';
import { BUCKET_COLUMNS } from '../money/usage.ts';
import type { UnreachableUpstream } from '../routing/connected-upstreams.ts';
import { text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, statement } from '../store/sql.ts';

/**
 * The kinds of warnings. A change is refused until all its warnings with `needsConfirmation` are
 * confirmed.
 */
export const WARNINGS = {
  /** A model is no longer sold, or only on price lists. Its receipts and price cards are kept. */
  model_removed: { needsConfirmation: false },
  channel_removed: { needsConfirmation: false },
  /** An API key or account is limited to models or channels that would all be removed. */
  limited_to_removed: { needsConfirmation: true },
  below_cost: { needsConfirmation: true },
  price_zero: { needsConfirmation: true },
  /** A price, a factor or an exchange rate changes by more than `MAX_FACTOR`. */
  price_jump: { needsConfirmation: true },
  /** An announced price, which the change does not touch, will replace the changed price. */
  announced_kept: { needsConfirmation: false },
  /** A model's answers may be longer than its context window. */
  output_over_context: { needsConfirmation: false },
  /** The change would store a secret unencrypted in the database. */
  plain_secret: { needsConfirmation: false },
  /** The host of an upstream cannot be resolved from this node. */
  upstream_unreachable: { needsConfirmation: false },
  /** A changed setting refers to a secret that is not set, or that this node cannot decrypt. */
  secret_missing: { needsConfirmation: false },
} as const;
export type WarningCode = keyof typeof WARNINGS;
export const WARNING_CODES = Object.keys(WARNINGS) as readonly WarningCode[];

export type Warning = {
  readonly code: WarningCode;
  /** The setting, such as `models.gen-x`. */
  readonly path: string;
  readonly message: string;
};

/**
 * Prices that change by a larger factor get a warning, because of a likely misplaced decimal point.
 */
const MAX_FACTOR = 10n;
/**
 * Maximum keys, and maximum accounts, whose limits are checked. Warnings name at most `MAX_NAMED`.
 */
const MAX_LIMITED = 10_000;
const MAX_NAMED = 20;

/**
 * A check that yields warnings. It also yields null where it may pause, because it may check
 * thousands of models.
 */
export type Warnings = Generator<Warning | null>;

/**
 * Collects the warnings of all checks. Yields wherever a check yields null, so that waiting
 * requests can run.
 */
export function* warningSteps(...all: readonly Warnings[]): Steps<readonly Warning[]> {
  const found: Warning[] = [];
  for (const warnings of all) {
    for (const each of warnings) {
      if (each === null) yield;
      else found.push(each);
    }
  }
  return found;
}

/** Yields the warnings about settings that need no catalogue. */
export function* settingWarnings(before: Document, after: Document): Warnings {
  yield* priceWarnings(before, after);
  yield* outputWarnings(before, after);
  yield* plainSecretWarnings(after);
}

/** Yields a warning for each secret in plain text in a document. */
function* plainSecretWarnings(document: Document): Warnings {
  for (const path of plainSecrets(document)) {
    yield {
      code: 'plain_secret',
      path: path.map(String).join('.'),
      message:
        'would be stored unencrypted; store it with `modelgate secrets set NAME`, and refer to it by name',
    };
  }
}

/**
 * Yields a warning for each price, factor of a price list or exchange rate that becomes zero or
 * changes by more than `MAX_FACTOR`. An announced price is compared with the price that it will
 * replace.
 */
export function* priceWarnings(before: Document, after: Document): Warnings {
  yield* pricesIn(valueAt(before, ['fx']), valueAt(after, ['fx']), ['fx']);
  yield* modelPrices(before, after, []);
  for (const [name, list] of Object.entries(Object(after['price_lists']))) {
    const path = ['price_lists', name];
    const factor = valueAt(list, ['factor']);
    yield* pricesIn(valueAt(before, [...path, 'factor']) ?? '1', factor, [...path, 'factor']);
    yield* modelPrices(before, after, path);
  }
}

/**
 * Yields price warnings of the models at this path: the public models, or those of a price list.
 */
function* modelPrices(before: Document, after: Document, place: readonly string[]): Warnings {
  const models = valueAt(after, [...place, 'models']);
  for (const [model, settings] of Object.entries(Object(models))) {
    yield null;
    for (const [name, channel] of Object.entries(Object(valueAt(settings, ['channels'])))) {
      const path = [...place, 'models', model, 'channels', name];
      const was = valueAt(before, path);
      const price = valueAt(channel, ['price']);
      yield* pricesIn(valueAt(was, ['price']), price, [...path, 'price']);
      const [known, announced] = [listAt(was), listAt(channel)];
      const isKept = (each: unknown) => known.some((old) => Bun.deepEquals(old, each));
      const next = announced[0];
      if (isKept(next) && !Bun.deepEquals(valueAt(was, ['price']), price)) {
        const at = String(valueAt(next, ['effective_from']));
        const message = `stays as announced, and replaces the changed price from ${at} on`;
        yield { code: 'announced_kept', path: [...path, 'upcoming', '0'].join('.'), message };
      }
      for (const [index, each] of announced.entries()) {
        if (isKept(each)) continue;
        const replaced = index === 0 ? price : announced[index - 1];
        yield* pricesIn(replaced, each, [...path, 'upcoming', String(index)]);
      }
    }
  }
}

/** Yields a warning for each changed model with more output than its context window holds. */
export function* outputWarnings(before: Document, after: Document): Warnings {
  for (const [id, model] of Object.entries(Object(after['models']))) {
    yield null;
    const [output, context] = ['max_output', 'context_window'].map((key) => valueAt(model, [key]));
    if (typeof output !== 'number' || typeof context !== 'number' || output <= context) continue;
    if (Bun.deepEquals(valueAt(before, ['models', id]), model)) continue;
    const path = `models.${id}.max_output`;
    const message = `is ${output}, more than the context window of ${context} tokens holds`;
    yield { code: 'output_over_context', path, message };
  }
}

const listAt = (channel: unknown): readonly unknown[] => {
  const upcoming = valueAt(channel, ['upcoming']);
  return Array.isArray(upcoming) ? upcoming : [];
};

function* pricesIn(was: unknown, is: unknown, path: readonly string[]): Generator<Warning> {
  if (typeof is === 'object' && is !== null) {
    for (const [key, value] of Object.entries(is))
      yield* pricesIn(valueAt(was, [key]), value, [...path, key]);
    return;
  }
  const [old, now] = [picoOf(was), picoOf(is)];
  if (now === null || old === now) return;
  const at = path.join('.');
  const from = old === null ? '' : `, from ${formatFee(old)}`;
  if (now === 0n) {
    yield { code: 'price_zero', path: at, message: `becomes 0${from}: it would be free` };
  } else if (old !== null && old !== 0n && (now > old * MAX_FACTOR || old > now * MAX_FACTOR)) {
    const message = `changes by more than a factor of ${MAX_FACTOR}${from} to ${formatFee(now)}`;
    yield { code: 'price_jump', path: at, message };
  }
}

const picoOf = (value: unknown): bigint | null =>
  typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? parsePico(value) : null;

/**
 * Yields a warning for each model or channel that is no longer sold, and for each new price below
 * its cost.
 */
export function* catalogueWarnings(
  before: Catalogue,
  after: Catalogue,
  isChanged: (model: string) => boolean,
): Warnings {
  for (const [id, model] of before.all) {
    yield null;
    const path = `models.${id}`;
    const next = after.all.get(id);
    if (next === undefined) {
      yield { code: 'model_removed', path, message: 'is no longer sold; requests for it get 404' };
      continue;
    }
    const [open, nextOpen] = [before.models.get(id), after.models.get(id)];
    if (open !== undefined && nextOpen === undefined) {
      const message = 'is sold only on price lists; requests of all other accounts get 404';
      yield { code: 'model_removed', path, message };
    }
    const then = `requests for it go to the channel ${next.defaultChannel}, or get 400 if they allow no fallbacks`;
    for (const name of model.channels.keys()) {
      const at = { code: 'channel_removed', path: `${path}.channels.${name}` } as const;
      if (!next.channels.has(name)) yield { ...at, message: `is no longer sold; ${then}` };
      else if (isLost(open, nextOpen, name))
        yield { ...at, message: `is sold only on price lists; for all other accounts, ${then}` };
    }
  }
  for (const id of after.models.keys()) {
    yield null;
    if (isChanged(id)) yield* lossWarnings(before, after, null, id);
  }
}

/** Whether a model is still sold after the change, but no longer on this channel. */
const isLost = (before: Model | undefined, after: Model | undefined, name: ChannelName): boolean =>
  before?.channels.has(name) === true && after?.channels.has(name) === false;

/**
 * Yields a warning for each model or channel that a price list no longer sells, and for each price
 * on the list that is below its cost.
 */
export function* listWarnings(
  before: Catalogue,
  after: Catalogue,
  isChanged: (list: string, model: string) => boolean,
): Warnings {
  for (const [name, { models }] of after.lists) {
    for (const [id, was] of before.lists.get(name)?.models ?? []) {
      yield null;
      const [whole, is] = [after.all.get(id), models.get(id)];
      if (whole === undefined) continue;
      const path = `price_lists.${name}.models.${id}`;
      if (is === undefined) {
        const message = 'is no longer sold to the accounts of this list; their requests get 404';
        yield { code: 'model_removed', path, message };
      }
      for (const channel of was.channels.keys()) {
        if (!whole.channels.has(channel) || !isLost(was, is, channel)) continue;
        const message = `is no longer sold to the accounts of this list; their requests for it go to the channel ${whole.defaultChannel}, or get 400 if they allow no fallbacks`;
        yield { code: 'channel_removed', path: `${path}.channels.${channel}`, message };
      }
    }
    for (const id of models.keys()) {
      yield null;
      if (isChanged(name, id)) yield* lossWarnings(before, after, name, id);
    }
  }
}

/**
 * Yields a warning for each new price of a model that is below its cost.
 * @param list the price list; null for the public prices.
 */
function* lossWarnings(
  before: Catalogue,
  after: Catalogue,
  list: string | null,
  id: string,
): Warnings {
  const known = new Set<string>();
  for (const each of list === null ? [null] : [list, null])
    for (const loss of lossesOf(before, each, id)) {
      if (loss === null) yield null;
      else known.add(loss.key);
    }
  const place = list === null ? '' : `price_lists.${list}.`;
  for (const loss of lossesOf(after, list, id)) {
    if (loss === null) {
      yield null;
      continue;
    }
    const { key, channel, item, pricePico, costPico, since } = loss;
    // A price that was below its cost before the change gets no new warning.
    if (known.has(key)) continue;
    known.add(key);
    const [price, cost] = [amountOf(item, pricePico), amountOf(item, costPico)];
    yield {
      code: 'below_cost',
      path: `${place}models.${id}.channels.${channel}`,
      message: `sells ${item} for ${price}, below its cost of ${cost}${since}`,
    };
  }
}

type Loss = BelowCost & { readonly key: string; readonly since: string };

/**
 * Yields the prices of a model below their costs, including announced prices, and null where it may
 * pause.
 */
function* lossesOf(catalogue: Catalogue, list: string | null, id: string): Generator<Loss | null> {
  let judged: Model | undefined;
  for (const each of withLater(catalogue)) {
    const model = (list === null ? each : each.lists.get(list))?.models.get(id);
    if (model === undefined || model === judged) continue;
    const since =
      judged === undefined ? '' : `, from ${new Date(each.loadedAtMs).toISOString()} on`;
    judged = model;
    const steps = belowCostSteps(model, each.loadedAtMs);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yield null;
    for (const it of step.value) {
      const key = [it.channel, it.item, it.pricePico, it.costPico].join(' ');
      yield { ...it, key, since };
    }
  }
}

/** Formats a price as in the configuration: per 1M tokens, or per use or image. */
const amountOf = (item: string, pico: bigint): string =>
  BUCKET_COLUMNS.some((column) => column === item)
    ? `${formatTokenPrice(pico)} per 1M tokens`
    : formatFee(pico);

/**
 * Returns a warning for the keys and accounts, at most `MAX_NAMED`, whose limits allow only removed
 * models or channels.
 */
export async function limitWarnings(
  sql: Pick<SqlExecutor, 'query'>,
  before: Catalogue,
  after: Catalogue,
): Promise<readonly Warning[]> {
  const [was, is] = [soldBy(before), soldBy(after)];
  const found: Warning[] = [];
  for (const { from, list: column, what } of LIMITED) {
    const rows = await sql.query(statement`
      SELECT l.id, l.name, l.limits, ${raw(column)} AS price_list FROM ${raw(from)}
      WHERE l.status = 'active' AND l.limits <> '{}' ORDER BY l.id LIMIT ${MAX_LIMITED}`);
    for (const row of rows) {
      const limits = limitsOf(text(row, 'limits'));
      const list = textOrNull(row, 'price_list');
      for (const kind of ['models', 'channels'] as const) {
        const allowed = limits[kind] ?? [];
        const isGone =
          allowed.some((name) => was(list)[kind].has(name)) &&
          !allowed.some((name) => is(list)[kind].has(name));
        if (found.length >= MAX_NAMED || !isGone) continue;
        const name = `${what} ${text(row, 'name')} (${text(row, 'id')})`;
        const gone = limits[kind]?.join(', ');
        const message = `${name} may only use the ${kind} ${gone}, and this change removes all of them`;
        found.push({ code: 'limited_to_removed', path: kind, message });
      }
    }
  }
  return found;
}

/**
 * The tables whose rows have limits (API keys and accounts), each with the column that has the
 * price list of the row's account.
 */
const LIMITED = [
  {
    from: 'api_key l JOIN account a ON a.id = l.account_id',
    list: 'a.price_list',
    what: 'the API key',
  },
  { from: 'account l', list: 'l.price_list', what: 'the account' },
] as const;

/**
 * Returns a function that maps the name of a price list to the models and channels that the list
 * sells. It maps null to those sold at public prices, and an unknown list to none.
 */
function soldBy(catalogue: Catalogue) {
  const known = new Map<string | null, ReturnType<typeof soldIn>>();
  return (list: string | null): ReturnType<typeof soldIn> => {
    const own = list === null ? catalogue : catalogue.lists.get(list);
    const sold = known.get(list) ?? soldIn(own ?? { models: new Map() });
    known.set(list, sold);
    return sold;
  };
}

const soldIn = ({ models }: Pick<Catalogue, 'models'>) => ({
  models: new Set(models.keys()),
  channels: new Set<string>([...models.values()].flatMap((model) => [...model.channels.keys()])),
});

export const unreachableWarning = ({ name, message }: UnreachableUpstream): Warning => ({
  code: 'upstream_unreachable',
  path: `upstreams.${name}.base_url`,
  message,
});

export const secretWarnings = (changed: Document, { secretUses }: Config): readonly Warning[] =>
  secretUses.flatMap(({ path, problem }) =>
    problem === null || valueAt(changed, path) === undefined
      ? []
      : [{ code: 'secret_missing', path: path.join('.'), message: problem } as const],
  );
