/**
 * The schema of prices. A price per token that is written at the top level applies without
 * conditions: it is the first row. `rows` adds rows that apply only under conditions.
 */
import * as z from 'zod';
import { built } from './document/on-demand.ts';
import { date, hours, instant, isZone } from './document/price-times.ts';
import { count, type Immutable, text, writtenForms } from './values.ts';

/**
 * Accepts an amount only as text, since a number would round it. A price per 1M tokens with six
 * decimals is a whole number of pico-units per token. A price per image or use with nine decimals
 * is a whole number of nano-units.
 */
export const decimal = (decimals: number, example: string) =>
  z
    .string({ error: `write it in quotes, such as "${example}"` })
    .check(isDecimal(decimals, example))
    .register(writtenForms, { type: 'decimal' });

/** Maximum digits of a price before the decimal point. */
const MAX_DIGITS = 9;

const isDecimal =
  (decimals: number, example: string) =>
  (context: z.core.ParsePayload<string>): void => {
    const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(context.value) ?? [];
    const isPlain = whole !== '';
    if (isPlain && whole.length <= MAX_DIGITS && fraction.length <= decimals) return;
    const message = !isPlain
      ? `write a plain decimal such as "${example}": no sign, no exponent, no currency`
      : fraction.length > decimals
        ? `has more than ${decimals} decimals, which cannot be counted exactly`
        : `has more than ${MAX_DIGITS} digits before the point`;
    context.issues.push({ code: 'custom', message, input: context.value });
  };

/** Written in place of a price to say that these tokens are not sold. */
export const NOT_SOLD = '-';
const tokenPrice = built(() => decimal(6, '5.00'));
const tokenPriceOrNone = built(() =>
  z
    .string({ error: `write it in quotes, such as "5.00", or "${NOT_SOLD}" if it is not sold` })
    .check((context) => {
      if (context.value !== NOT_SOLD) isDecimal(6, '5.00')(context);
    }),
);
const imagePrice = built(() => decimal(9, '0.040'));
const fee = built(() => decimal(9, '0.01'));

const optionalPrices = built(() => ({
  cache_read: tokenPriceOrNone().optional(),
  cache_write: tokenPriceOrNone().optional(),
  cache_write_1h: tokenPriceOrNone().optional(),
  reasoning: tokenPriceOrNone().optional(),
  audio_input: tokenPriceOrNone().optional(),
  audio_output: tokenPriceOrNone().optional(),
  image_input: tokenPriceOrNone().optional(),
  image_output: tokenPriceOrNone().optional(),
}));
const rowPrices = built(() => ({
  input: tokenPrice(),
  output: tokenPrice(),
  ...optionalPrices(),
}));
/** Prices per token of an image model. `output` is the optional price of text in answers. */
const imageTokenPrices = built(() => ({
  input: tokenPriceOrNone().optional(),
  output: tokenPriceOrNone().optional(),
  cache_read: tokenPriceOrNone().optional(),
  image_input: tokenPriceOrNone().optional(),
  image_output: tokenPriceOrNone().optional(),
}));

/**
 * A value in a condition, such as a tier. It must be in lower case, because the values that
 * providers report are converted to lower case before the comparison.
 */
const value = built(() => z.string().regex(/^[a-z0-9][\w.-]{0,63}$/, 'write a name in lower case'));
const MAX_VALUES = 16;
const values = built(() => z.array(value()).max(MAX_VALUES, `write at most ${MAX_VALUES} names`));
const oneOrMore = built(() =>
  z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), values().min(1))
    .optional(),
);

/** Notes on a price: where the operator found it, and the date by which to check it again. */
export const priceNotes = built(() => ({
  source: text().optional(),
  review: date().optional(),
}));

