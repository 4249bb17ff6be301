/**
 * The table of usage buckets: the kinds of tokens that have their own price. Every list of buckets
 * is derived from it (CONTRIBUTING, "Add a usage bucket").
 */

type BucketRow = {
  /** The name of the bucket in `Usage` and `Rates`. */
  readonly bucket: string;
  /**
   * The name of the bucket in tables, JSON, CSV and metrics. Fields that count tokens append
   * `_tokens` to it.
   */
  readonly column: string;
  /** The token counter in API answers that includes the tokens of this bucket. */
  readonly part: 'input' | 'cache_read' | 'cache_write' | 'output';
  /** The key of the bucket's price in the configuration. */
  readonly price: string;
  /** The label of the bucket's price in `/llms.txt`. */
  readonly label: string;
  /**
   * If a price card lists no price for this bucket, the price is `times` the price of the bucket
   * `of`. Null if every price card must list a price.
   */
  readonly unlistedPrice: { readonly of: string; readonly times: bigint } | null;
  /**
   * If no cost is listed for this bucket, the cost of this other bucket applies. Null if a cost
   * must be listed.
   */
  readonly unlistedCost: string | null;
};

/** `unlistedPrice` and `unlistedCost` of a row may only refer to rows above it. */
const TABLE = [
  {
    bucket: 'input',
    column: 'input',
    part: 'input',
    price: 'input',
    label: 'input',
    unlistedPrice: null,
    unlistedCost: null,
  },
  {
    bucket: 'cacheRead',
    column: 'cache_read',
    part: 'cache_read',
    price: 'cache_read',
    label: 'cache read',
    unlistedPrice: { of: 'input', times: 1n },
    unlistedCost: 'input',
  },
  {
    bucket: 'cacheWrite5m',
    column: 'cache_write_5m',
    part: 'cache_write',
    price: 'cache_write',
    label: 'cache write',
    unlistedPrice: { of: 'input', times: 1n },
    unlistedCost: 'input',
  },
  {
    bucket: 'cacheWrite1h',
    column: 'cache_write_1h',
    part: 'cache_write',
    price: 'cache_write_1h',
    label: 'cache write for 1 h',
    unlistedPrice: { of: 'input', times: 2n },
    unlistedCost: 'cacheWrite5m',
  },
  {
    bucket: 'output',
    column: 'output',
    part: 'output',
    price: 'output',
    label: 'output',
    unlistedPrice: null,
    unlistedCost: null,
  },
  {
    bucket: 'reasoning',
    column: 'reasoning',
    part: 'output',
    price: 'reasoning',
    label: 'reasoning',
    unlistedPrice: { of: 'output', times: 1n },
    unlistedCost: 'output',
  },
  {
    bucket: 'audioInput',
    column: 'audio_input',
    part: 'input',
    price: 'audio_input',
    label: 'audio input',
    unlistedPrice: { of: 'input', times: 1n },
    unlistedCost: 'input',
  },
  {
    bucket: 'audioOutput',
    column: 'audio_output',
    part: 'output',
    price: 'audio_output',
    label: 'audio output',
    unlistedPrice: { of: 'output', times: 1n },
    unlistedCost: 'output',
  },
  {
    bucket: 'imageInput',
    column: 'image_input',
    part: 'input',
    price: 'image_input',
    label: 'image input',
    unlistedPrice: { of: 'input', times: 1n },
    unlistedCost: 'input',
  },
  {
    bucket: 'imageOutput',
    column: 'image_output',
    part: 'output',
    price: 'image_output',
    label: 'image output',
    unlistedPrice: { of: 'output', times: 1n },
    unlistedCost: 'output',
  },
] as const satisfies readonly BucketRow[];

export type UsageRow = (typeof TABLE)[number];
export type Bucket = UsageRow['bucket'];
export type BucketColumn = UsageRow['column'];
export type TokenField = `${BucketColumn}_tokens`;
export type PriceKey = UsageRow['price'];

/**
 * The tokens of one request. The buckets are disjoint: `output` does not include the tokens in
 * `reasoning`.
 */
export type Usage = { readonly [Name in Bucket]: number };

export const USAGE_ROWS: readonly UsageRow[] = TABLE;
export const USAGE_BUCKETS: readonly Bucket[] = TABLE.map(({ bucket }) => bucket);
export const BUCKET_COLUMNS: readonly BucketColumn[] = TABLE.map(({ column }) => column);
/** All rows, in the order of the keys of a price: those whose price must be listed come first. */
export const PRICE_ROWS: readonly UsageRow[] = TABLE.toSorted(
  (one, other) => Number(one.unlistedPrice !== null) - Number(other.unlistedPrice !== null),
);

export const perBucket = <Value>(of: (row: UsageRow) => Value) =>
  record<Bucket, Value>(TABLE.map((row) => [row.bucket, of(row)]));

export const perColumn = <Value>(of: (row: UsageRow) => Value) =>
  record<BucketColumn, Value>(TABLE.map((row) => [row.column, of(row)]));

/**
 * Builds an object that has a value for each field that counts tokens, such as `cache_read_tokens`.
 */
export const perTokenField = <Value>(of: (row: UsageRow) => Value) =>
  record<TokenField, Value>(TABLE.map((row) => [`${row.column}_tokens`, of(row)]));

/** Builds an object that has a value for each key of a price, in the order of `PRICE_ROWS`. */
export const perPrice = <Value>(of: (row: UsageRow) => Value) =>
  record<PriceKey, Value>(PRICE_ROWS.map((row) => [row.price, of(row)]));

const record = <Key extends string, Value>(entries: readonly (readonly [Key, Value])[]) =>
  Object.fromEntries(entries) as { readonly [Name in Key]: Value };

export const COLUMN_OF = perBucket(({ column }) => column);
export const NO_USAGE: Usage = perBucket(() => 0);

export function tokensIn(usage: Usage): number {
  let tokens = 0;
  for (const bucket of USAGE_BUCKETS) tokens += usage[bucket];
  return tokens;
}

/** Returns the buckets that a token counter in API answers includes. */
export const bucketsOf = (part: UsageRow['part']): readonly Bucket[] =>
  TABLE.filter((row) => row.part === part).map(({ bucket }) => bucket);
const BUCKETS_OF = {
  input: bucketsOf('input'),
  cache_read: bucketsOf('cache_read'),
  cache_write: bucketsOf('cache_write'),
  output: bucketsOf('output'),
};

/** Returns the value of a token counter in API answers: the sum of its buckets. */
export function tokensOf(usage: Usage, part: UsageRow['part']): number {
  let tokens = 0;
  for (const bucket of BUCKETS_OF[part]) tokens += usage[bucket];
  return tokens;
}

/** Returns the number of tokens of the prompt, cached or not. */
export const promptTokens = (usage: Usage): number =>
  tokensOf(usage, 'input') + tokensOf(usage, 'cache_read') + tokensOf(usage, 'cache_write');
