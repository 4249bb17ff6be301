/** The schema of `upstreams` in `modelgate.yaml`: the servers behind the routes. */
import { z } from 'zod';
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
  secrets,
  text,
} from './values.ts';

const builtinUpstream = z.strictObject({
  protocol: z.literal('builtin'),
  /** Zero: as fast as possible. */
  tokens_per_second: count(0, 1_000_000).default(120),
});
const apiKey = text.transform((value) => (value === 'none' ? null : new Secret(value)));
secrets.add(apiKey, { shown: ['none'] });
/**
 * Hop-by-hop headers, and those that describe the body or the caller: the gateway sets them, or
 * nobody does.
 */
const OWN_HEADERS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|content-.*|accept|accept-encoding|cookie|traceparent|tracestate|forwarded|via|x-forwarded-.*|x-real-ip)$/i;
/** Sent with every request. They may contain credentials too. */
const headers = z
  .record(
    headerName.refine(
      (name) => !OWN_HEADERS.test(name),
      'cannot be set: the gateway sets it itself',
    ),
    headerText,
  )
  .default({});
secrets.add(headers.unwrap(), { shown: [] });
/** Servers with known quirks; `upstreams/known-servers.ts` has them. */
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
  'modelgate',
] as const;
export type UpstreamMake = (typeof MAKES)[number];
/** What an operator may set by hand. */
const quirks = z
  .strictObject({
    drop: z.array(droppedField).optional(),
    system_anywhere: z.boolean().optional(),
    max_tokens_field: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
    stream_options: z.boolean().optional(),
    developer_role: z.boolean().optional(),
    cached_tokens: z.array(text).optional(),
    reasoning_outside: z.boolean().optional(),
    reasoning_fields: z.array(fieldName).optional(),
    reasoning_back: fieldName.nullable().optional(),
    reasoning_required: z.boolean().optional(),
    reasoning_effort: z.boolean().optional(),
    image_response_format: z.boolean().optional(),
  })
  .prefault({});
export type UpstreamQuirks = Immutable<z.output<typeof quirks>>;

const networkUpstream = z.strictObject({
  protocol: z.enum(['openai', 'anthropic']),
  base_url: baseUrl,
  /** `none` for a server without authentication. */
  api_key: apiKey,
  /** Whether the address may be in a private network. */
  allow_private: z.boolean().default(false),
  headers,
  /** The server's software, if known: its quirks come with the name. */
  make: z.enum(MAKES).default('generic'),
  /** In addition to the quirks of `make`, or instead of them. */
  quirks,
  connect_timeout: deadline.optional(),
  first_byte_timeout: deadline.optional(),
});
export const upstreamSchema = z.discriminatedUnion('protocol', [builtinUpstream, networkUpstream]);
