import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { base64InPlace } from './edit.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

test('decodes a data URL of any length into its own memory, escaped slashes included', () => {
  fc.assert(
    fc.property(
      // Some lengths are close to that of one chunk, which has 64 K characters and encodes 48 KiB.
      fc.oneof(
        fc.nat(9),
        fc.integer({ min: 49_140, max: 49_160 }),
        fc.integer({ min: 0, max: 150_000 }),
      ),
      fc.boolean(),
      fc.nat(255),
      (length, isEscaped, first) => {
        const content = new Uint8Array(length).map((_, at) => first + at * 7);
        const base64 = content.toBase64();
        const text = `data:image/png;base64,${isEscaped ? base64.replaceAll('/', '\\/') : base64}`;
        const body = bytesOf(text);
        const decoded = base64InPlace(body);
        expect(Buffer.from(decoded ?? []).equals(content)).toBe(true);
        expect(decoded?.buffer).toBe(body.buffer);
      },
    ),
    { seed: 20_261_122, numRuns: 200 },
  );
});

test.each(['A', 'AAA*', 'AA==AA==', '\\u0041AAA', `${'A'.repeat(70_000)}*AAA`])(
  'is null for invalid base64',
  (base64) => {
    expect(base64InPlace(bytesOf(`data:x;base64,${base64}`))).toBeNull();
  },
);
