/** The schema of `modelgate.yaml`. It is strict: an unknown key is an error. */
import * as z from 'zod';
import { isBaseUrl, POSTGRES_FORM, parseListen, postgresServers } from './address.ts';
import { brandSchema } from './brand/brand-schema.ts';
import { alertSettings } from './document/alert-settings.ts';
import { consoleSettings } from './document/console-settings.ts';
import { limitSettings } from './document/limit-settings.ts';
import { mailSettings } from './document/mail-settings.ts';
import { built } from './document/on-demand.ts';
import { isDate } from './document/price-times.ts';
import { secretSettings } from './document/secret-settings.ts';
import { bound, imageOptions } from './image-options.ts';
import { priceListsSchema } from './lists/list-schema.ts';
import {
  calendarsSchema,
  decimal,
  embeddingPriceKeys,
  imagePriceKeys,
  priceNotes,
  tokenPriceKeys,
  upcomingPrices,
} from './price-schema.ts';
import { Secret } from './secret.ts';
import { backupSettings } from './storage/backup-settings.ts';
import { retentionSettings } from './storage/retention-settings.ts';
import { s3Settings } from './storage/s3-settings.ts';
import { upstreamSchema } from './upstream-schema.ts';
import {
  count,
  deadline,
  droppedField,
  duration,
  headerName,
  headerText,
  type Immutable,
  nodeName,
  optionalBaseUrl,
  parsed,
  secretOf,
  secrets,
  sharedSecret,
  text,
} from './values.ts';

const isOrigin = (url: string): boolean => isBaseUrl(url) && new URL(url).pathname === '/';

const example = built(() => z.boolean().default(false));
const noPrice = (issue: { readonly input?: unknown }): string | undefined =>
  issue.input === undefined ? 'is missing: every model needs a price' : undefined;

const route = built(() =>
  z.strictObject({
    upstream: text(),
    model: text(),
    weight: count(1, 1_000_000).default(1),
    /** The route's priority. A route is used only if no route with a lower number works. */
    priority: count(1, 100).default(1),
    /** Request fields not sent on this route, because the model at this upstream refuses them. */
    drop: z.array(droppedField()).default([]),
  }),
);
const onlyOn = built(() => z.array(text()).min(1, 'must name at least one price list').optional());
const channelsOf = <Keys extends z.core.$ZodShape>(priceKeys: Keys) => {
  const price = { ...priceKeys, ...priceNotes(), example: example() };
  const channel = z
    .strictObject({
      /** The price lists whose accounts may use the channel. If omitted, all accounts may. */
      only_on: onlyOn(),
      price: z.strictObject(price, { error: noPrice }),
      upcoming: upcomingPrices(price),
      /** The price that the operator pays the provider. Only administrators see it. */
      cost: z.strictObject({ ...priceKeys, ...priceNotes() }).optional(),
      routes: z.array(route()).min(1, 'a channel needs at least one route'),
    })
    .optional();
  return z.strictObject({ direct: channel, stable: channel, economical: channel });
};

const isReleaseDate = (date: string): boolean =>
  /^\d{4}\/\d{2}\/\d{2}$/.test(date) && isDate(date.replaceAll('/', '-'));

/** The maximum length of a description, which is shown on cards and in search results. */
const MAX_DESCRIPTION_CHARACTERS = 1000;
const MAX_TAGS = 8;
const MAX_TAG_CHARACTERS = 24;
const shortText = (characters: number) =>
  text().max(characters, `must have at most ${characters} characters`);
const description = built(() => shortText(MAX_DESCRIPTION_CHARACTERS));
const FORMS = 'write one text, or one for each language: { en: "...", zh: "..." }';

