import { describe, expect, test } from 'bun:test';
import type { Card } from '../../catalogue/catalogue.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { changedFile, settingsOf } from '../../config/file.fixture.ts';
import { nano } from '../../money/amount.ts';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { readFacts } from '../../money/terms-json.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import { checkAgainstModel } from '../../protocols/images/choice.ts';
import { readImagesRequest } from '../../protocols/images/request.ts';
import type { ImageSize } from '../../protocols/inputs/image-header.ts';
import { NO_QUIRKS } from '../../protocols/quirks.ts';
import type { Destination } from '../../routing/route-plan.ts';
import { PLAIN_FIELDS } from '../../upstreams/known-fields.ts';
import { admitImages } from '../admission.ts';
import { ImagePrice } from './image-price.ts';

const PER_IMAGE =
  '{ per_image: { 512x512: "0.01", 512x512/hd: "0.02", 1024x1024: "0.03", 1024x1024/hd: "0.04" } }';
const BY_TOKEN = `{
          input: "5", cache_read: "1.25", output: "10", image_output: "30", fees: { request: "0.001" },
          rows: [{ when: { quality: hd }, input: "6", cache_read: "1.5", output: "12", image_output: "40" }] }`;
const BOUNDS = `    image_tokens: { 512x512: 300, 1024x1024/standard: 1000, 1024x1024/hd: 4000 }
    default_channel: direct
    channels:
      direct:
        price: `;

/** Returns a configuration file whose image model has this price. */
const soldAt = (price: string): string =>
  changedFile(
    `    default_channel: direct\n    channels:\n      direct:\n        price: ${PER_IMAGE}`,
    BOUNDS + price,
  );

const PROMPT = 'a red boat';
const NANO_PER_MICRO_USD = 1_000n;
/** Maximum tokens of the prompt: one per byte of its JSON, with two quotes, plus `FRAME_TOKENS`. */
const PROMPT_TOKENS = BigInt(PROMPT.length + 2 + 16);

function priceFor(price: string, asked: object, inputs: readonly ImageSize[] = [], more = '') {
  const catalogue = loadCatalogue(settingsOf(soldAt(price).replace(BOUNDS, more + BOUNDS)), 0);
  const request = readImagesRequest({ model: 'img-x', prompt: PROMPT, ...asked });
  const offer = admitImages(catalogue, request, () => true);
  const choice = checkAgainstModel(request, offer.model);
  const bought = new ImagePrice(offer, choice, request.prompt, inputs);
  const [channel] = offer.channels;
  const destination = (drop: readonly string[]): Destination<Card> => ({
    channel,
    route: channel.routes[0],
    upstream: {
      ...{ name: 'there', formats: new Set(['images' as const]), hidden: [] },
      ...{ quirks: NO_QUIRKS, fields: PLAIN_FIELDS, firstByteTimeoutMs: null },
      send: () => Promise.reject(new Error('not called')),
    },
    quirks: { ...NO_QUIRKS, drop },
    ...{ format: 'images', callerFormat: 'images', isTranslated: false },
  });
  const charge = (
    drawn: { count?: number; usage?: Partial<Usage> | null; served?: Partial<Served> },
    drop: readonly string[] = [],
  ) => {
    const { count = 1, usage = null, served = {} } = drawn;
    return bought.priced(
      {
        count,
        usage: usage === null ? null : { ...NO_USAGE, ...usage },
        served: { ...NOTHING_SERVED, ...served },
      },
      { to: destination(drop), startedAtMs: 1, endedAtMs: 2, generatedTokens: () => 0 },
    );
  };
  return { bought, charge };
}

