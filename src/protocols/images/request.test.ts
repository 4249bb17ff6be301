import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import * as z from 'zod';
import { GatewayError } from '../../errors.ts';
import { imagesRequestSchema, MAX_PROMPT_CHARACTERS, readImagesRequest } from './request.ts';

const MINIMAL = { model: 'img-3', prompt: 'a red cube on sand' };

/** The values of these optional parameters when a request omits all of them. */
const NO_OPTIONS = {
  background: null,
  moderation: null,
  outputFormat: null,
  outputCompression: null,
  stream: false,
  partialImages: null,
};

/** Returns the code and the parameter of the error. */
function refusal(body: Record<string, unknown>): string {
  try {
    readImagesRequest(body);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.code} ${thrown.param}`;
    throw thrown;
  }
  return 'accepted';
}

describe('images request', () => {
  test('requires only model and prompt; absent and null mean the default', () => {
    const read = readImagesRequest(MINIMAL);
    expect(read).toEqual({
      ...MINIMAL,
      n: null,
      size: null,
      quality: null,
      style: null,
      ...NO_OPTIONS,
      responseFormat: null,
      channel: null,
      allowFallbacks: true,
      user: null,
      others: {},
    });
    const nulls = {
      n: null,
      size: null,
      quality: null,
      style: null,
      response_format: null,
      user: null,
      provider: null,
      stream: null,
      background: null,
      output_format: null,
    };
    expect(readImagesRequest({ ...MINIMAL, ...nulls })).toEqual(read);
    const provider = { channel: null, allow_fallbacks: null };
    expect(readImagesRequest({ ...MINIMAL, provider })).toEqual(read);
  });

  test('reads every field', () => {
    expect(
      readImagesRequest({
        ...MINIMAL,
        n: 2,
        size: '512x512',
        quality: 'hd',
        style: 'natural',
        response_format: 'b64_json',
        user: 'u-1',
        provider: { channel: 'economical', allow_fallbacks: false },
      }),
    ).toEqual({
      ...MINIMAL,
      n: 2,
      size: '512x512',
      quality: 'hd',
      style: 'natural',
      ...NO_OPTIONS,
      responseFormat: 'b64_json',
      channel: 'economical',
      allowFallbacks: false,
      user: 'u-1',
      others: {},
    });
  });

  test('reports a missing model or prompt', () => {
    expect(refusal({ prompt: 'x' })).toBe('missing_required_parameter model');
    expect(refusal({ model: null, prompt: 'x' })).toBe('missing_required_parameter model');
    expect(refusal({ model: 'img-3' })).toBe('missing_required_parameter prompt');
    expect(refusal({ model: 'img-3', prompt: null })).toBe('missing_required_parameter prompt');
  });

  test('limits a prompt to 1 to 32000 characters', () => {
    const prompt = 'x'.repeat(MAX_PROMPT_CHARACTERS);
    expect(refusal({ ...MINIMAL, prompt })).toBe('accepted');
    expect(refusal({ ...MINIMAL, prompt: `${prompt}x` })).toBe('invalid_value prompt');
    expect(refusal({ ...MINIMAL, prompt: '' })).toBe('invalid_value prompt');
  });

  test('accepts any string as channel, since an unknown one is not an error', () => {
    expect(readImagesRequest({ ...MINIMAL, provider: { channel: 'zzz' } }).channel).toBe('zzz');
    expect(refusal({ ...MINIMAL, provider: 'direct' })).toBe('invalid_value provider');
    expect(refusal({ ...MINIMAL, provider: ['direct'] })).toBe('invalid_value provider');
    expect(refusal({ ...MINIMAL, provider: { channel: 1 } })).toBe(
      'invalid_value provider.channel',
    );
  });

  test('rejects a field of the wrong type by name', () => {
    const wrong: Record<string, readonly unknown[]> = {
      model: [1, {}, '', []],
      prompt: [1, {}, ['x']],
      n: [0, -1, 1.5, '1', true, {}],
      size: [1024, {}],
      quality: [1, false],
      style: [1, []],
      response_format: ['b64', 'URL', 1],
      user: [1],
      background: [1, true],
      moderation: [1],
      output_format: [1],
      output_compression: [-1, 101, 1.5, '50'],
      stream: ['yes', 1],
      partial_images: [-1, 4, 1.5, '1'],
    };
    for (const [param, values] of Object.entries(wrong)) {
      for (const value of values) {
        expect(refusal({ ...MINIMAL, [param]: value })).toBe(`invalid_value ${param}`);
      }
    }
  });

  test('reads the newer parameters', () => {
    const given = { background: 'transparent', moderation: 'low', output_format: 'webp' };
    const more = { output_compression: 0, stream: true, partial_images: 3 };
    expect(readImagesRequest({ ...MINIMAL, ...given, ...more })).toMatchObject({
      ...{ background: 'transparent', moderation: 'low', outputFormat: 'webp' },
      ...{ outputCompression: 0, stream: true, partialImages: 3 },
    });
  });

  test('reads any JSON or rejects it with a field', () => {
    const field = fc.constantFrom(
      'model',
      'prompt',
      'n',
      'size',
      'stream',
      'provider',
      'user',
      'x',
    );
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (body) => {
        expect(refusal(body)).toMatch(
          /^(accepted|(missing_required|unsupported)_parameter \w+|invalid_value [\w.]+)$/,
        );
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  test('accepts unknown fields', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (name, value) => {
        expect(readImagesRequest({ [`x_${name}`]: value, ...MINIMAL }).prompt).toBe(MINIMAL.prompt);
      }),
      { seed: 20261121 },
    );
  });

  test('keeps unknown fields apart and rejects case variants of known ones', () => {
    const others = { input_fidelity: 'high', svg: { model: 'm' } };
    expect(readImagesRequest({ ...MINIMAL, ...others }).others).toEqual(others);
    for (const name of ['N', 'Size', 'QUALITY', 'Partial_Images'])
      expect(refusal({ ...MINIMAL, [name]: 1 })).toBe(`unsupported_parameter ${name}`);
  });

  test('the published schema names the fields and requires model and prompt', () => {
    expect(z.toJSONSchema(imagesRequestSchema(), { io: 'input' })['required']).toEqual([
      'model',
      'prompt',
    ]);
    expect(z.toJSONSchema(imagesRequestSchema(), { io: 'input' })['properties']).toHaveProperty(
      'response_format',
    );
  });
});
