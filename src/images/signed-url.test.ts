import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { manualClock } from '../clock.fixture.ts';
import { newImageId } from './image-store.ts';
import { ImageUrls, type SigningKey } from './signed-url.ts';

const HOUR_MS = 3_600_000;
const key = (version: number, fill: number): SigningKey => ({
  version,
  secret: new Uint8Array(32).fill(fill),
});

function urlsAt(publicUrl = 'https://models.example') {
  const clock = manualClock();
  const urls = new ImageUrls({ publicUrl, keys: [key(1, 7)], lifetimeMs: HOUR_MS, clock });
  return { clock, urls, id: newImageId('png', clock) };
}

/** Verifies an image URL as the download route does. */
function open(urls: ImageUrls, address: string) {
  const url = new URL(address);
  return urls.verify(url.pathname.slice(url.pathname.lastIndexOf('/') + 1), url.searchParams);
}

describe('signed image URL', () => {
  test('starts with the public URL, with or without slash or folder', () => {
    for (const base of ['https://models.example', 'http://10.0.0.1:8787/ai/']) {
      const { urls, id } = urlsAt(base);
      const { url } = urls.sign(id);
      expect(url.startsWith(`${base.replace(/\/$/, '')}/files/${id}?exp=`)).toBe(true);
      expect(open(urls, url)?.id).toBe(id);
    }
  });

  test('is valid until it expires', () => {
    const { urls, id, clock } = urlsAt();
    const { url, expiresAtSeconds } = urls.sign(id);
    expect(expiresAtSeconds).toBe((clock.nowMs() + HOUR_MS) / 1000);
    expect(open(urls, url)?.secondsLeft).toBe(3600);
    clock.advance(HOUR_MS - 1);
    expect(open(urls, url)?.secondsLeft).toBe(1);
    clock.advance(1);
    expect(open(urls, url)).toBeNull();
  });

  test('is invalid with any character changed', () => {
    const { urls, id } = urlsAt();
    const { url } = urls.sign(id);
    const from = url.indexOf('/files/') + '/files/'.length;
    const alphabet = '0123456789abcdefABCDEFxyzXYZ-_.&=?';
    for (let at = from; at < url.length; at++) {
      for (const other of alphabet) {
        if (other === url[at]) continue;
        expect(open(urls, `${url.slice(0, at)}${other}${url.slice(at + 1)}`)).toBeNull();
      }
      expect(open(urls, `${url.slice(0, at)}${url.slice(at + 1)}`)).toBeNull();
    }
  });

  test('is invalid with a later expiry, another image or a missing part', () => {
    const { urls, id, clock } = urlsAt();
    const { url, expiresAtSeconds } = urls.sign(id);
    expect(open(urls, url.replace(`exp=${expiresAtSeconds}`, 'exp=9999999999'))).toBeNull();
    expect(open(urls, url.replace(id, newImageId('png', clock)))).toBeNull();
    expect(open(urls, url.replace('.png', ''))).toBeNull();
    expect(open(urls, url.replace(/&sig=.*/, ''))).toBeNull();
    expect(open(urls, url.replace(/exp=\d+&/, ''))).toBeNull();
    expect(open(urls, url.replace('sig=1.', 'sig=2.'))).toBeNull();
  });

  test('is invalid for a name that is not an id', () => {
    const { urls, id } = urlsAt();
    const query = new URL(urls.sign(id).url).searchParams;
    const seed = 20261121;
    const pieces = fc.constantFrom('..', '/', '%2e', '\\', '\0', '.png', id, 'etc', 'passwd');
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (name) => {
          expect(urls.verify(name, query)?.id ?? null).toBe(name === id ? id : null);
        },
      ),
      { seed },
    );
  });

  test('a new key signs, an old key still verifies, a removed one does not', () => {
    const clock = manualClock();
    const id = newImageId('png', clock);
    const made = (keys: [SigningKey, ...SigningKey[]]) =>
      new ImageUrls({ publicUrl: 'https://models.example', keys, lifetimeMs: HOUR_MS, clock });
    const before = made([key(1, 7)]).sign(id).url;
    const rotated = made([key(2, 9), key(1, 7)]);
    expect(open(rotated, before)?.id).toBe(id);
    expect(rotated.sign(id).url).toContain('&sig=2.');
    expect(open(made([key(2, 9)]), before)).toBeNull();
    expect(open(made([key(1, 8)]), before)).toBeNull();
  });
});
