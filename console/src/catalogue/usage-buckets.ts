/**
 * The usage buckets, such as input and cache reads, in which tokens are counted and priced. The
 * console has no other list of buckets.
 */
import type { components } from '#api/schema.gen.ts';

type Schemas = components['schemas'];
export type Bucket = keyof NonNullable<Schemas['PriceCard']['per_1m_tokens']>;
export type PriceKey = Exclude<
  keyof Schemas['Price'],
  'currency' | 'unit' | 'per_image' | 'not_sold'
>;
type Part = 'input' | 'cache_read' | 'cache_write' | 'output';
type Row = {
  /** The key of the bucket's price in the prices of a channel. */
  readonly price: PriceKey;
  /**
   * The part of the usage to which the bucket's tokens belong. A part may have several buckets:
   * cache writes have one for 5 minutes and one for 1 hour.
   */
  readonly part: Part;
  readonly en: string;
  readonly zh: string;
};

/** All buckets. The table does not compile if it lacks a bucket of the API contract. */
const ROWS: Readonly<Record<Bucket, Row>> = {
  input: { price: 'input', part: 'input', en: 'Input', zh: '输入' },
  cache_read: { price: 'cache_read', part: 'cache_read', en: 'Cache read', zh: '缓存读取' },
  cache_write_5m: { price: 'cache_write', part: 'cache_write', en: 'Cache write', zh: '缓存写入' },
  cache_write_1h: {
    price: 'cache_write_1h',
    part: 'cache_write',
    en: 'Cache write, 1 h',
    zh: '缓存写入（1 小时）',
  },
  output: { price: 'output', part: 'output', en: 'Output', zh: '输出' },
  reasoning: { price: 'reasoning', part: 'output', en: 'Reasoning', zh: '推理' },
  audio_input: { price: 'audio_input', part: 'input', en: 'Audio input', zh: '音频输入' },
  audio_output: { price: 'audio_output', part: 'output', en: 'Audio output', zh: '音频输出' },
  image_input: { price: 'image_input', part: 'input', en: 'Image input', zh: '图像输入' },
  image_output: { price: 'image_output', part: 'output', en: 'Image output', zh: '图像输出' },
};

export const BUCKETS = Object.keys(ROWS) as readonly Bucket[];
/** The keys of a channel's prices in display order, input and output first. */
export const PRICE_KEYS: readonly PriceKey[] = [
  ...new Set<PriceKey>(['input', 'output', ...Object.values(ROWS).map(({ price }) => price)]),
];
export const isBucket = (name: string): name is Bucket => name in ROWS;
export const isPriceKey = (name: string): name is PriceKey =>
  PRICE_KEYS.some((key) => key === name);

/** Whether the price is for tokens that the model writes. */
export const isOutputPrice = (key: PriceKey): boolean =>
  Object.values(ROWS).some(({ price, part }) => price === key && part === 'output');

const named = (language: 'en' | 'zh') =>
  Object.fromEntries(
    Object.entries(ROWS).flatMap(([bucket, row]) => [
      [bucket, row[language]],
      [row.price, row[language]],
    ]),
  ) as Readonly<Record<Bucket | PriceKey, string>>;
/** The names of buckets and prices in each language. */
export const BUCKET_NAMES = { en: named('en'), zh: named('zh') };

/** The token counts of a row in the API, by bucket. */
export type TokenCounts = { readonly [Name in Bucket as `${Name}_tokens`]: number };

/** Returns the number of tokens in all buckets of the given parts. */
export const tokensOf = (counts: TokenCounts, ...parts: readonly Part[]): number =>
  BUCKETS.filter((bucket) => parts.includes(ROWS[bucket].part)).reduce(
    (sum, bucket) => sum + counts[`${bucket}_tokens`],
    0,
  );
