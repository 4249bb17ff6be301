/** Converts the channels of one-api and new-api to upstreams and routes. Has no side effects. */
import { isBaseUrl, isPrivateHost } from '../../config/address.ts';
import { Secret } from '../../config/secret.ts';
import type { Left, MovedSettings } from '../move-in.ts';
import { type SourceRow, shownName, textIn, wholeIn } from '../source-tables.ts';
import { DEFAULT_GROUP } from './one-api-groups.ts';
import { type OneApiProvider, oneApiProvider } from './one-api-providers.ts';
import type { OneApi } from './one-api-tables.ts';

const ENABLED = 1n;
/** Maximum keys of a channel. A channel becomes one upstream for each of its keys. */
const MAX_CHANNEL_KEYS = 20;
const MAX_WEIGHT = 1_000_000n;
/** Matches a key that can be sent in a header. */
const SENDABLE = /^[!-~]+$/;

export type OneApiRoute = {
  readonly upstream: string;
  /** The model's name at the provider. */
  readonly model: string;
  /** The kind of the channel, a number of the source. */
  readonly kind: bigint;
  readonly weight: number;
  /** The route's priority at the source, where the highest number comes first. */
  readonly priority: bigint;
  readonly protocol: OneApiProvider['protocol'];
};

export type OneApiChannels = {
  readonly upstreams: MovedSettings['upstreams'];
  readonly secrets: ReadonlyMap<string, Secret>;
  /** The routes by model name. Contains only routes that the source's default group may use. */
  readonly routes: ReadonlyMap<string, readonly OneApiRoute[]>;
  readonly left: readonly Left[];
};

type Found = {
  readonly upstreams: Record<string, Readonly<Record<string, unknown>>>;
  readonly secrets: Map<string, Secret>;
  readonly routes: Map<string, OneApiRoute[]>;
  readonly left: Left[];
};

export function oneApiChannels(source: OneApi): OneApiChannels {
  const found: Found = { upstreams: {}, secrets: new Map(), routes: new Map(), left: [] };
  for (const channel of source.channels) {
    const name = shownName(textIn(channel, 'name'), `channel ${textIn(channel, 'id')}`);
    const reason = addChannel(source, channel, found);
    if (reason !== null) found.left.push({ what: 'channel', name, reason });
  }
  return found;
}

/**
 * Adds the upstreams and routes of a channel to `found`. Returns the reason if the channel cannot
 * move; null if it moves.
 */
function addChannel(source: OneApi, channel: SourceRow, found: Found): string | null {
  if (wholeIn(channel, 'status', ENABLED) !== ENABLED) return 'The channel is not enabled.';
  const groups = (textIn(channel, 'group') || DEFAULT_GROUP).split(',').map((it) => it.trim());
  if (!groups.includes(DEFAULT_GROUP))
    return 'It does not serve the default group. Add it by hand, with `only_on` on its models.';
  const kind = wholeIn(channel, 'type');
  const provider = oneApiProvider(source.isNewApi ? 'new-api' : 'one-api', Number(kind));
  if (provider === null)
    return `Its type ${kind} uses a protocol that the gateway does not support. See docs/guides.`;
  const address = addressOf(channel, provider);
  if (address === null) return 'Its address is not a base URL to which paths can be appended.';
  const keys = keysOf(channel);
  if (keys.length === 0 && provider.needsKey) return 'It has no enabled key.';
  if (keys.length > MAX_CHANNEL_KEYS) return `It has more than ${MAX_CHANNEL_KEYS} keys.`;
  if (keys.some((key) => !SENDABLE.test(key)))
    return 'Its key has characters that a header cannot contain.';
  const mapping = mappingOf(channel);
  if (mapping === null) return 'Its model mapping is not a JSON object of strings.';
  noteOverrides(channel, found.left);
  const upstreams = keys.length === 0 ? [null] : keys;
  for (const [at, key] of upstreams.entries()) {
    const name = upstreamName(channel, at);
    found.upstreams[name] = upstreamOf(provider, address, name, key, found.secrets);
    addRoutes(channel, mapping, { name, provider, kind }, found.routes);
  }
  return null;
}

