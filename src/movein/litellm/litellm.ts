/** Reads the data to move from LiteLLM: from its `config.yaml`, its database, or both. */
import type { Secret } from '../../config/secret.ts';
import type { JsonObject } from '../../json/object.ts';
import type { NanoAmount } from '../../money/amount.ts';
import { objectIn, textIn, textsIn } from '../json-values.ts';
import { type Left, type MoveIn, NO_SETTINGS } from '../move-in.ts';
import { UnknownSource } from '../source-tables.ts';
import { type Decrypt, decryptedTexts, decryptWith } from './decrypt.ts';
import type { Deployment } from './deployments.ts';
import { accountsOf } from './litellm-accounts.ts';
import {
  aliasesIn,
  deploymentOf,
  type LiteLlmConfig,
  leftOfSettings,
  liteLlmConfig,
  withCredentials,
} from './litellm-config.ts';
import type { LiteLlmDatabase } from './litellm-database.ts';
import type { ModelNames } from './litellm-limits.ts';
import { modelsOf } from './litellm-models.ts';
import type { PriceFile } from './litellm-prices.ts';
import { SecretBook, type Variables } from './litellm-secrets.ts';

export type LiteLlmSource = {
  /** The parsed `config.yaml`; null if it is not given. */
  readonly config: unknown;
  readonly database: LiteLlmDatabase | null;
  /** `LITELLM_SALT_KEY`, or the master key; null if it is not given. */
  readonly saltKey: Secret | null;
  readonly prices: PriceFile | null;
  /** The environment variables to which `os.environ/NAME` refers. */
  readonly variables: Variables;
  /** The credit in USD that each account gets, because LiteLLM has no balances; null for none. */
  readonly credit: NanoAmount | null;
  readonly nowMs: number;
};

export const LITELLM = 'litellm';

/**
 * Converts the source.
 * @throws UnknownSource, with a message for the operator, if the source cannot be read.
 */
export function moveInFromLiteLlm(source: LiteLlmSource): MoveIn {
  const file = source.config === null ? EMPTY : liteLlmConfig(source.config);
  if (file === null)
    throw new UnknownSource(
      'The file is not a config.yaml of LiteLLM: it has neither model_list nor settings.',
    );
  const stored = source.database === null ? EMPTY : storedConfig(source.database, source.saltKey);
  const variables = { ...stored.variables, ...file.variables, ...source.variables };
  const secrets = new SecretBook(variables);
  const credentials = new Map([...stored.credentials, ...file.credentials]);
  const deployments = [...file.deployments, ...stored.deployments].map((deployment) =>
    withCredentials(deployment, credentials),
  );
  const aliases = new Map([...file.aliases, ...stored.aliases]);
  const read = modelsOf({ deployments, aliases, prices: source.prices, variables, secrets });
  const people =
    source.database === null
      ? { accounts: [], left: [] }
      : accountsOf(source.database, { ...source, models: namesOf(deployments, aliases) });
  const { known, left: unset } = knownSecrets(secrets);
  return {
    source: LITELLM,
    accounts: people.accounts,
    settings: { ...NO_SETTINGS, upstreams: read.upstreams, models: read.models },
    secrets: known,
    left: [...file.left, ...stored.left, ...read.left, ...unset, ...people.left],
    newKeys: new Map(),
  };
}

const EMPTY: LiteLlmConfig = {
  ...{ deployments: [], aliases: new Map(), credentials: new Map(), variables: {}, left: [] },
};

