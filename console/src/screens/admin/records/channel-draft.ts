/**
 * The values of the form for a channel: its routes, its cost, its price lists, and the prices of a
 * new channel.
 */
import { asList, asObject, asText, type JsonObject } from '#api/json.ts';
import { CHANNELS, type ChannelName } from '#catalogue/models.ts';
import {
  edited,
  isPrice,
  itemAt,
  itemsOf,
  NOT_SOLD,
  NOTES,
  type PriceItem,
} from '#screens/admin/prices/price-edit.ts';

export type RouteDraft = {
  readonly upstream: string;
  /** The upstream's name for the model. */
  readonly model: string;
  readonly priority: string;
  readonly weight: string;
  readonly drop: string[];
};
/** The form's values. Amounts are texts as typed, in the order of `itemsIn` and `costItems`. */
export type ChannelDraft = {
  readonly channel: ChannelName;
  readonly prices: string[];
  readonly costs: string[];
  /** If not empty, only accounts on these price lists may use the channel. */
  readonly onlyOn: string[];
  readonly routes: RouteDraft[];
};

/** The model that the form starts with, and the channel to edit; null for a new channel. */
export type Opened = { readonly model: JsonObject; readonly channel: ChannelName | null };

const MAX_WEIGHT = 1_000_000;
const MAX_PRIORITY = 100;

const channelOf = (model: JsonObject, name: string): JsonObject | null =>
  asObject(asObject(model['channels'])?.[name]);

export const channelsIn = (model: JsonObject): readonly ChannelName[] =>
  CHANNELS.filter((name) => channelOf(model, name) !== null);

export const missingChannels = (model: JsonObject): readonly ChannelName[] =>
  CHANNELS.filter((name) => channelOf(model, name) === null);

export const routesOf = (model: JsonObject, channel: string): readonly RouteDraft[] =>
  asList(channelOf(model, channel)?.['routes']).map((route) => {
    const { upstream, model: there, priority = 1, weight = 1, drop } = asObject(route) ?? {};
    return {
      ...{ upstream: asText(upstream), model: asText(there) },
      ...{ priority: String(priority), weight: String(weight) },
      drop: asList(drop).map(String),
    };
  });

/** Returns the channel's current price; for a new channel, the default channel's price. */
function basePrice({ model, channel }: Opened): JsonObject {
  const price = asObject(channelOf(model, channel ?? asText(model['default_channel']))?.['price']);
  const entries = Object.entries(price ?? {});
  return Object.fromEntries(entries.filter(([key]) => !NOTES.includes(key)));
}

/** Returns all initial prices, including fees and rows with conditions. */
export const itemsIn = (opened: Opened): readonly PriceItem[] => itemsOf(basePrice(opened));

/** The prices whose cost the form asks for: those without conditions. */
export const costItems = (opened: Opened): readonly PriceItem[] =>
  itemsIn(opened).filter(({ path }) => path.length === 1 || path[0] === 'per_image');

/** Whether the channel may be limited to price lists. The default channel is open to all. */
export const mayBeListed = ({ model, channel }: Opened): boolean =>
  channel !== asText(model['default_channel']);

const listsOf = ({ model, channel }: Opened): string[] =>
  channel === null ? [] : asList(channelOf(model, channel)?.['only_on']).map(String);

export function draftOf(opened: Opened): ChannelDraft {
  const { model, channel } = opened;
  const cost = channel === null ? undefined : channelOf(model, channel)?.['cost'];
  const isNew = channel === null;
  return {
    channel: channel ?? missingChannels(model)[0] ?? 'direct',
    prices: itemsIn(opened).map(({ value }) => value),
    costs: costItems(opened).map(({ path }) => itemAt(cost, path)?.value ?? ''),
    onlyOn: listsOf(opened),
    routes: isNew ? [NEW_ROUTE] : [...routesOf(model, channel)],
  };
}

export const NEW_ROUTE: RouteDraft = {
  ...{ upstream: '', model: '', priority: '1', weight: '1' },
  drop: [],
};

