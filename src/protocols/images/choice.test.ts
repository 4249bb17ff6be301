import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { checkAgainstModel, findByImage, type ImageLimits, priceKey } from './choice.ts';
import { readImagesRequest } from './request.ts';

const LARGE = ['1024x1024', '1792x1024', '1024x1792'];
/**
 * The limits of a model that has only one file format, and no backgrounds, moderation or streams.
 */
const PLAIN = {
  ...{ backgrounds: [], moderations: [], outputFormats: ['png' as const], partialImages: null },
};
/** The values that are chosen for a model with the limits `PLAIN`. */
const PLAIN_CHOICE = {
  ...{ background: null, moderation: null, format: 'png' as const },
  ...{ compression: null, partialImages: null },
};
const IMG_2: ImageLimits = {
  id: 'img-2',
  sizes: ['256x256', '512x512', ...LARGE],
  maxImages: 10,
  qualities: [],
  styles: [],
  ...PLAIN,
};
const IMG_3: ImageLimits = {
  id: 'img-3',
  sizes: LARGE,
  maxImages: 1,
  qualities: ['standard', 'hd'],
  styles: ['vivid', 'natural'],
  ...PLAIN,
};

const choose = (model: ImageLimits, fields: Record<string, unknown>) =>
  checkAgainstModel(readImagesRequest({ model: model.id, prompt: 'a cat', ...fields }), model);

function refusal(model: ImageLimits, fields: Record<string, unknown>): GatewayError {
  try {
    choose(model, fields);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
  }
  throw new Error(`${JSON.stringify(fields)} should have been refused.`);
}