describe('by the token', () => {
  const hold = (asked: object) => priceFor(BY_TOKEN, asked).bought.firstHold.amount;

  test('holds the prompt, the most tokens of each image at its row, and the fee', () => {
    const standard = PROMPT_TOKENS * 5n + 2n * 1_000n * 30n + 1_000n;
    expect(hold({ size: '1024x1024', n: 2 })).toBe(nano(standard * NANO_PER_MICRO_USD));
    const hd = PROMPT_TOKENS * 6n + 4_000n * 40n + 1_000n;
    expect(hold({ size: '1024x1024', quality: 'hd' })).toBe(nano(hd * NANO_PER_MICRO_USD));
    const small = PROMPT_TOKENS * 6n + 300n * 40n + 1_000n;
    expect(hold({ size: '512x512', quality: 'hd' })).toBe(nano(small * NANO_PER_MICRO_USD));
  });

  test('holds for the most expensive quality when a route does not send it', () => {
    const { bought } = priceFor(BY_TOKEN, { size: '1024x1024' });
    bought.dropFields(['quality']);
    const hd = PROMPT_TOKENS * 6n + 4_000n * 40n + 1_000n;
    expect(bought.amountOn(bought.channel)).toBe(nano(hd * NANO_PER_MICRO_USD));
  });

  test('holds the most that any size and quality cost for a careful account', () => {
    const { worstCase } = priceFor(BY_TOKEN, { size: '512x512' }).bought.firstHold;
    const hd = PROMPT_TOKENS * 6n + 4_000n * 40n + 1_000n;
    expect(worstCase).toBe(nano(hd * NANO_PER_MICRO_USD));
  });

  test('a 402 names the images that the balance pays for', () => {
    const { bought } = priceFor(BY_TOKEN, { size: '1024x1024', n: 4 });
    const prompt = (PROMPT_TOKENS * 5n + 1_000n) * NANO_PER_MICRO_USD;
    const image = 30_000n * NANO_PER_MICRO_USD;
    expect(bought.affordable(nano(prompt + 2n * image))).toEqual({ affordable_images: 2 });
    expect(bought.affordable(nano(prompt + 2n * image - 1n))).toEqual({ affordable_images: 1 });
    expect(bought.affordable(nano(prompt - 1n))).toEqual({ affordable_images: 0 });
  });

  const USAGE = { input: 8, cacheRead: 4, output: 10, imageOutput: 900 };
  const PLAIN = 8n * 5_000_000n + 4n * 1_250_000n + 10n * 10_000_000n + 900n * 30_000_000n;
  const HD = 8n * 6_000_000n + 4n * 1_500_000n + 10n * 12_000_000n + 900n * 40_000_000n;
  const FEE = 10n ** 9n;

  test.each([
    ['as requested when the provider does not say', 'standard', {}, PLAIN],
    ['as requested when the provider does not say', 'hd', {}, HD],
    ['as served', 'hd', { quality: 'standard', size: '1024x1024' }, PLAIN],
    ['as served', 'standard', { quality: 'HD' }, HD],
  ] as const)('charges the tokens %s (%p)', (_, quality, served, pico) => {
    const { charge } = priceFor(BY_TOKEN, { quality });
    const priced = charge({ usage: USAGE, served });
    expect(priced.costPico).toBe(pico + FEE);
    expect(priced.estimated).toBe(false);
    const drawn = Object(served)['quality']?.toLowerCase() ?? quality;
    expect(priced.images).toEqual({ count: 1, priceKey: `1024x1024/${drawn}` });
  });

  test('charges the most expensive quality when none was sent or reported, and says so', () => {
    const priced = priceFor(BY_TOKEN, {}).charge({ usage: USAGE }, ['quality']);
    expect(priced.costPico).toBe(HD + FEE);
    expect(readFacts(priced.facts ?? '').assumed).toEqual(['quality: hd']);
  });

  test('flags a quality that the model does not offer, and charges what was requested', () => {
    const priced = priceFor(BY_TOKEN, {}).charge({ usage: USAGE, served: { quality: 'max' } });
    expect(priced.costPico).toBe(PLAIN + FEE);
    expect(readFacts(priced.facts ?? '').unpriced).toEqual(['quality: max']);
  });

  test('charges the most tokens when the provider counts none, or implausibly many', () => {
    const { charge } = priceFor(BY_TOKEN, { n: 2 });
    const most = { ...NO_USAGE, input: 3, imageOutput: 2_000 };
    expect(charge({ count: 2 })).toMatchObject({ usage: most, estimated: true });
    const wrong = { imageOutput: 1_000_000_000 };
    expect(charge({ count: 2, usage: wrong })).toMatchObject({ usage: most, estimated: true });
    const long = { input: 1_000_000, imageOutput: 1 };
    expect(charge({ count: 2, usage: long })).toMatchObject({ usage: most, estimated: true });
  });

  test('an estimate is at most what was held, however many images arrive', () => {
    const { bought, charge } = priceFor(BY_TOKEN, { n: 2 });
    const priced = charge({ count: 900 });
    expect(priced).toMatchObject({ usage: { imageOutput: 2_000 }, images: { count: 900 } });
    expect(priced.costPico).toBeLessThanOrEqual(bought.firstHold.amount * 1_000n);
  });

  test('holds for the fields that the operator passes on, as part of the prompt', () => {
    const { bought } = priceFor(BY_TOKEN, {});
    const before = bought.amountOn(bought.channel);
    const sent = { negative_prompt: 'x'.repeat(5_000) };
    bought.sendAlso(sent);
    const tokens = BigInt(JSON.stringify([PROMPT, sent]).length - JSON.stringify(PROMPT).length);
    expect(bought.amountOn(bought.channel) - before).toBe(tokens * 5n * NANO_PER_MICRO_USD);
  });

  test('charges nothing when nothing was drawn', () => {
    const priced = priceFor(BY_TOKEN, { n: 2 }).charge({ count: 0 });
    expect(priced).toMatchObject({ costPico: 0n, usage: NO_USAGE, estimated: false });
  });
});