const isCount = (typed: string, max: number): boolean =>
  /^[1-9]\d{0,6}$/.test(typed) && Number(typed) <= max;

export type DraftProblem =
  | 'noUpstream'
  | 'noName'
  | 'noPriority'
  | 'noWeight'
  | 'noRoute'
  | 'notPrice';

/** Returns the errors of the form, by field. */
export function draftProblems(
  draft: ChannelDraft,
  opened: Opened,
): Readonly<Record<string, DraftProblem>> {
  const found: Record<string, DraftProblem> = {};
  if (draft.routes.length === 0) found['routes'] = 'noRoute';
  for (const [at, { upstream, model, priority, weight }] of draft.routes.entries()) {
    if (upstream === '') found[`routes.${at}.upstream`] = 'noUpstream';
    if (model.trim() === '') found[`routes.${at}.model`] = 'noName';
    if (!isCount(priority, MAX_PRIORITY)) found[`routes.${at}.priority`] = 'noPriority';
    if (!isCount(weight, MAX_WEIGHT)) found[`routes.${at}.weight`] = 'noWeight';
  }
  const isWrong = (text: string, { decimals }: PriceItem): boolean =>
    !(text === NOT_SOLD || isPrice(text, decimals));
  for (const [at, item] of (opened.channel === null ? itemsIn(opened) : []).entries()) {
    if (isWrong(draft.prices[at]?.trim() ?? '', item)) found[`prices.${at}`] = 'notPrice';
  }
  for (const [at, item] of costItems(opened).entries()) {
    const text = draft.costs[at]?.trim() ?? '';
    if (text !== '' && isWrong(text, item)) found[`costs.${at}`] = 'notPrice';
  }
  return found;
}

/** Returns the merge patch that adds or changes the channel of a model. */
export function channelPatch(id: string, opened: Opened, draft: ChannelDraft): JsonObject {
  const isNew = opened.channel === null;
  const edits = itemsIn(opened).map(({ path }, at) => ({
    path,
    value: draft.prices[at]?.trim() ?? '',
  }));
  const price = isNew ? { price: edited(basePrice(opened), edits) } : {};
  const routes = draft.routes.map(({ upstream, model, priority, weight, drop }) => ({
    ...{ upstream, model: model.trim() },
    ...(priority === '1' ? {} : { priority: Number(priority) }),
    ...(weight === '1' ? {} : { weight: Number(weight) }),
    ...(drop.length === 0 ? {} : { drop: [...drop] }),
  }));
  const lists = listsOf(opened);
  const isListed = draft.onlyOn.join('\n') !== lists.join('\n');
  const onlyOn = isListed ? { only_on: draft.onlyOn.length === 0 ? null : draft.onlyOn } : {};
  const channel = { ...onlyOn, ...price, ...costPatch(opened, draft), routes };
  return { models: { [id]: { channels: { [draft.channel]: channel } } } };
}

/** Returns the patch of the cost. A cost without any amount is removed with its conditions. */
function costPatch(opened: Opened, { costs }: ChannelDraft): JsonObject {
  const { model, channel } = opened;
  const before = channel === null ? null : asObject(channelOf(model, channel)?.['cost']);
  const edits = costItems(opened).map(({ path }, at) => ({
    path,
    value: costs[at]?.trim() || null,
  }));
  const isUnchanged = edits.every(
    ({ path, value }) => (itemAt(before, path)?.value ?? null) === value,
  );
  if (isUnchanged) return {};
  if (edits.every(({ value }) => value === null)) return { cost: null };
  const after = asObject(edited(before ?? {}, edits)) ?? {};
  // Removes the notes about the cost, such as its source, because they describe the earlier
  // amounts.
  const removed = Object.keys(before ?? {}).filter((key) => !(key in after) || NOTES.includes(key));
  return { cost: { ...after, ...Object.fromEntries(removed.map((key) => [key, null])) } };
}
