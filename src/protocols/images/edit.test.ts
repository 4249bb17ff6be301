import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { scanWhole } from '../../json/scan.ts';
import { checkInputs, MAX_INPUT_IMAGES, readEditForm, readEditJson } from './edit.ts';
import type { Form } from './form.ts';

/** Returns the header of a PNG file of this size. The gateway reads only the header. */
function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  bytes.set(new TextEncoder().encode('IHDR'), 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}
const SMALL = png(32, 16);
const JPEG = Uint8Array.fromHex('ffd8ffc0001108000800100000');
const GIF = new TextEncoder().encode('GIF89a\x10\0\x10\0');
const FIELDS = { model: 'img-x', prompt: 'a red boat' };

const form = (
  files: readonly (readonly [string, Uint8Array<ArrayBuffer>])[],
  fields = {},
): Form => ({
  fields: new Map(Object.entries({ ...FIELDS, ...fields })),
  files: files.map(([name, bytes]) => ({ name, bytes })),
});
const json = (body: object) => {
  const bytes = new Uint8Array(Buffer.from(JSON.stringify({ ...FIELDS, ...body })));
  return scanWhole(bytes, { maxDepth: 64 });
};
const url = (bytes: Uint8Array, type = 'image/png') => `data:${type};base64,${bytes.toBase64()}`;

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.status} ${thrown.code} ${thrown.param}`;
    throw thrown;
  }
  throw new Error('the edit should have been refused');
}

describe('an edit as a form', () => {
  test.each(['image', 'image[]', 'image[0]'])('has its images as files named %s', (name) => {
    const { request, inputs } = readEditForm(
      form([
        [name, SMALL],
        [name, JPEG],
        ['mask', SMALL],
      ]),
    );
    expect(request).toMatchObject({ model: 'img-x', prompt: 'a red boat', n: null });
    expect(inputs.images.map(({ mediaType, size }) => ({ mediaType, size }))).toEqual([
      { mediaType: 'image/png', size: { width: 32, height: 16 } },
      { mediaType: 'image/jpeg', size: { width: 16, height: 8 } },
    ]);
    expect(inputs.images[0]?.bytes === SMALL).toBe(true);
    expect(inputs.mask?.bytes === SMALL).toBe(true);
  });

  test('has numbers, flags and the provider as text', () => {
    const fields = { n: '2', stream: 'true', partial_images: '1', output_compression: '80' };
    const nested = { 'provider[channel]': 'economical', 'provider[allow_fallbacks]': 'false' };
    const read = {
      ...{ n: 2, stream: true, partialImages: 1, outputCompression: 80 },
      ...{ channel: 'economical', allowFallbacks: false },
    };
    expect(readEditForm(form([['image', SMALL]], { ...fields, ...nested })).request).toMatchObject(
      read,
    );
    const provider = '{"channel":"economical","allow_fallbacks":false}';
    expect(readEditForm(form([['image', SMALL]], { ...fields, provider })).request).toMatchObject(
      read,
    );
  });

  test('keeps an unknown field apart', () => {
    const { others } = readEditForm(form([['image', SMALL]], { input_fidelity: 'high' })).request;
    expect(others).toEqual({ input_fidelity: 'high' });
  });

  test.each([
    ['no image', form([]), '400 missing_required_parameter image'],
    ['only a mask', form([['mask', SMALL]]), '400 missing_required_parameter image'],
    [
      'another file',
      form([
        ['image', SMALL],
        ['markup', SMALL],
      ]),
      '400 unsupported_parameter markup',
    ],
    ['a case variant', form([['Image', SMALL]]), '400 unsupported_parameter Image'],
    [
      'two masks',
      form([
        ['image', SMALL],
        ['mask', SMALL],
        ['mask', SMALL],
      ]),
      '400 unsupported_parameter mask',
    ],
    ['an image as text', form([], { image: 'https://x/a.png' }), '400 invalid_value image'],
    ['a GIF', form([['image', GIF]]), '400 invalid_value image[0]'],
    [
      'a page',
      form([
        ['image', SMALL],
        ['image', new TextEncoder().encode('<svg/>')],
      ]),
      '400 invalid_value image[1]',
    ],
    ['a torn PNG', form([['image', SMALL.slice(0, 12)]]), '400 invalid_value image[0]'],
    ['no width', form([['image', png(0, 16)]]), '400 invalid_value image[0]'],
    ['a bomb', form([['image', png(60_000, 60_000)]]), '400 invalid_value image[0]'],
    [
      'a mask of another size',
      form([
        ['image', SMALL],
        ['mask', png(16, 32)],
      ]),
      '400 invalid_value mask',
    ],
    [
      'a JPEG as the mask',
      form([
        ['image', JPEG],
        ['mask', JPEG],
      ]),
      '400 invalid_value mask',
    ],
    ['a number in words', form([['image', SMALL]], { n: 'two' }), '400 invalid_value n'],
    ['a flag in words', form([['image', SMALL]], { stream: 'yes' }), '400 invalid_value stream'],
    [
      'a variant of a field',
      form([['image', SMALL]], { Prompt: 'x' }),
      '400 unsupported_parameter Prompt',
    ],
  ])('with %s is refused', (_what, given, expected) => {
    expect(refusal(() => readEditForm(given))).toBe(expected);
  });
});

describe('an edit as JSON', () => {
  const LONG = 'a boat in a storm, '.repeat(100);
  const LARGE = new Uint8Array([...SMALL, ...new Uint8Array(40_000).fill(0xff)]);

  test.each([
    ['image', url(SMALL), [SMALL]],
    ['image', [url(SMALL), url(JPEG, 'image/jpeg')], [SMALL, JPEG]],
    ['images', [{ image_url: url(SMALL) }, { url: url(JPEG, 'image/jpeg') }], [SMALL, JPEG]],
    ['images', [{ image_url: url(LARGE) }, url(LARGE)], [LARGE, LARGE]],
  ])('has its images as data URLs in %s', (name, given, expected) => {
    const body = json({ [name]: given, mask: url(SMALL), prompt: LONG, n: 2 });
    const { request, inputs } = readEditJson(body);
    expect(request).toMatchObject({ prompt: LONG, n: 2, others: {} });
    expect(inputs.images.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
      expected.map((bytes) => Buffer.from(bytes).toString('hex')),
    );
    expect(inputs.mask?.size).toEqual({ width: 32, height: 16 });
  });

  test('decodes a large image within the body', () => {
    const body = json({ image: url(LARGE) });
    expect(readEditJson(body).inputs.images[0]?.bytes.buffer === body.bytes.buffer).toBe(true);
  });

  test.each([
    ['no image', {}, '400 missing_required_parameter image'],
    ['an empty list', { images: [] }, '400 missing_required_parameter image'],
    ['a URL', { image: 'https://x.example/a.png' }, '400 invalid_value image[0]'],
    [
      'a URL in an object',
      { images: [{ image_url: 'https://x/a.png' }] },
      '400 invalid_value images[0]',
    ],
    [
      'a file id',
      { images: [{ file_id: 'file_1' }] },
      '400 unsupported_parameter images[0].file_id',
    ],
    ['a number', { image: 7 }, '400 invalid_value image[0]'],
    ['both names', { image: url(SMALL), images: [url(SMALL)] }, '400 invalid_value image'],
    ['broken base64', { image: 'data:image/png;base64,*' }, '400 invalid_value image[0]'],
    ['text', { image: url(Buffer.from('<svg/>'), 'image/svg+xml') }, '400 invalid_value image[0]'],
    [
      'too many',
      { image: Array.from({ length: MAX_INPUT_IMAGES + 1 }, () => url(SMALL)) },
      '400 invalid_value image',
    ],
    ['a case variant', { image: url(SMALL), Mask: url(SMALL) }, '400 unsupported_parameter Mask'],
    ['a wrong mask', { image: url(SMALL), mask: url(png(1, 1)) }, '400 invalid_value mask'],
  ])('with %s is refused', (_what, body, expected) => {
    expect(refusal(() => readEditJson(json(body)))).toBe(expected);
  });
});

test('a model edits as many images as it lists, or none', () => {
  const { inputs } = readEditForm(
    form([
      ['image', SMALL],
      ['image', SMALL],
    ]),
  );
  checkInputs(inputs, { id: 'img-x', maxInputImages: 2 });
  expect(refusal(() => checkInputs(inputs, { id: 'img-x', maxInputImages: 1 }))).toBe(
    '400 invalid_value image',
  );
  expect(refusal(() => checkInputs(inputs, { id: 'img-x', maxInputImages: 0 }))).toBe(
    '400 wrong_endpoint model',
  );
});