/** The maximum number of announced prices of a channel. */
const MAX_UPCOMING = 12;
/** The announced prices of a channel, in the order of their start times. */
export const upcomingPrices = <Keys extends z.core.$ZodShape>(keys: Keys) =>
  z
    .array(z.strictObject({ effective_from: instant(), ...keys }))
    .max(MAX_UPCOMING, `write at most ${MAX_UPCOMING} announced prices`)
    .check((context) => {
      const moments = context.value.map((each) => Number(Object(each)['effective_from']));
      for (const [index, moment] of moments.entries()) {
        if (index === 0 || moment > (moments[index - 1] ?? 0)) continue;
        const message =
          'is not after the time of the entry before it; sort the announced prices by time';
        const path = [index, 'effective_from'];
        context.issues.push({ code: 'custom', message, input: context.value, path });
      }
    })
    .default([]);

const calendars = built(() =>
  z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(text()).min(1))
    .optional(),
);
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const tokens = built(() => count(1, 100_000_000));
const conditions = built(() => ({
  /** The service tier with which the provider served the request. */
  tier: oneOrMore(),
  /** The speed with which the provider served the request. */
  speed: oneOrMore(),
  /** The region in which the provider served the request. */
  geo: oneOrMore(),
  /** The prompt must have more tokens than this number, including cached tokens. */
  prompt_over: tokens().optional(),
  /** The prompt must have at least this number of tokens, including cached tokens. */
  prompt_from: tokens().optional(),
  /** The time must be within one of these hours, in the time zone of `clock`. */
  hours: z.array(hours()).min(1).optional(),
  /** The time must be on one of these days of the week, in the time zone of `clock`. */
  days: z.array(z.enum(DAYS)).min(1).optional(),
  /** Names of calendars. On the dates of these calendars, the condition is not met. */
  not_on: calendars(),
  from: instant().optional(),
  until: instant().optional(),
}));
const textConditions = built(() => z.strictObject(conditions()));
/** The conditions of image prices, which can also name sizes and qualities of the model. */
const imageConditions = built(() =>
  z.strictObject({ ...conditions(), size: oneOrMore(), quality: oneOrMore() }),
);
export type ConditionSettings = Immutable<z.output<ReturnType<typeof imageConditions>>>;

const multiple = built(() =>
  decimal(6, '1.1').refine(
    (given) => !/^[0.]+$/.test(given),
    'must be above zero: for a free model write prices of "0"',
  ),
);
const MAX_ROWS = 64;
/**
 * The factor of a row that has no prices of its own. Such a row adds a copy of each row with
 * prices, in which the prices are multiplied by the factor. The copy applies if the conditions of
 * both rows are met. There is no copy if the two rows can never apply together, or if both
 * restrict the same fact, such as the tier.
 */
const scale = built(() => multiple().optional());
type RowPrices = { readonly [key: string]: unknown };

/** Validates that a row has either a scale or prices. @param answer the key of the output price. */
const checkRow =
  (answer: 'output' | 'image_output') =>
  (context: z.core.ParsePayload<RowPrices>): void => {
    const { when: _, scale: factor, ...prices } = context.value;
    const add = (key: string, message: string): void => {
      context.issues.push({ code: 'custom', message, input: context.value, path: [key] });
    };
    if (factor !== undefined) {
      for (const key of Object.keys(prices))
        add(key, 'cannot be combined with `scale`; write one of them');
      return;
    }
    const { input, [answer]: output } = prices;
    for (const [key, price] of [['input', input] as const, [answer, output] as const]) {
      if (price === undefined)
        add(key, 'is missing: each row needs either its own prices or a `scale`');
    }
    const isGiven = input !== undefined && output !== undefined;
    if (isGiven && (input === NOT_SOLD) !== (output === NOT_SOLD))
      add(answer, `write "${NOT_SOLD}" for both input and ${answer}, or for neither`);
  };

