import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../../errors.ts';
import { SEAL_PREFIX, type SealedReasoning, Seals } from './seal.ts';

const SEED = { seed: 20_261_122 };
const seals = new Seals('the secret of this installation');
const PARAM = 'input[2].encrypted_content';

const NOTHING: SealedReasoning = { text: '', details: [], calls: {} };
const REASONING: SealedReasoning = {
  text: 'I think.',
  details: [{ type: 'reasoning.text', text: 'I think.', signature: 'EqQB', index: 0 }],
  calls: { call_1: { google: { thought_signature: 'AbC' } } },
};

function failureOf(sealed: string, by = seals): GatewayError {
  try {
    by.unseal(sealed, PARAM);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('the seal was accepted');
}

describe('sealed reasoning', () => {
  test.each([NOTHING, REASONING, { ...NOTHING, text: 'a' }, { ...NOTHING, calls: { c: {} } }])(
    'comes back as it was: %j',
    (reasoning) => {
      const sealed = seals.seal(reasoning);
      expect(sealed).toMatch(/^modelgate-responses-1\.[A-Za-z0-9_-]+$/);
      expect(seals.unseal(sealed, PARAM)).toEqual(reasoning);
    },
  );

  test('comes back whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, id) => {
        const reasoning = { text, details: [{ text }], calls: { [id]: { text } } };
        expect(seals.unseal(seals.seal(reasoning), PARAM)).toEqual(reasoning);
      }),
      SEED,
    );
  });

  test('is the same text every time, so that a prompt cache still matches', () => {
    expect(seals.seal(REASONING)).toBe(seals.seal(REASONING));
  });

  test('is read by another node with the same secret', () => {
    const other = new Seals('the secret of this installation');
    expect(other.unseal(seals.seal(REASONING), PARAM)).toEqual(REASONING);
  });

  test('is null for reasoning that a provider encrypted', () => {
    expect(seals.unseal('gAAAAABo', PARAM)).toBeNull();
    expect(seals.unseal('', PARAM)).toBeNull();
  });

  test('of another installation is refused with its place', () => {
    const error = failureOf(seals.seal(REASONING), new Seals('another secret'));
    expect(error).toMatchObject({ code: 'invalid_encrypted_content', status: 400, param: PARAM });
  });

  test('is refused when any character was changed or cut off', () => {
    const sealed = seals.seal(REASONING);
    for (let at = SEAL_PREFIX.length; at < sealed.length - 1; at++) {
      const changed = sealed[at] === 'A' ? 'B' : 'A';
      const tampered = sealed.slice(0, at) + changed + sealed.slice(at + 1);
      expect(failureOf(tampered).code).toBe('invalid_encrypted_content');
      expect(failureOf(sealed.slice(0, at)).code).toBe('invalid_encrypted_content');
    }
  });
});
