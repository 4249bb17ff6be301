/** The shape of `modelgate.yaml`, strict: a key that nobody knows is a mistake, never ignored. */
import { z } from 'zod';
import { parseDuration, parseSize } from './units.ts';

/** A count of milliseconds, written `60m`. */
const duration = z
  .string({ error: 'write a duration such as 15s, 60m or 2h' })
  .transform((text, context) => {
    const ms = parseDuration(text);
    if (ms === null) context.addIssue('write a duration such as 15s, 60m or 2h');
    return ms ?? 0;
  });

/** A count of bytes, written `32MiB`. */
const size = z.string({ error: 'write a size such as 32MiB' }).transform((text, context) => {
  const bytes = parseSize(text);
  if (bytes === null) context.addIssue('write a size such as 32MiB');
  return bytes ?? 0;
});

const text = z.string({ error: 'write a text' }).min(1, 'must not be empty');
const count = (min: number, max: number) => {
  const error = `write a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, error).max(max, error);
};

/** Money as text, so that no reader ever takes it for a float. */
const price = z
  .string({ error: 'write the price in quotes, such as "5.00"' })
  .regex(/^\d{1,9}(\.\d+)?$/, {
    error: 'write a plain decimal such as "5.00": no sign, no exponent',
  });
/** Prices of tokens are exact to six decimals a million, so that a token has a whole number of picos. */
const tokenPrice = price.regex(/^\d+(\.\d{1,6})?$/, { error: 'write at most 6 decimals' });
const imagePrice = price.regex(/^\d+(\.\d{1,9})?$/, { error: 'write at most 9 decimals' });

const tokenPrices = z.strictObject({
  input: tokenPrice,
  output: tokenPrice,
  cache_read: tokenPrice.optional(),
  cache_write: tokenPrice.optional(),
  cache_write_1h: tokenPrice.optional(),
  currency: z.enum(['USD', 'CNY']).default('USD'),
  example: z.boolean().default(false),
});
const imagePrices = z.strictObject({
  per_image: z.record(
    z.string().regex(/^\d+x\d+(\/\w+)?$/, 'write WIDTHxHEIGHT or WIDTHxHEIGHT/quality'),
    imagePrice,
  ),
  currency: z.enum(['USD', 'CNY']).default('USD'),
  example: z.boolean().default(false),
});

const route = z.strictObject({
  upstream: text,
  model: text,
  weight: count(1, 1_000_000).default(1),
});
const channel = <Prices extends z.ZodType>(prices: Prices) =>
  z.strictObject({
    price: prices,
    cost: z
      .strictObject({ input: tokenPrice.optional(), output: tokenPrice.optional() })
      .optional(),
    routes: z.array(route).min(1, 'a channel needs at least one route'),
  });
const channels = <Prices extends z.ZodType>(prices: Prices) =>
  z.strictObject({
    direct: channel(prices).optional(),
    stable: channel(prices).optional(),
    economical: channel(prices).optional(),
  });

const model = {
  name: text.optional(),
  maker: text,
  release_date: z
    .string()
    .regex(/^\d{4}\/\d{2}\/\d{2}$/, 'write the date as YYYY/MM/DD')
    .nullable()
    .default(null),
  settlement: z.enum(['USD', 'CNY']).default('USD'),
  default_channel: z.enum(['direct', 'stable', 'economical']),
};
const modality = z.enum(['text', 'image', 'file', 'audio', 'video']);

export const chatModelSchema = z.strictObject({
  kind: z.literal('chat'),
  ...model,
  context_window: count(1, 100_000_000),
  max_output: count(1, 100_000_000),
  input: z.array(modality).min(1).default(['text']),
  output: z.array(modality).min(1).default(['text']),
  channels: channels(tokenPrices),
});
export const imageModelSchema = z.strictObject({
  kind: z.literal('image'),
  ...model,
  sizes: z.array(z.string().regex(/^\d{2,4}x\d{2,4}$/, 'write WIDTHxHEIGHT')).min(1),
  max_images: count(1, 10).default(10),
  qualities: z.array(text).default([]),
  styles: z.array(text).default([]),
  channels: channels(imagePrices),
});
const modelSchema = z.discriminatedUnion('kind', [chatModelSchema, imageModelSchema], {
  error: 'write kind: chat or kind: image',
});

const builtinUpstream = z.strictObject({
  protocol: z.literal('builtin'),
  /** Zero: as fast as possible. */
  tokens_per_second: count(0, 1_000_000).default(120),
});
const networkUpstream = z.strictObject({
  protocol: z.enum(['openai', 'anthropic']),
  base_url: z.url({ protocol: /^https?$/, error: 'write an http or https address' }),
  api_key: z.string().default('none'),
  allow_private: z.boolean().default(false),
  headers: z.record(text, text).default({}),
  first_byte_timeout: duration.optional(),
});
const upstreamSchema = z.discriminatedUnion('protocol', [builtinUpstream, networkUpstream], {
  error: 'write protocol: builtin, openai or anthropic',
});

const imagesSchema = z.discriminatedUnion('store', [
  z.strictObject({ store: z.literal('local'), url_ttl: duration.prefault('60m') }),
  z.strictObject({
    store: z.literal('s3'),
    bucket: text,
    endpoint: z.url({ protocol: /^https?$/, error: 'write an http or https address' }),
    region: text.optional(),
    access_key_id: text,
    secret_access_key: text,
    prefix: text.optional(),
    url_ttl: duration.prefault('60m'),
  }),
]);

const limitsSchema = z.strictObject({
  /** Silence on a stream after which a keep-alive is sent. */
  keep_alive: duration.prefault('15s'),
  /** How long a shutdown waits for streams to finish. */
  drain: duration.prefault('30s'),
  /** How long an upstream may take to answer at all. */
  first_byte_timeout: duration.prefault('5m'),
  /** How long the status line of a stream waits for its first event, so that early failures have a status. */
  first_event_hold: duration.prefault('10s'),
  /** How long an upstream may fall silent within a stream. */
  idle_timeout: duration.prefault('2m'),
  /** How long a caller may leave a stream unread. */
  stall_timeout: duration.prefault('2m'),
  /** The longest a request may take in all. */
  total_timeout: duration.prefault('60m'),
  /** The longest answer in one piece. */
  answer_size: size.prefault('64MiB'),
  /** The longest event of a stream. */
  event_size: size.prefault('8MiB'),
});

export const fileSchema = z.strictObject({
  listen: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/, 'write HOST:PORT')
    .default('127.0.0.1:8787'),
  public_url: z.url({ protocol: /^https?$/, error: 'write an http or https address' }).optional(),
  data_dir: text.default('./data'),
  database: z
    .union([z.literal('sqlite'), z.string().regex(/^postgres(ql)?:\/\//)], {
      error: 'write sqlite or a postgres:// address',
    })
    .default('sqlite'),
  images: imagesSchema.prefault({ store: 'local' }),
  chat: z
    .strictObject({ stream_default: z.enum(['negotiate', 'always', 'never']).default('negotiate') })
    .prefault({}),
  catalogue: z.strictObject({ public: z.boolean().default(true) }).prefault({}),
  limits: limitsSchema.prefault({}),
  log: z
    .strictObject({ level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info') })
    .prefault({}),
  fx: z
    .record(
      z.string().regex(/^(?:USD\/CNY|CNY\/USD)$/, 'write a pair such as USD/CNY'),
      z.string().regex(/^\d+(\.\d{1,8})?$/, {
        error: 'write the rate in quotes, such as "7.1000", with at most 8 decimals',
      }),
    )
    .default({}),
  upstreams: z.record(text, upstreamSchema),
  models: z.record(
    z
      .string()
      .regex(/^[\w.:/-]{1,128}$/, 'a model id is letters, digits, "-", "_", ".", ":" or "/"'),
    modelSchema,
  ),
});

export type FileSettings = z.output<typeof fileSchema>;
export type ModelSettings = FileSettings['models'][string];
export type UpstreamSettings = FileSettings['upstreams'][string];
export type ImageStoreSettings = FileSettings['images'];