const textRow = built(() =>
  z
    .strictObject({
      when: textConditions(),
      scale: scale(),
      input: tokenPriceOrNone().optional(),
      output: tokenPriceOrNone().optional(),
      ...optionalPrices(),
    })
    .check(checkRow('output')),
);
const imageRow = built(() =>
  z
    .strictObject({ when: imageConditions(), scale: scale(), ...imageTokenPrices() })
    .check(checkRow('image_output')),
);

const perUnit = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .strictObject({
      request: schema.optional(),
      web_search: schema.optional(),
      web_fetch: schema.optional(),
      file_search: schema.optional(),
      code_execution: schema.optional(),
      x_search: schema.optional(),
      maps: schema.optional(),
    })
    .prefault({});
/** Tools that providers run themselves, and whose uses can be counted. */
export const TOOLS = [
  'web_search',
  'web_fetch',
  'file_search',
  'code_execution',
  'x_search',
  'maps',
] as const;
const uses = built(() => count(1, 1000));

const nameMap = built(() => z.record(z.string(), value()).default({}));
const factNames = built(() => ({ tier: nameMap(), speed: nameMap(), geo: nameMap() }));
const MAX_MULTIPLES = 6;
/** The schemas of a price's `rows` and `times` (multiples). */
const rowsOf = <Row extends z.ZodType, When extends z.ZodType>(row: Row, when: When) => ({
  rows: z.array(row).max(MAX_ROWS, `write at most ${MAX_ROWS} rows`).default([]),
  times: z
    .array(
      z
        .strictObject({ when, tokens: multiple().optional(), fees: multiple().optional() })
        .refine(
          (each) => each.tokens !== undefined || each.fees !== undefined,
          'needs `tokens` or `fees`, such as tokens: "1.1"',
        ),
    )
    .max(MAX_MULTIPLES, `write at most ${MAX_MULTIPLES} entries`)
    .default([]),
});
/**
 * The time zone of `hours` and `days`, and the time that decides the price of a request: its start,
 * its end, or whichever of the two gives the higher price.
 */
const clock = built(() =>
  z
    .strictObject({
      zone: z
        .string()
        .refine(isZone, 'is not a time zone; write one such as Asia/Shanghai')
        .default('UTC'),
      at: z.enum(['start', 'end', 'highest']).default('highest'),
    })
    .prefault({}),
);
/** The fields that only the prices of chat models have. */
const textTerms = built(() => ({
  /**
   * The values, such as tiers, and the tools that callers may request. A request for any other
   * value or tool that would change the provider's bill is refused.
   */
  admit: z
    .strictObject({
      tier: values().default([]),
      speed: values().default([]),
      geo: values().default([]),
      tools: z.array(z.enum(TOOLS)).default([]),
      image_detail: z.array(z.enum(['low', 'high', 'auto', 'original'])).default([]),
      cache_ttl: z.array(z.enum(['5m', '30m', '1h'])).default(['5m', '1h']),
    })
    .prefault({}),
  /** If a request sets no limits, a hold assumes these numbers of tool uses and tokens per use. */
  limits: z
    .strictObject({
      uses: perUnit(uses()),
      tokens_per_use: perUnit(tokens()),
    })
    .prefault({}),
  /** The prices of other models that the provider may run, by the provider's model name. */
  models: z.record(text(), z.strictObject(rowPrices())).default({}),
}));

/** Prices are in USD, even for a model that is charged in CNY. */
const priceCurrency = built(() =>
  z
    .literal('USD', 'prices are in USD; for a model that is charged in CNY write settlement: CNY')
    .default('USD'),
);