const model = built(() => ({
  name: text().optional(),
  maker: text(),
  /** A text about the model's strengths, or one text for each language of the console. */
  description: z
    .union([description(), z.strictObject({ en: description(), zh: description() })], FORMS)
    .nullable()
    .default(null),
  /** A few words that the model list can be filtered by, such as `code` or `long context`. */
  tags: z
    .array(shortText(MAX_TAG_CHARACTERS))
    .max(MAX_TAGS, `must have at most ${MAX_TAGS} entries`)
    .default([]),
  release_date: z
    .string()
    .refine(isReleaseDate, 'write the date as YYYY/MM/DD')
    .nullable()
    .default(null),
  settlement: z.enum(['USD', 'CNY']).default('USD'),
  default_channel: z.enum(['direct', 'stable', 'economical']),
  /** The price lists whose accounts may see and use the model. If omitted, all accounts may. */
  only_on: onlyOn(),
  /** The timeouts of this model. They override those in `limits`. */
  timeouts: z
    .strictObject({
      connect: deadline().optional(),
      first_byte: deadline().optional(),
      idle: deadline().optional(),
      total: deadline().optional(),
    })
    .prefault({}),
}));
const mediaBounds = built(() =>
  z
    .strictObject({
      image: bound(),
      page: bound(),
      document: bound(),
      audio_second: bound(),
      audio: bound(),
      video: bound(),
    })
    .prefault({}),
);
const modality = built(() => z.enum(['text', 'image', 'file', 'audio', 'video']));

const chatModel = built(() =>
  z.strictObject({
    kind: z.literal('chat'),
    ...model(),
    context_window: count(1, 100_000_000),
    max_output: count(1, 100_000_000),
    /** Whether the model always thinks but returns no thinking. Holds then cover `max_output`. */
    thinks_unseen: z.boolean().default(false),
    /** Maximum tokens that providers charge for each kind of media. Holds assume these maximums. */
    bounds: mediaBounds(),
    input: z.array(modality()).min(1).default(['text']),
    output: z.array(modality()).min(1).default(['text']),
    channels: channelsOf(tokenPriceKeys()),
  }),
);
const imageModel = built(() =>
  z.strictObject({
    kind: z.literal('image'),
    ...model(),
    ...imageOptions(),
    channels: channelsOf(imagePriceKeys()),
  }),
);
const embeddingModel = built(() =>
  z.strictObject({
    kind: z.literal('embedding'),
    ...model(),
    /** The maximum number of tokens in one input. */
    context_window: count(1, 100_000_000),
    /** The maximum number of inputs in a request. */
    max_inputs: count(1, 2048).default(2048),
    /** The maximum number of tokens in all inputs of a request together. */
    max_total_tokens: count(1, 100_000_000).default(300_000),
    dimensions: count(1, 65_536),
    /** The minimum number of dimensions that callers may request; null if they cannot choose. */
    min_dimensions: count(1, 65_536).nullable().default(null),
    channels: channelsOf(embeddingPriceKeys()),
  }),
);
export const modelSchema = built(() =>
  z.discriminatedUnion('kind', [chatModel(), imageModel(), embeddingModel()]),
);

const imagesSchema = built(() =>
  z.discriminatedUnion('store', [
    z.strictObject({ store: z.literal('local'), url_ttl: duration().prefault('60m') }),
    z.strictObject({
      store: z.literal('s3'),
      ...s3Settings(),
      url_ttl: duration().prefault('60m'),
    }),
  ]),
);

const postgresAddress = (given: string): Secret | null =>
  postgresServers(given) === null ? null : new Secret(given);
const database = built(() =>
  parsed(
    (given): 'sqlite' | Secret | null => (given === 'sqlite' ? given : postgresAddress(given)),
    `write sqlite or ${POSTGRES_FORM}`,
  ).register(secrets, { shown: ['sqlite'] }),
);
const databaseAddress = built(() =>
  parsed(postgresAddress, `write ${POSTGRES_FORM}`).register(secrets, { shown: [] }),
);

/** An exchange rate. For `USD/CNY`, it is the number of CNY that one USD buys. */
const rate = built(() =>
  decimal(8, '7.1000').refine((given) => !/^[0.]+$/.test(given), 'must be above zero'),
);

