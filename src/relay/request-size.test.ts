import { expect, test } from 'bun:test';
import { JsonScan } from '../json/scan.ts';
import { requestSize } from './request-size.ts';

function sizeOf(body: unknown) {
  const bytes = Uint8Array.from(new TextEncoder().encode(JSON.stringify(body)));
  const scan = new JsonScan({ maxDepth: 64 });
  return { ...requestSize(scan.finish(bytes, bytes.byteLength)), whole: bytes.byteLength };
}

const base64 = (bytes: number): string =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, at) => (at * 131) % 256)).toString('base64');

test('all of a body without media is text', () => {
  const { textBytes, mediaParts, whole } = sizeOf({ content: 'A long story. '.repeat(1000) });
  expect([textBytes, mediaParts]).toEqual([whole, 0]);
});

test('data URLs and bare base64 are media, and everything around them is text', () => {
  const image = base64(30_000);
  const url = `data:image/png;base64,${image}`;
  const { textBytes, mediaParts, whole } = sizeOf({
    messages: [{ image_url: { url } }, { source: { data: image } }, { text: 'What is this?' }],
  });
  expect(mediaParts).toBe(2);
  expect(textBytes).toBe(whole - url.length - image.length);
});

test('a payload may be padded, URL-safe, or have its slashes escaped', () => {
  const payload = base64(10_001);
  for (const text of [payload, payload.replaceAll('+', '-').replaceAll('/', '_')]) {
    expect(sizeOf({ data: text }).mediaParts).toBe(1);
  }
  const escaped = new TextEncoder().encode(`{"data":"${payload.replaceAll('/', '\\/')}"}`);
  const bytes = Uint8Array.from(escaped);
  const scanned = new JsonScan({ maxDepth: 8 }).finish(bytes, bytes.byteLength);
  expect(requestSize(scanned).mediaParts).toBe(1);
});

test('text that only begins like a payload is text: its whole length is held for', () => {
  const prose = 'and then some more words '.repeat(2000);
  for (const start of ['A'.repeat(300), `data:image/png;base64,${'A'.repeat(300)}`]) {
    expect(sizeOf({ content: start + prose }).mediaParts).toBe(0);
    expect(sizeOf({ content: `${start + prose}${'A'.repeat(300)}` }).mediaParts).toBe(0);
  }
});

test('text without spaces in another script is text', () => {
  expect(sizeOf({ content: '从前有座山山里有座庙'.repeat(500) }).mediaParts).toBe(0);
});
