import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { GatewayError } from '../errors.ts';
import { samplePng } from './image-store-conformance.fixture.ts';
import { parsePixelSize, readPngSize, toPngOfSize } from './png.ts';

const delivered = async (format: 'png' | 'jpeg' | 'webp', width: number, height: number) => {
  const background = { r: 200, g: 40, b: 40 };
  const create = { width, height, channels: 3 as const, background };
  return new Uint8Array(await sharp({ create }).toFormat(format).toBuffer());
};

describe('PNG of the requested size', () => {
  test('returns a correct PNG unchanged', async () => {
    const png = await delivered('png', 32, 16);
    expect((await toPngOfSize(png, { width: 32, height: 16 })) === png).toBe(true);
  });

  test('converts another format or size', async () => {
    for (const source of [
      await delivered('jpeg', 32, 32),
      await delivered('webp', 32, 16),
      await delivered('png', 99, 7),
      await delivered('png', 32, 15),
      await delivered('png', 31, 16),
    ]) {
      const png = await toPngOfSize(source, { width: 32, height: 16 });
      expect(readPngSize(png)).toEqual({ width: 32, height: 16 });
    }
  });

  test('fails with upstream_failed for bytes that are not an image', async () => {
    const torn = (await samplePng()).slice(0, 40);
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('<html>'), torn]) {
      const failure = await toPngOfSize(bytes, { width: 32, height: 16 }).catch((e) => e);
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

  test('reads the size of a PNG header only', () => {
    expect(readPngSize(new Uint8Array(24))).toBeNull();
    expect(readPngSize(new Uint8Array([0x89, 0x50]))).toBeNull();
  });
});