describe('resolving a request against a model', () => {
  test('defaults to one square image, standard and vivid if the model has them', () => {
    const square = { count: 1, size: '1024x1024', ...PLAIN_CHOICE };
    expect(choose(IMG_2, {})).toEqual({ ...square, quality: null, style: null });
    expect(choose(IMG_3, {})).toEqual({ ...square, quality: 'standard', style: 'vivid' });
  });

  test('auto is the default of the model', () => {
    const auto = { size: 'auto', quality: 'auto' };
    expect(choose(IMG_2, auto)).toEqual(choose(IMG_2, {}));
    expect(choose(IMG_3, auto)).toEqual(choose(IMG_3, {}));
    const own = { ...IMG_3, qualities: ['standard', 'auto'] };
    expect(choose(own, auto).quality).toBe('auto');
  });

  test('rejects more than one image for img-3', () => {
    expect(choose(IMG_3, { n: 1 }).count).toBe(1);
    const failure = refusal(IMG_3, { n: 2 });
    expect([failure.status, failure.param]).toEqual([400, 'n']);
    expect(failure.message).toContain('only 1');
  });

  test('accepts 1 to 10 images for img-2', () => {
    expect(choose(IMG_2, { n: 10 }).count).toBe(10);
    expect(refusal(IMG_2, { n: 11 }).message).toContain('1 to 10');
  });

  test('lists the sizes of the model for an unknown size', () => {
    expect(choose(IMG_2, { size: '256x256' }).size).toBe('256x256');
    const failure = refusal(IMG_3, { size: '256x256' });
    expect([failure.status, failure.code, failure.param]).toEqual([400, 'invalid_value', 'size']);
    for (const size of LARGE) expect(failure.message).toContain(size);
  });

  test('chooses only what the model lists, and rejects the rest by field', () => {
    const anything = fc.oneof(fc.constantFrom(...IMG_2.sizes, 'hd', 'vivid'), fc.string());
    fc.assert(
      fc.property(fc.constantFrom(IMG_2, IMG_3), anything, (model, value) => {
        if (model.sizes.includes(value)) expect(choose(model, { size: value }).size).toBe(value);
        else expect(refusal(model, { size: value }).param).toBe('size');
        for (const [field, allowed] of [
          ['quality', model.qualities],
          ['style', model.styles],
        ] as const) {
          const isDefault = value === (field === 'quality' ? 'standard' : 'vivid');
          if (allowed.includes(value)) expect(choose(model, { [field]: value })[field]).toBe(value);
          else if (!isDefault) expect(refusal(model, { [field]: value }).param).toBe(field);
        }
      }),
      { seed: 20261121 },
    );
  });

  test('accepts and ignores default quality and style on other models, and rejects other values', () => {
    const fields = { quality: 'standard', style: 'vivid' };
    expect(choose(IMG_2, fields)).toEqual(choose(IMG_2, {}));
    expect(refusal(IMG_2, { quality: 'hd' }).code).toBe('unsupported_parameter');
    expect(refusal(IMG_2, { style: 'natural' }).param).toBe('style');
  });

  test.each([
    ['stream', [false, null], [true]],
    ['partial_images', [0, null], [2]],
    ['background', ['auto', 'opaque', null], ['transparent']],
    ['output_format', ['png', null], ['jpeg', 'webp', 'gif']],
    ['output_compression', [100, null], [50, 0]],
    ['moderation', ['auto', null], ['low']],
  ])('without %s, a model accepts only what it does anyway', (param, harmless, refused) => {
    for (const value of harmless)
      expect(choose(IMG_2, { [param]: value })).toEqual(choose(IMG_2, {}));
    for (const value of refused) {
      const { code, param: named, message } = refusal(IMG_2, { [param]: value });
      expect([code, named]).toEqual(['unsupported_parameter', param]);
      expect(message).toContain(`send ${JSON.stringify(harmless[0])}`);
    }
  });

  const NEWER: ImageLimits = {
    ...IMG_2,
    qualities: ['medium', 'high'],
    backgrounds: ['auto', 'opaque', 'transparent'],
    moderations: ['auto', 'low'],
    outputFormats: ['png', 'jpeg', 'webp'],
    partialImages: 2,
  };

  test('a model with the newer parameters chooses what is asked, or its defaults', () => {
    expect(choose(NEWER, {})).toMatchObject({
      ...{ quality: 'medium', background: 'auto', moderation: 'auto', format: 'png' },
      ...{ compression: null, partialImages: null },
    });
    const asked = { background: 'transparent', moderation: 'low', output_format: 'webp' };
    const more = { output_compression: 0, stream: true, partial_images: 2 };
    expect(choose(NEWER, { ...asked, ...more })).toMatchObject({
      ...{ background: 'transparent', moderation: 'low', format: 'webp' },
      ...{ compression: 0, partialImages: 2 },
    });
    expect(choose(NEWER, { stream: true }).partialImages).toBe(0);
    expect(choose({ ...NEWER, outputFormats: ['jpeg'] }, {}).format).toBe('jpeg');
  });

  test.each([
    ['background', { background: 'transparent', output_format: 'jpeg' }],
    ['background', { background: 'blue' }],
    ['output_format', { output_format: 'gif' }],
    ['output_compression', { output_compression: 50 }],
    ['moderation', { moderation: 'high' }],
    ['partial_images', { stream: true, partial_images: 3 }],
    ['partial_images', { partial_images: 1 }],
    ['n', { stream: true, n: 2 }],
  ])('refuses %s in %j', (param, fields) => {
    expect(refusal(NEWER, fields).param).toBe(param);
  });

  test("truncates the caller's value in the message", () => {
    expect(refusal(IMG_3, { size: '9'.repeat(5000) }).message.length).toBeLessThan(300);
  });
});

describe('price of an image', () => {
  const card = new Map([
    ['1024x1024', 40],
    ['1024x1024/hd', 80],
    ['1792x1024', 60],
  ]);

  test("is the quality's if the card has one, otherwise the size's", () => {
    const price = (size: string, quality: string | null) => findByImage(card, size, quality);
    expect(price('1024x1024', 'hd')).toEqual({ key: '1024x1024/hd', value: 80 });
    expect(price('1024x1024', 'standard')).toEqual({ key: '1024x1024', value: 40 });
    expect(price('1024x1024', null)).toEqual({ key: '1024x1024', value: 40 });
    expect(price('1792x1024', 'hd')).toEqual({ key: '1792x1024', value: 60 });
    expect(price('256x256', null)).toBeNull();
  });

  test('key names the size, and the quality if there is one', () => {
    expect(priceKey('1024x1024', null)).toBe('1024x1024');
    expect(priceKey('1024x1024', 'hd')).toBe('1024x1024/hd');
  });
});