describe('an edit by the token', () => {
  const EDITS = BY_TOKEN.replaceAll('image_output', 'image_input: "8", image_output');
  const SMALL = { width: 28, height: 28 };
  const LARGE = { width: 8_000, height: 6_000 };
  const PLAIN = PROMPT_TOKENS * 5n + 1_000n * 30n + 1_000n;
  const holdOf = (inputs: readonly ImageSize[], more = '') =>
    priceFor(EDITS, {}, inputs, more).bought.firstHold.amount;

  test('holds each image by its size, at the price of images', () => {
    // A small image counts as 8,192 tokens, which some providers charge for any image.
    expect(holdOf([SMALL])).toBe(nano((PLAIN + 8_192n * 8n) * NANO_PER_MICRO_USD));
    // The large image counts as 286 x 215 patches of 28 pixels. Tiles would give fewer tokens.
    expect(holdOf([SMALL, LARGE])).toBe(
      nano((PLAIN + (8_192n + 61_490n) * 8n) * NANO_PER_MICRO_USD),
    );
  });

  test('holds what the model says, if it says so', () => {
    const hold = holdOf([SMALL, LARGE], '    input_image_tokens: 1500\n');
    expect(hold).toBe(nano((PLAIN + 3_000n * 8n) * NANO_PER_MICRO_USD));
  });

  test('holds cached images at the higher price, if caching costs more', () => {
    const dear = EDITS.replace('cache_read: "1.25"', 'cache_read: "9"').replace('"1.5"', '"9"');
    const { amount } = priceFor(dear, {}, [SMALL]).bought.firstHold;
    const text = PROMPT_TOKENS * 9n + 1_000n * 30n + 1_000n;
    expect(amount).toBe(nano((text + 8_192n * 9n) * NANO_PER_MICRO_USD));
  });

  test('charges its images as reported, or as they probably count, within the hold', () => {
    const { bought, charge } = priceFor(EDITS, {}, [SMALL, LARGE]);
    const reported = charge({ usage: { input: 10, imageInput: 1_000, imageOutput: 500 } });
    expect(reported.costPico).toBe(
      10n * 5_000_000n + 1_000n * 8_000_000n + 500n * 30_000_000n + 10n ** 9n,
    );
    const guessed = charge({});
    expect(guessed).toMatchObject({ estimated: true, usage: { imageInput: 1 + 1_600 } });
    expect(guessed.costPico).toBeLessThanOrEqual(bought.firstHold.amount * 1_000n);
  });

  test('a partial image is held as 100 output tokens', () => {
    const streamed = priceFor(
      EDITS,
      { stream: true, partial_images: 3 },
      [],
      '    partial_images: 3\n',
    );
    expect(streamed.bought.firstHold.amount).toBe(nano((PLAIN + 300n * 30n) * NANO_PER_MICRO_USD));
  });
});

describe('by the image', () => {
  const CENT = 10n ** 10n;
  test.each([
    ['as requested when the provider does not say', { quality: 'hd' }, {}, 2n, '512x512/hd'],
    ['as served', { quality: 'hd' }, { quality: 'standard' }, 1n, '512x512'],
    ['as served', {}, { size: '1024x1024', quality: 'hd' }, 4n, '1024x1024/hd'],
  ] as const)('charges the price %s (%p)', (_, asked, served, cents, key) => {
    const { charge } = priceFor(PER_IMAGE, { size: '512x512', ...asked });
    const priced = charge({ count: 3, served });
    expect(priced.costPico).toBe(3n * cents * CENT);
    expect(priced.images).toEqual({ count: 3, priceKey: key });
    expect(priced.facts).toBeNull();
  });

  test('charges by the names that the price gives to what is reported', () => {
    const price = PER_IMAGE.replace('{ per', '{ names: { quality: { High: hd } }, per');
    const { charge } = priceFor(price, { size: '512x512' });
    expect(charge({ served: { quality: 'high' } }).costPico).toBe(2n * CENT);
  });

  test('charges and holds the most expensive price when no quality was sent or reported', () => {
    const { bought, charge } = priceFor(PER_IMAGE, { size: '512x512' });
    bought.dropFields(['quality']);
    expect(bought.amountOn(bought.channel)).toBe(nano(20_000_000n));
    const priced = charge({}, ['quality']);
    expect(priced.costPico).toBe(2n * CENT);
    expect(readFacts(priced.facts ?? '').assumed).toEqual(['quality: hd']);
  });

  test('flags a size that the model does not offer, and charges what was requested', () => {
    const priced = priceFor(PER_IMAGE, { size: '512x512' }).charge({
      served: { size: '4096x4096' },
    });
    expect(priced.costPico).toBe(CENT);
    expect(readFacts(priced.facts ?? '').unpriced).toEqual(['size: 4096x4096']);
  });

  test('holds the price of the request, and the highest price for a careful account', () => {
    const { amount, worstCase } = priceFor(PER_IMAGE, { size: '512x512', n: 2 }).bought.firstHold;
    expect(amount).toBe(nano(20_000_000n));
    expect(worstCase).toBe(nano(80_000_000n));
  });
});
