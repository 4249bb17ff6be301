/** The buckets that tokens are counted and priced in. The console's only list of them, with their names. */
import type { components } from '../api/schema.gen.ts';

type Schemas = components['schemas'];
export type Bucket = keyof NonNullable<Schemas['PriceCard']['per_1m_tokens']>;
export type PriceKey = Exclude<keyof Schemas['Price'], 'currency' | 'unit' | 'per_image'>;
type Part = 'input' | 'cache_read' | 'cache_write' | 'output';
type Row = {
  /** Its key in a price list. */
  readonly price: PriceKey;
  /** What the protocols count it as. */
  readonly part: Part;
  readonly en: string;
  readonly zh: string;
};

/** A bucket of the contract that is missing here does not compile. */
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
};

export const BUCKETS = Object.keys(ROWS) as readonly Bucket[];
/** In the order of a price list, which begins with what every model has. */
export const PRICE_KEYS: readonly PriceKey[] = [
  ...new Set<PriceKey>(['input', 'output', ...Object.values(ROWS).map(({ price }) => price)]),
];
export const isBucket = (name: string): name is Bucket => name in ROWS;
export const isPriceKey = (name: string): name is PriceKey =>
  PRICE_KEYS.some((key) => key === name);

const named = (language: 'en' | 'zh') =>
  Object.fromEntries(
    Object.entries(ROWS).flatMap(([bucket, row]) => [
      [bucket, row[language]],
      [row.price, row[language]],
    ]),
  ) as Readonly<Record<Bucket | PriceKey, string>>;
/** The names of buckets and prices, for the texts of a screen. */
export const BUCKET_NAMES = { en: named('en'), zh: named('zh') };

/** A row of the API that counts tokens. */
export type TokenCounts = { readonly [Name in Bucket as `${Name}_tokens`]: number };

/** Tokens that the protocols count as one of these parts. */
export const tokensOf = (counts: TokenCounts, ...parts: readonly Part[]): number =>
  BUCKETS.filter((bucket) => parts.includes(ROWS[bucket].part)).reduce(
    (sum, bucket) => sum + counts[`${bucket}_tokens`],
    0,
  );
