/** Converts a deployment of LiteLLM to an upstream: the server, its key, and the model's name. */
import { isBaseUrl, isPrivateHost } from '../../config/address.ts';
import type { JsonObject } from '../../json/object.ts';
import { isSet, textIn } from '../json-values.ts';
import { KEYLESS, LITELLM_PROVIDERS, type LiteLlmProvider } from './litellm-providers.ts';
import { resolved, type SecretBook, type Variables } from './litellm-secrets.ts';

/** A deployment: a row of `model_list` in the file, or of the database table of models. */
export type Deployment = {
  /** The model name that callers use. */
  readonly name: string;
  readonly params: JsonObject;
  readonly info: JsonObject;
};

/**
 * The settings of an upstream and the model's name there, or the reason why the deployment cannot
 * become an upstream.
 */
export type Target =
  | { readonly settings: JsonObject; readonly model: string }
  | { readonly reason: string };

export type TargetContext = { readonly variables: Variables; readonly secrets: SecretBook };
type Place = TargetContext & { readonly params: JsonObject; readonly model: string };

/** Converts a deployment. @param model the model's name without the provider's prefix. */
export function targetOf(
  { params }: Deployment,
  provider: string | null,
  model: string,
  context: TargetContext,
): Target {
  const place = { ...context, params, model };
  if (provider === null) return { reason: 'its provider is unknown' };
  if (provider === 'azure') return azureTarget(place);
  if (provider === 'bedrock') return bedrockTarget(place);
  if (provider === 'vertex_ai') return vertexTarget(place);
  const known = LITELLM_PROVIDERS.get(provider);
  if (known === undefined)
    return { reason: `the gateway does not speak the protocol of ${provider}` };
  return serverTarget(place, provider, known);
}

function serverTarget(place: Place, provider: string, known: LiteLlmProvider): Target {
  const base = addressIn(place, 'api_base', 'base_url');
  if (base !== null && 'reason' in base) return base;
  const url = base === null ? known.baseUrl : withSuffix(cleaned(base.url, known), known.suffix);
  if (url === null) return { reason: `${provider} needs an api_base` };
  // Sets `make`, the provider's name, only if the address is the provider's own. A server at
  // another address may run other software.
  const isOwn = known.baseUrl === null || known.suffix !== '' || sameHost(url, known.baseUrl);
  const settings = {
    protocol: known.protocol,
    ...(isOwn && known.make !== 'generic' ? { make: known.make } : {}),
    base_url: url,
    ...privacyOf(url),
    api_key: keyOf(place, provider, known),
  };
  const isShort = provider === 'fireworks_ai' && !place.model.startsWith('accounts/');
  return { settings, model: isShort ? `accounts/fireworks/models/${place.model}` : place.model };
}

function keyOf({ params, secrets }: Place, provider: string, known: LiteLlmProvider): string {
  const given = textIn(params, 'api_key');
  const name = known.keyVariable ?? `${provider.toUpperCase()}_API_KEY`;
  if (given !== null) return given === 'none' ? 'none' : secrets.reference(given, name);
  if (known.keyVariable === null || KEYLESS.has(provider)) return 'none';
  return secrets.reference(`os.environ/${known.keyVariable}`, name);
}

/**
 * Converts a deployment at Azure. Its URL gets Azure's OpenAI-compatible path, instead of Azure's
 * own path and API version.
 */
