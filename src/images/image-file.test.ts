import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { GatewayError } from '../errors.ts';
import { parsePixelSize, toImageFile } from './image-file.ts';
import { samplePng } from './image-store-conformance.fixture.ts';

const delivered = async (format: 'png' | 'jpeg' | 'webp', width: number, height: number) => {
  const background = { r: 200, g: 40, b: 40 };
  const create = { width, height, channels: 3 as const, background };
  return new Uint8Array(await sharp({ create }).toFormat(format).toBuffer());
};

const size = { width: 32, height: 16 };
const form = (format: 'png' | 'jpeg' | 'webp', compression: number | null = null) => ({
  ...{ format, size, compression },
});

describe('a file of the requested format and size', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('returns a correct %s unchanged', async (format) => {
    const bytes = await delivered(format, 32, 16);
    expect((await toImageFile(bytes, form(format, 50))).bytes === bytes).toBe(true);
  });

  test('converts another format or size', async () => {
    for (const source of [
      await delivered('jpeg', 32, 32),
      await delivered('webp', 32, 16),
      await delivered('png', 99, 7),
      await delivered('png', 32, 15),
      await delivered('png', 31, 16),
    ]) {
      for (const format of ['png', 'jpeg', 'webp'] as const) {
        const file = await toImageFile(source, form(format));
        expect(file.format).toBe(format);
        expect(await sharp(file.bytes).metadata()).toMatchObject({ format, ...size });
      }
    }
  });

  test('compresses JPEG and WebP as requested, 0 included', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 64, height: 64, channels: 3, background: '#888888', noise } as const;
    const source = new Uint8Array(await sharp({ create }).png().toBuffer());
    for (const format of ['jpeg', 'webp'] as const) {
      const sizes = await Promise.all(
        [0, 50, 100].map(async (each) => {
          const { bytes } = await toImageFile(source, form(format, each));
          return bytes.byteLength;
        }),
      );
      expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
      expect(new Set(sizes).size).toBe(3);
    }
  });

  test('fails with upstream_failed for bytes that are not an image', async () => {
    const torn = (await samplePng()).bytes.slice(0, 40);
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('<html>'), torn]) {
      const failure = await toImageFile(bytes, form('png')).catch((e) => e);
      expect(failure).toBeInstanceOf(GatewayError);
      expect(failure.code).toBe('upstream_failed');
    }
  });

  test('parses a size in one form only', () => {
    expect(parsePixelSize('1792x1024')).toEqual({ width: 1792, height: 1024 });
    for (const text of ['', '1024', '1024X1024', '0x10', '-1x5', ' 1x1', '1x1 ', '1e3x4', 'auto']) {
      expect(parsePixelSize(text)).toBeNull();
    }
  });
});