/** Returns the base URL of a channel; null if it is missing or invalid. */
function addressOf(channel: SourceRow, { address, path, isWholeUrl }: OneApiProvider) {
  const written = textIn(channel, 'base_url').trim().replace(/\/+$/, '');
  if (isWholeUrl === true) {
    const [, base = null] = /^(.*)\/chat\/completions$/.exec(written) ?? [];
    return base !== null && isBaseUrl(base) ? base : null;
  }
  const base = `${written === '' ? address : written}${path}`;
  return isBaseUrl(base) ? base : null;
}

/**
 * Returns the enabled keys of a channel. new-api can store several keys as lines or as JSON, each
 * with a status.
 */
function keysOf(channel: SourceRow): readonly string[] {
  const written = textIn(channel, 'key').trim();
  const info: unknown = jsonOf(textIn(channel, 'channel_info') || '{}');
  const { is_multi_key: isMulti, multi_key_status_list: states } = Object(info);
  if (isMulti !== true) return written === '' ? [] : [written];
  const listed = written.startsWith('[') ? jsonOf(written) : null;
  const keys = Array.isArray(listed) ? listed.map(String) : written.split('\n');
  return keys
    .map((key) => key.trim())
    .filter((key, at) => key !== '' && (Object(states)[at] ?? 1) === 1);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Returns, by model name, the names under which the channel requests models from its provider.
 * Returns null if the channel's setting is invalid.
 */
function mappingOf(channel: SourceRow): ReadonlyMap<string, string> | null {
  const written = textIn(channel, 'model_mapping').trim();
  const parsed = jsonOf(written === '' ? '{}' : written);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  const entries = Object.entries(parsed);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    return null;
  return new Map(entries);
}

/**
 * Settings of a channel that change requests or answers. The gateway's upstreams have no such
 * settings.
 */
const OVERRIDES = ['param_override', 'header_override', 'system_prompt', 'status_code_mapping'];

function noteOverrides(channel: SourceRow, left: Left[]): void {
  for (const column of OVERRIDES) {
    const written = textIn(channel, column).trim();
    if (written === '' || written === '{}') continue;
    const name = shownName(textIn(channel, 'name'), `channel ${textIn(channel, 'id')}`);
    left.push({
      what: `\`${column}\``,
      name,
      reason: 'The channel is imported without this setting.',
    });
  }
}

/**
 * Returns the name of an upstream. It is made of the channel's name and id, so that it is the same
 * in every run.
 */
function upstreamName(channel: SourceRow, at: number): string {
  const plain = textIn(channel, 'name')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  const id = textIn(channel, 'id');
  return `${plain === '' ? 'channel' : plain}-${id}${at === 0 ? '' : `-${at + 1}`}`;
}

function upstreamOf(
  { protocol, make }: OneApiProvider,
  address: string,
  name: string,
  key: string | null,
  secrets: Map<string, Secret>,
): Readonly<Record<string, unknown>> {
  const secret = `channel-${name}`;
  if (key !== null) secrets.set(secret, new Secret(key));
  return {
    ...{ protocol, make, base_url: address },
    api_key: key === null ? 'none' : `\${secret:${secret}}`,
    ...(isPrivateHost(new URL(address).hostname) ? { allow_private: true } : {}),
  };
}

function addRoutes(
  channel: SourceRow,
  mapping: ReadonlyMap<string, string>,
  upstream: Pick<OneApiRoute, 'kind'> & {
    readonly name: string;
    readonly provider: OneApiProvider;
  },
  routes: Map<string, OneApiRoute[]>,
): void {
  const models = textIn(channel, 'models')
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== '');
  const weight = wholeIn(channel, 'weight');
  for (const model of new Set(models)) {
    const route: OneApiRoute = {
      upstream: upstream.name,
      model: mapping.get(model) ?? model,
      kind: upstream.kind,
      weight: Number(weight < 1n ? 1n : weight > MAX_WEIGHT ? MAX_WEIGHT : weight),
      priority: wholeIn(channel, 'priority'),
      protocol: upstream.provider.protocol,
    };
    routes.set(model, [...(routes.get(model) ?? []), route]);
  }
}