function azureTarget({ params, model, secrets, variables }: Place): Target {
  const base = addressIn({ params, variables }, 'api_base', 'base_url');
  if (base === null) return { reason: 'azure needs an api_base' };
  if ('reason' in base) return base;
  const url = `${new URL(base.url).origin}/openai/v1`;
  const settings = { protocol: 'openai', make: 'openai', base_url: url, ...privacyOf(url) };
  const deployment = model.replace(/^(?:o_series|gpt5_series|responses)\//, '');
  const tenant = valueIn({ params, variables }, 'tenant_id');
  const client = valueIn({ params, variables }, 'client_id');
  const clientSecret = textIn(params, 'client_secret');
  if (tenant !== null && client !== null && clientSecret !== null) {
    const secret = secrets.reference(clientSecret, 'AZURE_CLIENT_SECRET');
    const signIn = { kind: 'azure', tenant_id: tenant, client_id: client, client_secret: secret };
    return { settings: { ...settings, sign_in: signIn }, model: deployment };
  }
  if (isSet(params['azure_ad_token'])) return { reason: 'it signs in with a token that expires' };
  const key = textIn(params, 'api_key') ?? 'os.environ/AZURE_API_KEY';
  const apiKey = secrets.reference(key, 'AZURE_API_KEY');
  return { settings: { ...settings, api_key: apiKey }, model: deployment };
}

/** Settings for methods of signing in to AWS that the gateway does not support. */
const AWS_SIGN_INS = ['aws_role_name', 'aws_profile_name', 'aws_web_identity_token'];

function bedrockTarget({ params, model, secrets, variables }: Place): Target {
  const parts =
    /^(?:(?:converse|invoke|converse_like|openai)\/)?(?:([a-z]{2}(?:-[a-z]+)+-\d)\/)?(.+)$/;
  const [, ownRegion, id = model] = parts.exec(model) ?? [];
  if (id.startsWith('arn:') || id.includes('/'))
    return { reason: 'it is named by an ARN or a path' };
  const region = ownRegion ?? valueIn({ params, variables }, 'aws_region_name');
  const fallback = variables['AWS_REGION_NAME'] ?? variables['AWS_REGION'] ?? null;
  const place = region ?? fallback;
  if (place === null) return { reason: 'its AWS region is not given' };
  const isClaude = id.includes('anthropic.');
  const settings = {
    protocol: isClaude ? 'anthropic' : 'openai',
    make: isClaude ? 'anthropic' : 'bedrock',
    base_url: `https://bedrock-runtime.${place}.amazonaws.com/${isClaude ? 'anthropic' : 'openai/v1'}`,
  };
  const key = textIn(params, 'api_key');
  if (key !== null) {
    const apiKey = secrets.reference(key, 'AWS_BEARER_TOKEN_BEDROCK');
    return { settings: { ...settings, api_key: apiKey }, model: id };
  }
  const signIn = AWS_SIGN_INS.find((name) => isSet(params[name]));
  if (signIn !== undefined) return { reason: `it signs in to AWS by ${signIn}` };
  const of = (name: string, variable: string): string =>
    secrets.reference(textIn(params, name) ?? `os.environ/${variable}`, variable);
  const aws = {
    kind: 'aws',
    region: place,
    access_key_id: of('aws_access_key_id', 'AWS_ACCESS_KEY_ID'),
    secret_access_key: of('aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY'),
    ...(isSet(params['aws_session_token'])
      ? { session_token: of('aws_session_token', 'AWS_SESSION_TOKEN') }
      : {}),
  };
  return { settings: { ...settings, sign_in: aws }, model: id };
}

function vertexTarget({ params, model, secrets, variables }: Place): Target {
  if (!/^gemini-/.test(model)) return { reason: 'only Gemini can be called on Vertex AI' };
  const project = valueIn({ params, variables }, 'vertex_project');
  if (project === null) return { reason: 'its vertex_project is not given' };
  const location = valueIn({ params, variables }, 'vertex_location') ?? 'us-central1';
  const credentials = credentialsIn(params['vertex_credentials']);
  if (credentials === null) return { reason: 'its vertex_credentials are not the text of a key' };
  const host = location === 'global' ? '' : `${location}-`;
  const path = `projects/${project}/locations/${location}/endpoints/openapi`;
  const signIn = {
    kind: 'google',
    credentials: credentials.startsWith('/')
      ? `\${file:${credentials}}`
      : secrets.reference(credentials, 'VERTEX_CREDENTIALS'),
  };
  const base_url = `https://${host}aiplatform.googleapis.com/v1/${path}`;
  const settings = { protocol: 'openai', make: 'gemini', base_url, sign_in: signIn };
  return { settings, model: `google/${model}` };
}

/**
 * Returns the Google credentials in `given`: JSON text, an absolute path, or a reference to an
 * environment variable. Without `given`, returns a reference to `GOOGLE_CREDENTIALS`. Returns null
 * for any other text.
 */
function credentialsIn(given: unknown): string | null {
  if (typeof given === 'object' && given !== null) return JSON.stringify(given);
  if (typeof given !== 'string') return 'os.environ/GOOGLE_CREDENTIALS';
  return /^(?:\{|\/|os\.environ\/)/.test(given) ? given : null;
}

type Read = Pick<Place, 'params' | 'variables'>;

/** Returns a setting that is not secret; null if it, or the variable that it names, is not set. */
function valueIn({ params, variables }: Read, name: string): string | null {
  const given = textIn(params, name);
  return given === null ? null : resolved(given, variables);
}

type Address = { readonly url: string } | { readonly reason: string } | null;

function addressIn({ params, variables }: Read, ...names: readonly string[]): Address {
  const given = names.map((name) => textIn(params, name)).find((each) => each !== null) ?? null;
  if (given === null) return null;
  const url = resolved(given, variables);
  if (url === null) return { reason: `its address is in ${given}, which is not set here` };
  if (!isBaseUrl(url.replace(/[?#].*$/, ''))) return { reason: 'its address is invalid' };
  return { url };
}

/** Removes a URL's ending that LiteLLM accepts but the gateway appends itself: `/v1/messages`. */
function cleaned(url: string, { protocol }: LiteLlmProvider): string {
  const bare = url.replace(/[?#].*$/, '').replace(/\/+$/, '');
  return protocol === 'anthropic'
    ? bare.replace(/\/v1(?:\/messages)?$/, '')
    : bare.replace(/\/chat\/completions$/, '');
}

const withSuffix = (url: string, suffix: string): string =>
  url.endsWith(suffix) ? url : url + suffix;

const sameHost = (one: string, other: string): boolean => new URL(one).host === new URL(other).host;

const privacyOf = (url: string): JsonObject =>
  isPrivateHost(new URL(url).hostname) ? { allow_private: true } : {};