export const tokenPriceKeys = built(() => ({
  ...rowPrices(),
  ...rowsOf(textRow(), textConditions().prefault({})),
  fees: perUnit(fee()),
  /** Maps values that the provider reports to values in conditions, such as `fast: priority`. */
  names: z.strictObject(factNames()).prefault({}),
  clock: clock(),
  ...textTerms(),
  currency: priceCurrency(),
}));
/** A price is either per image or per token. `formChecks` refuses a mix of both. */
export const imagePriceKeys = built(() => ({
  /** Prices per image, by size (`1024x1024`) or by size and quality (`1024x1024/hd`). */
  per_image: z.record(z.string(), imagePrice()).optional(),
  ...imageTokenPrices(),
  input: tokenPrice().optional(),
  image_output: tokenPrice().optional(),
  ...rowsOf(imageRow(), imageConditions().prefault({})),
  fees: z.strictObject({ request: fee().optional() }).prefault({}),
  names: z.strictObject({ ...factNames(), size: nameMap(), quality: nameMap() }).prefault({}),
  clock: clock(),
  currency: priceCurrency(),
}));
/** The fields of an embedding model's price. There is no output price. */
export const embeddingPriceKeys = built(() => ({
  input: tokenPrice(),
  currency: priceCurrency(),
}));
const tokenPriceSchema = built(() => z.strictObject(tokenPriceKeys()));
const imagePriceSchema = built(() => z.strictObject(imagePriceKeys()));
type ImagePriceSettings = Immutable<z.output<ReturnType<typeof imagePriceSchema>>>;
/** The price of a chat model. */
export type TextPriceSettings = Immutable<z.output<ReturnType<typeof tokenPriceSchema>>>;
type Rows = Pick<ImagePriceSettings, 'rows' | 'times'>;
export type RowSettings = Omit<TextPriceSettings['rows'][number], 'when'> & {
  readonly when: ConditionSettings;
};
/** A price per token, for any kind of model. */
export type TokenPriceSettings = Omit<TextPriceSettings, 'output' | 'names' | keyof Rows> & {
  readonly output?: string | undefined;
  readonly names: TextPriceSettings['names'] & Partial<ImagePriceSettings['names']>;
  readonly rows: readonly RowSettings[];
  readonly times: Rows['times'];
};

const embeddingPriceSchema = built(() => z.strictObject(embeddingPriceKeys()));
export type EmbeddingPriceSettings = Immutable<z.output<ReturnType<typeof embeddingPriceSchema>>>;

const NO_TEXT_TERMS = z.strictObject(textTerms()).parse({});
const { per_image: _, ...NO_TOKEN_TERMS } = z.strictObject(imagePriceKeys()).parse({});

/** Converts the price of an embedding model to the common type of prices per token. */
export const embeddingPriceIn = (price: EmbeddingPriceSettings): TokenPriceSettings => ({
  ...NO_TEXT_TERMS,
  ...NO_TOKEN_TERMS,
  ...price,
});

/**
 * Converts the price of an image model to the common type of prices per token. Returns null for a
 * price per image, and for a price without `input`.
 */
export function tokenPriceIn({
  per_image,
  input,
  ...price
}: ImagePriceSettings): TokenPriceSettings | null {
  if (per_image !== undefined || input === undefined) return null;
  return { ...NO_TEXT_TERMS, ...price, input };
}

/** Parses the price of a chat model. Returns null if it is invalid; the schema reports this. */
export function chatPriceOf(given: unknown): TextPriceSettings | null {
  const read = tokenPriceSchema().safeParse(withoutNotes(given));
  return read.success ? read.data : null;
}

/** Parses an image model's price per token. Returns null if the price is invalid or per image. */
export function imagePriceOf(given: unknown): TokenPriceSettings | null {
  const read = imagePriceSchema().safeParse(withoutNotes(given));
  return read.success ? tokenPriceIn(read.data) : null;
}

function withoutNotes(given: unknown): object {
  const notes = ['example', 'source', 'review', 'effective_from'];
  return Object.fromEntries(Object.entries(Object(given)).filter(([key]) => !notes.includes(key)));
}

/**
 * Calendars by name. A row with the name of a calendar in `not_on` does not apply on the calendar's
 * dates. The dates are complete up to and including the day `until`.
 */
export const calendarsSchema = built(() =>
  z.record(z.string(), z.strictObject({ until: date(), dates: z.array(date()) })).default({}),
);