/** A positive amount in whole cents (USD) or fen (CNY), such as `20` or `20.50`. */
const price = built(() =>
  decimal(2, '20').refine((given) => !/^[0.]+$/.test(given), 'must be above zero'),
);
/** The maximum payment. The payment provider accepts amounts of at most eight digits, in cents. */
const MAX_PAYMENT = 999_999;
const paymentLimit = (preset: string) =>
  price()
    .refine((given) => Number(given) <= MAX_PAYMENT, `must be at most ${MAX_PAYMENT}`)
    .default(preset);

/** A percentage above 0 and at most 100, since a larger bonus would be a mistake. */
const percent = built(() =>
  decimal(4, '5')
    .refine((given) => !/^[0.]+$/.test(given), 'must be above zero')
    .refine((given) => Number(given) <= 100, 'must be at most 100'),
);
/** The maximum number of bonus levels per currency. All levels are shown before a payment. */
const MAX_BONUSES = 10;
const bonuses = built(() =>
  z
    .record(z.string().regex(/^\d{1,6}(?:\.\d{1,2})?$/, 'write an amount such as "100"'), percent())
    .refine(
      (steps) => Object.keys(steps).length <= MAX_BONUSES,
      `write at most ${MAX_BONUSES} amounts`,
    )
    .default({}),
);

const stripe = built(() =>
  z
    .strictObject({
      secret_key: sharedSecret(),
      /**
       * The secret with which Stripe signs its calls to the webhook `/webhooks/stripe`. Without it,
       * anyone could report payments that never happened.
       */
      webhook_secret: sharedSecret(),
      /** The minimum amount of a top-up, by currency. */
      min: z.strictObject({ USD: paymentLimit('5'), CNY: paymentLimit('35') }).prefault({}),
      /** The maximum amount of a top-up, by currency. */
      max: z.strictObject({ USD: paymentLimit('1000'), CNY: paymentLimit('7000') }).prefault({}),
      /** Base URL of a substitute for Stripe, such as stripe-mock; null for Stripe's public API. */
      api_base: z
        .string()
        .refine(
          isOrigin,
          'write an http or https address without a path, such as http://127.0.0.1:12111',
        )
        .nullable()
        .default(null),
    })
    .check((context) => {
      const { min, max } = context.value;
      for (const currency of ['USD', 'CNY'] as const) {
        if (Number(min[currency]) <= Number(max[currency])) continue;
        const message = `is more than max.${currency}`;
        context.issues.push({ code: 'custom', message, input: min, path: ['min', currency] });
      }
    }),
);

/** A header that a trace collector requires, such as a token. */
const headerSecret = built(() => secretOf(headerText()));

const SHARE = 'write a number from 0 (none) to 1 (all)';

const healthSettings = built(() =>
  z
    .strictObject({
      /** Whether a route must pass a test request after a long outage before callers use it. */
      probe: z.boolean().default(true),
      /** A test request (`probe`) is required after an outage of at least this duration. */
      probe_after: duration().prefault('30s'),
    })
    .prefault({}),
);

const tracingSettings = built(() =>
  z
    .strictObject({
      /** The base URL of an OTLP collector over HTTP, before `/v1/traces`; null for no traces. */
      endpoint: optionalBaseUrl(),
      headers: z.record(headerName(), headerSecret()).default({}),
      /**
       * The fraction of new traces to sample, from 0 to 1. If the caller has started the trace, the
       * caller decides whether it is sampled.
       */
      sample: z.number({ error: SHARE }).min(0, SHARE).max(1, SHARE).default(1),
      service_name: text().default('modelgate'),
    })
    .prefault({}),
);

const metricsSettings = built(() =>
  z
    .strictObject({
      /**
       * The address of a separate listener that serves `/metrics` without a token; null for no such
       * listener. At the gateway's own address, only administrators can read `/metrics`.
       */
      listen: parsed(parseListen, 'write HOST:PORT, such as 127.0.0.1:9464')
        .nullable()
        .default(null),
    })
    .prefault({}),
);

