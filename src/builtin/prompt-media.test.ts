import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { inspectMedia, mediaTokens, parseDataUrl } from './prompt-media.ts';

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#08f' } });

const inspect = (bytes: Buffer) =>
  inspectMedia('image', { kind: 'base64', data: bytes.toString('base64') }, {});

describe('media', () => {
  test.each([
    ['image/png', () => drawn(64, 48).png()],
    ['image/jpeg', () => drawn(64, 48).jpeg()],
    ['image/jpeg', () => drawn(64, 48).jpeg({ progressive: true })],
    ['image/gif', () => drawn(64, 48).gif()],
    ['image/webp', () => drawn(64, 48).webp()],
    ['image/webp', () => drawn(64, 48).webp({ lossless: true })],
    ['image/webp', () => drawn(64, 48).webp().withMetadata({ orientation: 1 })],
  ])('the size of %s is read from its bytes', async (mediaType, draw) => {
    const bytes = await draw().toBuffer();
    const expected = { mediaType, bytes: bytes.length, size: { width: 64, height: 48 } };
    expect(inspect(bytes)).toMatchObject(expected);
  });

  test('other bytes have no size', () => {
    for (const text of ['', 'hello', '\x89PNG', '\xff\xd8\xff', 'RIFF1234WEBP', 'GIF89a']) {
      expect(inspect(Buffer.from(text, 'latin1')).size).toBeNull();
    }
  });

  test('a JPEG with truncated or wrong segment lengths has no size', () => {
    const lying = Buffer.from('ffd8ffe00000ffffffffffff0000000000000000', 'hex');
    expect(inspect(lying).size).toBeNull();
  });

  test('detects a PDF by its first bytes and keeps a remote URL unread', () => {
    const pdf = inspectMedia(
      'file',
      { kind: 'base64', data: btoa('%PDF-1.7 ...') },
      { name: 'a.pdf' },
    );
    expect(pdf).toMatchObject({ mediaType: 'application/pdf', bytes: 12, name: 'a.pdf' });
    const remote = inspectMedia('image', { kind: 'url', url: 'https://example.com/a.png' }, {});
    expect(remote).toMatchObject({ bytes: null, size: null });
  });

  test('an image costs tokens by its pixels, up to a limit', () => {
    const image = (width: number, height: number) => ({
      ...inspect(Buffer.alloc(0)),
      size: { width, height },
    });
    expect(mediaTokens(image(750, 100))).toBe(100);
    expect(mediaTokens(image(1, 1))).toBe(1);
    expect(mediaTokens(image(10_000, 10_000))).toBe(1600);
  });

  test.each([
    ['data:image/png;base64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
    ['data:text/plain;charset=utf-8;base64,AAAA', { mediaType: 'text/plain', data: 'AAAA' }],
    ['data:text/plain,hello', null],
    ['https://example.com/', null],
  ])('%s', (url, expected) => {
    expect(parseDataUrl(url)).toEqual(expected);
  });
});
