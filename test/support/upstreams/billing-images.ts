/**
 * For tests: generates the images of an upstream, and bills them like a provider, per image or per
 * token. It computes its bills without any code of the gateway.
 */
import type { Random } from '../random.ts';
import { PIXEL_PNG } from '../samples.ts';
import type { Json } from '../wire.ts';

/** Converts a price in USD per 1M tokens to pico-USD per token. */
const usd = (perMillion: number): bigint => BigInt(Math.round(perMillion * 1_000_000));

/**
 * The token prices of an image model. They are higher for high quality, and highest for large
 * images in high quality.
 */
export const IMAGE_TOKEN_PRICES = {
  plain: { input: usd(5), read: usd(1.25), text: usd(10), image: usd(30) },
  high: { input: usd(6), read: usd(1.5), text: usd(12), image: usd(40) },
  largeHigh: { input: usd(7), read: usd(1.75), text: usd(14), image: usd(45) },
};
/** The number of output tokens of an image, by size and quality. */
export const IMAGE_TOKENS: { readonly [key: string]: number } = {
  ...{ '64x64/low': 200, '64x64/medium': 1_767, '64x64/high': 7_033 },
  ...{ '96x64/low': 300, '96x64/medium': 2_650, '96x64/high': 10_500 },
};
const milliUsd = (price: number): bigint => BigInt(Math.round(price * 10)) * 10n ** 8n;
/** Prices per image in pico-USD, by size and quality. */
export const IMAGE_PRICES: { readonly [key: string]: bigint } = {
  ...{ '64x64/low': milliUsd(6), '64x64/medium': milliUsd(53), '64x64/high': milliUsd(211) },
  ...{ '96x64/low': milliUsd(9), '96x64/medium': milliUsd(80), '96x64/high': milliUsd(316.5) },
};
const QUALITIES = ['low', 'medium', 'high'];

/**
 * Matches request fields for which a provider bills more. The gateway must never send such a field.
 */
export const IMAGE_FORBIDDEN =
  /^(?:stream|partial_images|service_tier|svg|frame_count|input_fidelity)$/i;

type Drawing = {
  readonly bill: {
    readonly pico: bigint;
    readonly isCut: boolean;
    readonly leastForCut: () => bigint;
  };
  readonly answer: Json;
};

/**
 * Generates images in the requested quality or a lower one. If the request names no quality,
 * selects one at random.
 */
export function drawImages(body: Json, random: Random): Drawing {
  const below = (limit: number): number => Math.floor(random() * (limit + 1));
  const asked = body['quality'] === undefined ? null : String(body['quality']);
  const most = asked === null ? QUALITIES.length - 1 : QUALITIES.indexOf(asked);
  const quality = QUALITIES[asked !== null && random() < 0.7 ? most : below(most)] ?? '';
  const image = `${String(body['size'])}/${quality}`;
  const count = Number(body['n']);
  const bill = {
    isCut: String(body['prompt']).includes('break-off'),
    // The caller is not charged for an image whose answer did not arrive completely.
    leastForCut: () => 0n,
  };
  // Some providers report size and quality only if they differ from the request.
  const facts = quality !== asked || random() < 0.5 ? { size: body['size'], quality } : {};
  const data = Array.from({ length: count }, () => ({ b64_json: PIXEL_PNG }));
  const answer = { created: 1, data, ...facts };
  if (body['model'] === 'by-image')
    return { bill: { ...bill, pico: BigInt(count) * (IMAGE_PRICES[image] ?? 0n) }, answer };

  const prompt = 1 + below(Math.ceil(String(body['prompt']).length / 2));
  const read = below(prompt);
  // Each image counts at least one token: the gateway estimates an answer whose images count none.
  let output = count;
  for (let index = 0; index < count; index++) output += below((IMAGE_TOKENS[image] ?? 0) - 1);
  const text = random() < 0.3 ? below(output) : 0;
  const { plain, high, largeHigh } = IMAGE_TOKEN_PRICES;
  const rate = quality !== 'high' ? plain : body['size'] === '96x64' ? largeHigh : high;
  const usage = {
    input_tokens: prompt,
    input_tokens_details: { text_tokens: prompt, image_tokens: 0, cached_tokens: read },
    output_tokens: output,
    output_tokens_details: { image_tokens: output - text, text_tokens: text },
    total_tokens: prompt + output,
  };
  const pico =
    rate.input * BigInt(prompt - read) +
    rate.read * BigInt(read) +
    rate.text * BigInt(text) +
    rate.image * BigInt(output - text);
  return { bill: { ...bill, pico }, answer: { ...answer, usage } };
}