/** Reads the settings and models that LiteLLM stores in its database. */
function storedConfig(database: LiteLlmDatabase, saltKey: Secret | null): LiteLlmConfig {
  const decrypt = saltKey === null ? null : decryptWith(saltKey);
  const params = new Map(
    database.config.map((row) => [textIn(row, 'param_name') ?? '', row] as const),
  );
  const settings = Object.fromEntries(
    [...params].map(([name, row]) => [name, objectIn(row, 'param_value')]),
  );
  const models = storedModels(database, decrypt);
  const environment = decryptedOf(settings['environment_variables'] ?? {}, decrypt) ?? {};
  const credentials = database.credentials.map((row) => {
    const values = decryptedOf(objectIn(row, 'credential_values'), decrypt) ?? {};
    return [textIn(row, 'credential_name') ?? '', values] as const;
  });
  return {
    deployments: models.deployments,
    aliases: aliasesIn(settings['router_settings'] ?? {}),
    credentials: new Map(credentials),
    variables: Object.fromEntries(
      Object.entries(environment).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
    left: [...models.left, ...leftOfSettings(settings), ...leftOfOthers(database)],
  };
}

const decryptedOf = (object: JsonObject, decrypt: Decrypt | null): JsonObject | null =>
  decrypt === null ? null : decryptedTexts(object, decrypt);

const NO_SALT_KEY =
  'Its settings are encrypted. Run again with the salt key or the master key (--salt-key-file).';

/**
 * Reads the models in LiteLLM's database.
 * @throws UnknownSource if the salt key can decrypt none of them.
 */
function storedModels({ models }: LiteLlmDatabase, decrypt: Decrypt | null) {
  const deployments: Deployment[] = [];
  const left: Left[] = [];
  for (const row of models) {
    const name = textIn(row, 'model_name') ?? '';
    const refusal = refusalOf(row);
    if (refusal !== null) {
      left.push({ what: 'model', name, reason: refusal });
      continue;
    }
    const params = decryptedOf(objectIn(row, 'litellm_params'), decrypt);
    const deployment =
      params === null ? null : deploymentOf({ ...rowOf(row), litellm_params: params });
    if (deployment !== null) deployments.push(deployment);
    else {
      const reason = decrypt === null ? NO_SALT_KEY : 'The salt key does not decrypt its settings.';
      left.push({ what: 'model', name, reason });
    }
  }
  if (decrypt !== null && models.length > 0 && deployments.length === 0 && left.some(isSealed))
    throw new UnknownSource(
      'The salt key decrypts none of the models. LiteLLM uses LITELLM_SALT_KEY, or else its master key.',
    );
  return { deployments, left };
}

function refusalOf(row: JsonObject): string | null {
  if (row['blocked'] === true) return 'The model is blocked in LiteLLM.';
  const isOfTeam = textIn(objectIn(row, 'model_info'), 'team_id') !== null;
  return isOfTeam ? 'It is for one team only. Use a price list for such a model.' : null;
}

const isSealed = ({ reason }: Left): boolean => reason.startsWith('The salt key');

/**
 * Returns the columns of a stored model that a row of `model_list` in the file also has, except the
 * encrypted parameters.
 */
const rowOf = (row: JsonObject): JsonObject => ({
  model_name: row['model_name'],
  model_info: row['model_info'],
});

function leftOfOthers({ endUsers, replacedTokens }: LiteLlmDatabase): readonly Left[] {
  return [
    ...endUsers.map((row) => ({
      what: 'customer',
      name: textIn(row, 'alias') ?? textIn(row, 'user_id') ?? '',
      reason: 'The gateway has no accounts for the customers of a caller.',
    })),
    ...replacedTokens.map((row) => ({
      what: 'replaced key',
      name: `${(textIn(row, 'token') ?? '').slice(0, 8)}…`,
      reason: 'It was rotated, and only the new key is imported.',
    })),
  ];
}

/** Returns the names of models, and of groups of models, that the limits of keys can contain. */
function namesOf(
  deployments: readonly Deployment[],
  aliases: ReadonlyMap<string, string>,
): ModelNames {
  const groups = new Map<string, string[]>();
  for (const { name, info } of deployments)
    for (const group of textsIn(info, 'access_groups'))
      groups.set(group, [...(groups.get(group) ?? []), name]);
  return {
    names: [...new Set([...deployments.map(({ name }) => name), ...aliases.keys()])],
    groups,
  };
}

const UNSET =
  'Its environment variable is not set here. If the secret is not stored yet, run `modelgate secrets set NAME`.';

function knownSecrets(book: SecretBook) {
  const known = new Map<string, Secret>();
  const left: Left[] = [];
  for (const [name, value] of book.secrets) {
    if (value !== null) known.set(name, value);
    else
      left.push({
        what: 'secret',
        name,
        reason: UNSET,
      });
  }
  return { known, left };
}
