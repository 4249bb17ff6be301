/**
 * Reads the data to move from OpenRouter: the models that were used, with their prices, and the
 * keys, with their limits but with new secrets. All data comes from files that OpenRouter provides.
 */
import type { Secret } from '../../config/secret.ts';
import type { NanoAmount } from '../../money/amount.ts';
import { type Left, type MoveIn, NO_SETTINGS } from '../move-in.ts';
import { UnknownSource } from '../source-tables.ts';
import { activityOf } from './openrouter-activity.ts';
import { keyListOf, keysOf } from './openrouter-keys.ts';
import { modelListOf, OPENROUTER_UPSTREAM, usedModels } from './openrouter-models.ts';

export type OpenRouterSource = {
  /** The CSV from OpenRouter's page "Activity"; null if it is not given. */
  readonly activity: string | null;
  /** The parsed answer of `GET /api/v1/models`; null if it is not given. */
  readonly models: unknown;
  /** The parsed answer of `GET /api/v1/keys`; null if it is not given. */
  readonly keys: unknown;
  /** The name of the account that gets the keys. */
  readonly account: string;
  /** The key with which the gateway will call OpenRouter; null if it is not given. */
  readonly apiKey: Secret | null;
  /** The credit in USD that the account gets; null for none. */
  readonly credit: NanoAmount | null;
  readonly nowMs: number;
  readonly newSecret: () => Secret;
};

export const OPENROUTER = 'openrouter';
const API_KEY = 'OPENROUTER_API_KEY';

/**
 * Converts the files.
 * @throws UnknownSource, with a message for the operator, if a file cannot be read.
 */
export function moveInFromOpenRouter(source: OpenRouterSource): MoveIn {
  const catalogue = catalogueOf(source);
  const read = keysIn(source);
  const hasModels = Object.keys(catalogue.models).length > 0;
  const account = {
    ...{ ref: `account/${source.account}`, name: source.account, suspended: false },
    ...{ priceList: null, limits: {}, people: [], keys: read.keys },
    credits:
      source.credit === null
        ? []
        : [{ ref: `credit/${source.account}`, currency: 'USD' as const, amount: source.credit }],
  };
  const isUsed = hasModels && source.apiKey !== null;
  return {
    source: OPENROUTER,
    accounts: read.keys.length === 0 ? [] : [account],
    settings: hasModels
      ? { ...NO_SETTINGS, upstreams: OPENROUTER_UPSTREAM, models: catalogue.models }
      : NO_SETTINGS,
    secrets: new Map(isUsed && source.apiKey !== null ? [[API_KEY, source.apiKey]] : []),
    left: [...catalogue.left, ...read.left, ...(hasModels ? unsetKey(source) : [])],
    newKeys: read.secrets,
  };
}

const unsetKey = ({ apiKey }: OpenRouterSource): readonly Left[] =>
  apiKey !== null
    ? []
    : [
        {
          what: 'secret',
          name: API_KEY,
          reason:
            'Its environment variable is not set here. If the secret is not stored yet, run `modelgate secrets set NAME`.',
        },
      ];

function catalogueOf({ activity: text, models }: OpenRouterSource) {
  if (text === null) return { models: {}, left: [] };
  const activity = activityOf(text);
  const list = models === null ? null : modelListOf(models);
  if (list === null)
    throw new UnknownSource(
      models === null
        ? 'The activity export has no prices. Save https://openrouter.ai/api/v1/models and name the file with --models.'
        : 'The --models file is not the list from https://openrouter.ai/api/v1/models.',
    );
  const used = usedModels(list, activity);
  const history = {
    what: 'request',
    name: `${activity.requests} requests`,
    reason: 'The history of requests is not imported.',
  };
  return { models: used.models, left: [...used.left, history] };
}

function keysIn({ keys, activity, nowMs, newSecret }: OpenRouterSource) {
  if (keys === null) {
    const names = activity === null ? [] : activityOf(activity).keyNames;
    const reason =
      'The activity export has only the name of the key. Save https://openrouter.ai/api/v1/keys and name the file with --keys.';
    const left = names.map((name) => ({ what: 'key', name, reason }));
    return { keys: [], secrets: new Map<string, Secret>(), left };
  }
  const list = keyListOf(keys);
  if (list === null)
    throw new UnknownSource(
      'The --keys file is not the list from https://openrouter.ai/api/v1/keys.',
    );
  return keysOf(list, nowMs, newSecret);
}
