/** The schema of `upstreams` in `modelgate.yaml`, which are the servers that routes lead to. */
import * as z from 'zod';
import { built } from './document/on-demand.ts';
import { decimal, TOOLS } from './price-schema.ts';
import { Secret } from './secret.ts';
import {
  baseUrl,
  count,
  deadline,
  droppedField,
  fieldName,
  headerName,
  headerText,
  type Immutable,
  optionalBaseUrl,
  secret,
  secrets,
  text,
  writtenForms,
} from './values.ts';

const builtinUpstream = built(() =>
  z.strictObject({
    protocol: z.literal('builtin'),
    /** The speed of streams of the built-in upstream. 0 means without any delay. */
    tokens_per_second: count(0, 1_000_000).default(120),
  }),
);
const apiKey = built(() =>
  text()
    .transform((value) => (value === 'none' ? null : new Secret(value)))
    .register(secrets, { shown: ['none'] }),
);
/**
 * Headers that an operator cannot set: hop-by-hop headers, and headers that describe the body or
 * the caller.
 */
const OWN_HEADERS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|content-.*|accept|accept-encoding|cookie|traceparent|tracestate|forwarded|via|x-forwarded-.*|x-real-ip)$/i;
/** Additional headers for every request to the upstream. They may contain credentials. */
const headers = built(() =>
  z
    .record(
      headerName().refine(
        (name) => !OWN_HEADERS.test(name),
        'cannot be set: the gateway sets it itself',
      ),
      headerText(),
    )
    .register(secrets, { shown: [] })
    .default({}),
);
/** Server software and providers with known quirks, listed in `upstreams/known-servers.ts`. */
export const MAKES = [
  'generic',
  'openai',
  'anthropic',
  'deepseek',
  'vllm',
  'sglang',
  'ollama',
  'llama.cpp',
  'litellm',
  'openrouter',
  'moonshot',
  'xai',
  'gemini',
  'bedrock',
  'modelgate',
] as const;
export type UpstreamMake = (typeof MAKES)[number];
/** The providers whose usage reports the gateway can parse. */
export const REPORTS = ['openai', 'anthropic', 'openrouter'] as const;
export type ReportKind = (typeof REPORTS)[number];
const scalar = built(() => z.union([z.string(), z.number(), z.boolean()]));
/** The value that turns thinking off in a request field: a scalar, or an object of scalars. */
const switched = built(() =>
  z.union(
    [scalar(), z.record(fieldName(), scalar())],
    'write text, a number, true or false, or a map of these',
  ),
);
/** The quirks that an operator may set in the configuration. */
const quirks = built(() =>
  z
    .strictObject({
      drop: z.array(droppedField()).optional(),
      tier_header: headerName().toLowerCase().nullable().optional(),
      tool_uses: z.partialRecord(z.enum(TOOLS), z.array(text())).optional(),
      reported_cost: z
        .strictObject({ path: text(), decimals: count(0, 12).default(0) })
        .nullable()
        .optional(),
      on_disconnect: z.enum(['abort', 'abort_streams', 'read_on']).optional(),
      auto_cache: z.boolean().optional(),
      system_anywhere: z.boolean().optional(),
      max_tokens_field: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
      stream_options: z.boolean().optional(),
      developer_role: z.boolean().optional(),
      cached_tokens: z.array(text()).optional(),
      reasoning_outside: z.boolean().optional(),
      reasoning_fields: z.array(fieldName()).optional(),
      reasoning_back: fieldName().nullable().optional(),
      only_reasoning_back: z.boolean().optional(),
      reasoning_required: z.boolean().optional(),
      reasoning_effort: z.boolean().optional(),
      thinking_off: z.record(fieldName(), switched()).nullable().optional(),
      responses: z.boolean().optional(),
      image_response_format: z.boolean().optional(),
    })
    .prefault({}),
);
export type UpstreamQuirks = Immutable<z.output<ReturnType<typeof quirks>>>;

/** The name of a request field, or a beta feature in the header `anthropic-beta`. */
const passedName = built(() =>
  z
    .string()
    .regex(
      /^[a-z][a-z0-9_-]{0,63}$/,
      'write the name of a request field, or of a beta feature in the header anthropic-beta',
    ),
);

/** The request fields to pass on. The entry `all` means all fields; no field has this name. */
const pass = built(() =>
  z
    .union([z.literal('all'), z.array(passedName())], 'write all, or a list of request fields')
    .transform((given) => (given.includes('all') ? ('all' as const) : given))
    .register(writtenForms, { type: 'list' })
    .default([]),
);