export const fileSchema = built(() =>
  z.strictObject({
    /** Where the settings are stored. Start settings, such as `listen`, are always in the file. */
    config: z.enum(['file', 'database']).default('file'),
    listen: parsed(parseListen, 'write HOST:PORT, such as 127.0.0.1:8787').prefault(
      '127.0.0.1:8787',
    ),
    /** Whether several processes on this machine listen on the same port, to use more cores. */
    share_port: z.boolean().default(false),
    /** The number of trusted proxies that append to X-Forwarded-For. Other entries are ignored. */
    trusted_proxies: count(0, 16).default(0),
    /**
     * The URL at which people open the gateway. Null means a URL of the listen address with the
     * port on which the gateway actually listens.
     */
    public_url: optionalBaseUrl(),
    data_dir: text().default('./data'),
    database: database().prefault('sqlite'),
    /**
     * The address of the PostgreSQL server behind a connection pooler. It is needed if `database`
     * is the address of a pooler in transaction mode; null without a pooler.
     */
    database_direct: databaseAddress().nullable().default(null),
    /** The address of a replica of the database, which serves reports; null without a replica. */
    database_replica: databaseAddress().nullable().default(null),
    /** The process's name, unique in the database. Null means a random name at each start. */
    node_name: nodeName().nullable().default(null),
    secrets: secretSettings().prefault({}),
    /** Backups of the ledger: their schedule, destination, encryption key and retention. */
    backups: backupSettings().prefault({}),
    images: imagesSchema().prefault({ store: 'local' }),
    chat: z
      .strictObject({
        stream_default: z.enum(['negotiate', 'always', 'never']).default('negotiate'),
      })
      .prefault({}),
    catalogue: z.strictObject({ public: z.boolean().default(true) }).prefault({}),
    /** Whether the status page and `/status.json` are public if the catalogue is public. */
    status: z.strictObject({ public: z.boolean().default(true) }).prefault({}),
    limits: limitSettings().prefault({}),
    /**
     * The settings for the health of routes. A failing route is skipped for 5 s to 1 min at a time.
     * After each of these pauses, a few requests of callers test the route.
     */
    health: healthSettings(),
    /** The retention times of records that do not affect any balance. */
    retention: retentionSettings().prefault({}),
    log: z
      .strictObject({
        level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
        /** Whether each request is logged as a line on standard output. */
        requests: z.boolean().default(true),
      })
      .prefault({}),
    metrics: metricsSettings(),
    tracing: tracingSettings(),
    /** The pages at /console, and who may sign in there. */
    console: consoleSettings().prefault({}),
    /** The name, logo, colors and texts of the operator's brand. */
    brand: brandSchema().prefault({}),
    /** The payment providers for online top-ups. A provider without settings has no endpoints. */
    payments: z.strictObject({ stripe: stripe().optional() }).prefault({}),
    top_ups: z
      .strictObject({
        /**
         * The bonuses in percent on card payments. Each bonus is listed under the minimum payment
         * from which it applies.
         */
        bonuses: z.strictObject({ USD: bonuses(), CNY: bonuses() }).prefault({}),
      })
      .prefault({}),
    alerts: alertSettings().prefault({}),
    mail: mailSettings().prefault({}),
    fx: z.strictObject({ 'USD/CNY': rate().optional() }).default({}),
    /** Lists of dates, such as holidays, to which `not_on` of price conditions refers by name. */
    calendars: calendarsSchema(),
    upstreams: z.record(z.string(), upstreamSchema()),
    models: z.record(z.string(), modelSchema()),
    /** Price lists: for certain accounts, a list has different prices and a selection of models. */
    price_lists: priceListsSchema(),
  }),
);

export type FileSettings = Immutable<z.output<ReturnType<typeof fileSchema>>>;
export type ModelSettings = FileSettings['models'][string];
