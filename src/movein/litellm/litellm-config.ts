/** Reads LiteLLM's `config.yaml`. */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { isSet, objectIn, textIn } from '../json-values.ts';
import type { Left } from '../move-in.ts';
import type { Deployment } from './deployments.ts';
import type { Variables } from './litellm-secrets.ts';

/** The credentials in `credential_list`, by the name that deployments refer to. */
export type NamedCredentials = ReadonlyMap<string, JsonObject>;

export type LiteLlmConfig = {
  readonly deployments: readonly Deployment[];
  readonly aliases: ReadonlyMap<string, string>;
  readonly credentials: NamedCredentials;
  /** The variables in `environment_variables`. LiteLLM adds them to its own environment. */
  readonly variables: Variables;
  readonly left: readonly Left[];
};

/** Reads the parsed file. @returns null if the file is not a configuration of LiteLLM. */
export function liteLlmConfig(file: unknown): LiteLlmConfig | null {
  const config = asJsonObject(file);
  if (config === null || !SECTIONS.some((name) => config[name] !== undefined)) return null;
  const router = objectIn(config, 'router_settings');
  const credentials = asArray(config['credential_list']).flatMap((each) => {
    const entry = asJsonObject(each) ?? {};
    const name = textIn(entry, 'credential_name');
    return name === null ? [] : [[name, objectIn(entry, 'credential_values')] as const];
  });
  const variables = Object.entries(objectIn(config, 'environment_variables')).flatMap(
    ([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []),
  );
  return {
    deployments: asArray(config['model_list']).flatMap((each) => deploymentOf(each) ?? []),
    aliases: aliasesIn(router),
    credentials: new Map(credentials),
    variables: Object.fromEntries(variables),
    left: [...leftIn(config), ...leftOfSettings(config)],
  };
}

const SECTIONS = ['model_list', 'litellm_settings', 'general_settings', 'router_settings'];
/**
 * Sections of the file that are read, or whose settings the report lists one by one. The report
 * lists any other section as a whole.
 */
const READ_SECTIONS = new Set([...SECTIONS, 'credential_list', 'environment_variables']);

/** Parses a row of `model_list`. Returns null if it has no name or no model. */
export function deploymentOf(row: unknown): Deployment | null {
  const entry = asJsonObject(row) ?? {};
  const name = textIn(entry, 'model_name');
  const params = objectIn(entry, 'litellm_params');
  if (name === null || textIn(params, 'model') === null) return null;
  // In older files, the limits of a deployment are in the row itself instead of in
  // `litellm_params`.
  const { model_name: _, litellm_params: __, model_info: ___, ...beside } = entry;
  return { name, params: { ...beside, ...params }, info: objectIn(entry, 'model_info') };
}

/**
 * Adds the values of a credential to the parameters of a deployment that names the credential.
 * Returns any other deployment unchanged.
 */
export function withCredentials(deployment: Deployment, known: NamedCredentials): Deployment {
  const name = textIn(deployment.params, 'litellm_credential_name');
  const values = name === null ? undefined : known.get(name);
  return values === undefined
    ? deployment
    : { ...deployment, params: { ...values, ...deployment.params } };
}

export const aliasesIn = (router: JsonObject): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(objectIn(router, 'model_group_alias')).flatMap(([alias, given]) => {
      const model = typeof given === 'string' ? given : textIn(asJsonObject(given) ?? {}, 'model');
      return model === null ? [] : [[alias, model] as const];
    }),
  );

const leftIn = (config: JsonObject): readonly Left[] =>
  Object.entries(config).flatMap(([name, value]) =>
    READ_SECTIONS.has(name) || !isSet(value)
      ? []
      : [{ what: 'section', name, reason: reasonOf(name) }],
  );

/** The reasons why settings of LiteLLM do not move, by setting. The report shows them. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['include', 'Included files are not read. Write all settings in a single file.'],
  ['master_key', 'The gateway has an administrator token of its own.'],
  ['database_url', 'The gateway has a database of its own.'],
  ['salt_key', 'The gateway has an encryption key of its own.'],
  [
    'fallbacks',
    'The gateway never answers with a model that was not requested. Give a model several routes instead.',
  ],
  ['context_window_fallbacks', 'The gateway never answers with a model that was not requested.'],
  ['default_fallbacks', 'The gateway never answers with a model that was not requested.'],
  ['content_policy_fallbacks', 'The gateway never answers with a model that was not requested.'],
  ['max_budget', 'There is no budget for the whole gateway. Accounts have limits.'],
  ['routing_strategy', 'Routes are chosen by priority, weight and health.'],
]);
const reasonOf = (name: string): string =>
  REASONS.get(name) ?? 'The gateway has no corresponding setting.';

/**
 * Settings that the report omits, because the import uses them, or because the gateway always
 * behaves as they demand.
 */
const SILENT = new Set([
  ...['drop_params', 'num_retries', 'request_timeout', 'store_model_in_db', 'model_group_alias'],
  ...[
    'set_verbose',
    'json_logs',
    'telemetry',
    'disable_spend_logs',
    'database_connection_pool_limit',
  ],
]);

/**
 * Returns every setting that does not move, except those in `SILENT`. The report lists all of them,
 * because some, such as guardrails, protect people.
 */
export const leftOfSettings = (config: JsonObject): readonly Left[] =>
  SECTIONS.slice(1).flatMap((section) =>
    Object.entries(objectIn(config, section)).flatMap(([name, value]) =>
      SILENT.has(name) || !isSet(value)
        ? []
        : [{ what: 'setting', name: `${section}.${name}`, reason: reasonOf(name) }],
    ),
  );
