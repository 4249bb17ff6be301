import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mostTokens } from './text-tokens.ts';

const ROOT = join(import.meta.dir, '../../..');
/**
 * The size, in bytes, of a text that is long enough for its tokens to be counted. For shorter ASCII
 * text, each byte counts as one token.
 */
const LONG = 9 * 1024;

const UNLIMITED = Number.MAX_SAFE_INTEGER;
const bound = (text: string, atMost = UNLIMITED): number =>
  mostTokens(Buffer.from(text), [], atMost);
/**
 * Repeats this text until it is long enough for its tokens to be counted. Returns its bytes per
 * token.
 */
const density = (text: string): number => {
  const long = text.repeat(Math.ceil(LONG / Buffer.byteLength(text)));
  return Buffer.byteLength(long) / bound(long);
};
const normalizedBytes = (text: string): number => Buffer.byteLength(text.normalize('NFKC'));

const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at));
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Returns a long text in which these characters are evenly distributed. It is the same in every
 * run.
 */
function randomOf(letters: string): string {
  let state = 20_261_122;
  return Array.from({ length: 20_000 }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return letters[state % letters.length];
  }).join('');
}

describe('the most tokens of text', () => {
  test.each([
    // The number in each row is the lowest number of bytes per token in any vocabulary, measured in
    // 2026-11.
    ['random ASCII', ASCII, 1.23],
    ['base64', `${LOWER}${LOWER.toUpperCase()}0123456789+/`, 1.31],
    ['hexadecimal digits', '0123456789abcdef', 1.12],
    ['digits', '0123456789', 1],
    ['letters', LOWER, 1.66],
    ['rare letters', 'zqxjvk', 1.26],
  ])('is at least the tokens of %s in any vocabulary', (_name, letters, measured) => {
    expect(density(randomOf(letters))).toBeLessThanOrEqual(measured);
  });

  // Measured in 2026-11 with o200k, cl100k and p50k. An `A` merges with no letter after it here.
  test.each(['{z', '~z', '`q', '8  ', 'Afj', 'Aej', 'Aeo', 'Alm', 'Arv'])(
    'is a token a byte of %p, which no or not every vocabulary merges',
    (text) => {
      expect(density(text)).toBe(1);
    },
  );

  test('is two of three spaces in a row, as vocabularies merge all but the last', () => {
    expect(density('8   ')).toBeCloseTo(4 / 3);
    expect(density(`8${' '.repeat(7)}`)).toBeCloseTo(8 / 6);
  });

  test('is fewer than a token a byte for prose and code', () => {
    expect(density(readFileSync(join(ROOT, 'README.md'), 'utf8'))).toBeGreaterThan(1.3);
    expect(density(readFileSync(join(ROOT, 'src/relay/sell.ts'), 'utf8'))).toBeGreaterThan(1.3);
  });

  test('is a token a byte in other scripts', () => {
    expect(density('从前有座山山里有座庙')).toBe(1);
    expect(density('Съешь же ещё этих мягких булок')).toBeWithin(1, 1.1);
  });

  test('is never fewer than the bytes of any character that tokenizers normalize', () => {
    for (let code = 0x80; code <= 0x2ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      if (bound(text) < normalizedBytes(text)) throw new Error(`U+${code.toString(16)}`);
    }
    expect(bound('\ufdfa'.repeat(50))).toBe(50 * 33);
  });

  test('is never fewer than the bytes of any character above U+FFFF that is escaped', () => {
    for (let code = 0x10000; code <= 0x2ffff; code++) {
      const text = String.fromCodePoint(code);
      const [high = 0, low = 0] = [text.charCodeAt(0), text.charCodeAt(1)];
      const escaped = `\\u${high.toString(16)}\\u${low.toString(16)}`;
      if (bound(escaped) < normalizedBytes(text)) throw new Error(`U+${code.toString(16)}`);
    }
  });

  test('counts half of an escaped pair by itself', () => {
    expect(bound(String.raw`\ud834`)).toBe(3);
    expect(bound(String.raw`\ud834\n`)).toBe(4);
    expect(bound(String.raw`\ud834udd60`)).toBe(3 + 'udd60'.length - 1);
    expect(bound(String.raw`\udd60\ud834`)).toBe(6);
    expect(bound(String.raw`\ud834\ufdfa`)).toBe(36);
  });

  test('counts an escape as the character that it stands for', () => {
    expect(bound(String.raw`\ufdfa`)).toBe(33);
    expect(bound(String.raw`\u4e2d`)).toBe(3);
    expect(bound(String.raw`\ud834\udd60`)).toBe(bound('\u{1d160}') + 2);
    expect(bound(String.raw`\uD834\uDD60\ud834\udd60`)).toBe(2 * bound('\u{1d160}') + 4);
    expect(bound(String.raw`\n\n\"\u0041`)).toBe(6);
  });

  test('does not depend on where media stands', () => {
    const text = 'word '.repeat(4_000);
    const both = Buffer.from(`${text}${'A1'.repeat(5_000)}${text}`);
    const media = [{ start: text.length, end: text.length + 10_000 }];
    expect(mostTokens(both, media, UNLIMITED)).toBeWithin(2 * bound(text) - 3, 2 * bound(text) + 3);
    const start = Buffer.from(text.slice(0, 100));
    expect(mostTokens(start, [{ start: 0, end: 40 }], UNLIMITED)).toBe(60);
  });

  test('is a token a byte beyond a megabyte, which takes long to count', () => {
    const megabytes = 'word '.repeat(1024 * 1024);
    const counted = bound(megabytes.slice(0, 1024 * 1024));
    expect(bound(megabytes)).toBe(counted + megabytes.length - 1024 * 1024);
  });

  test.each([
    ['letters', 'word '.repeat(300_000)],
    ['escapes', '\\n'.repeat(600_000)],
    ['escaped letters', '\\u0041'.repeat(200_000)],
    ['Chinese', '从前有座山'.repeat(100_000)],
    ['a short text', 'word '],
  ])('of %s is at most what is asked for, and exact below', (_what, text) => {
    const exact = bound(text);
    for (const atMost of [1, exact - 1, exact, exact + 1, 2 * exact])
      expect(bound(text, atMost)).toBe(Math.min(exact, atMost));
  });

  test('of a text that surely has as many is not counted', () => {
    const unread = new Proxy(new Uint8Array(2_000_000), {
      get: (bytes, name) => {
        if (/^\d+$/.test(String(name))) throw new Error('a byte was read');
        return Reflect.get(bytes, name, bytes);
      },
    });
    expect(mostTokens(unread, [], 1_000_000)).toBe(1_000_000);
    expect(() => mostTokens(unread, [], 1_500_000)).toThrow('a byte was read');
  });
});