/**
 * The settings for comparing the provider's usage reports with the receipts of this upstream, which
 * happens every night.
 */
const reconcile = built(() =>
  z.strictObject({
    /** The provider whose report format is used. Null means the provider in `make`. */
    report: z.enum(REPORTS).nullable().default(null),
    /**
     * A key with access to the usage of the whole organization. It differs from the upstream's
     * `api_key`.
     */
    admin_key: secret(),
    /** The base URL of the reports; null means the upstream's base URL. */
    base_url: optionalBaseUrl(),
    /** The provider's id of the API key to compare; null means all keys. */
    key_id: text().nullable().default(null),
    /** The provider's id of the project (or workspace) to compare; null means all. */
    project: text().nullable().default(null),
    /** The maximum difference in percent that causes no alert. */
    tolerance: decimal(2, '1').default('1'),
  }),
);

/** Authentication that signs each request with an AWS key (SigV4), as Bedrock requires. */
const awsSignIn = built(() =>
  z.strictObject({
    kind: z.literal('aws'),
    region: text(),
    /** The name of the AWS service, which the signature contains. */
    service: text().default('bedrock'),
    access_key_id: secret(),
    secret_access_key: secret(),
    /** The token of a temporary key, which the gateway does not renew; null for a permanent key. */
    session_token: secret().nullable().default(null),
  }),
);
const serviceAccountKey = built(() =>
  z.object({
    client_email: text(),
    private_key: text().startsWith('-----BEGIN PRIVATE KEY-----'),
    private_key_id: text().optional(),
  }),
);
const readServiceAccountKey = (value: string) => {
  try {
    return serviceAccountKey().safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
};
const googleCredentials = built(() =>
  text()
    .transform((value, context) => {
      const key = readServiceAccountKey(value);
      if (key === null) {
        context.addIssue('write the whole JSON text of a service account key');
        return z.NEVER;
      }
      const { client_email: email, private_key: privateKey, private_key_id: keyId = null } = key;
      return { email, keyId, privateKey: new Secret(privateKey) };
    })
    .register(secrets, {
      shown: [],
      standIn: '{"client_email":"-","private_key":"-----BEGIN PRIVATE KEY-----"}',
    }),
);
/** Authentication with access tokens, which the key of a service account obtains (Vertex AI). */
const googleSignIn = built(() =>
  z.strictObject({
    kind: z.literal('google'),
    credentials: googleCredentials(),
    token_url: baseUrl().default('https://oauth2.googleapis.com/token'),
    scope: text().default('https://www.googleapis.com/auth/cloud-platform'),
  }),
);
/**
 * Authentication with tokens of Microsoft Entra, which are obtained with the secret of an app
 * registration, as Azure requires.
 */
const azureSignIn = built(() =>
  z.strictObject({
    kind: z.literal('azure'),
    tenant_id: z.string().regex(/^[\w.-]{1,128}$/, 'write the id or the domain of the tenant'),
    client_id: text(),
    client_secret: secret(),
    authority: baseUrl().default('https://login.microsoftonline.com'),
    scope: text().default('https://cognitiveservices.azure.com/.default'),
  }),
);
const signIn = built(() =>
  z.discriminatedUnion('kind', [awsSignIn(), googleSignIn(), azureSignIn()]),
);
export type SignInSettings = Immutable<z.output<ReturnType<typeof signIn>>>;

const networkUpstream = built(() =>
  z.strictObject({
    /**
     * The protocol of the server. `responses` means that the server supports only the Responses
     * API, so that it can serve only callers of the Responses API.
     */
    protocol: z.enum(['openai', 'anthropic', 'responses']),
    base_url: baseUrl(),
    /** The API key for the upstream. `none` means that the server requires no authentication. */
    api_key: apiKey().optional(),
    /** How the gateway authenticates to an upstream that has no fixed API key. */
    sign_in: signIn().optional(),
    /** Whether the upstream's address may be in a private network. */
    allow_private: z.boolean().default(false),
    headers: headers(),
    /** The software or provider of the server, if known. It determines the quirks that apply. */
    make: z.enum(MAKES).default('generic'),
    /**
     * Request fields that are passed on although the gateway does not know what they cost. `all` is
     * suitable for a server that the operator runs.
     */
    pass: pass(),
    /** Quirks that add to those of `make`, or override them. */
    quirks: quirks(),
    connect_timeout: deadline().optional(),
    first_byte_timeout: deadline().optional(),
    reconcile: reconcile().optional(),
  }),
);
export const upstreamSchema = built(() =>
  z.discriminatedUnion('protocol', [builtinUpstream(), networkUpstream()]),
);
