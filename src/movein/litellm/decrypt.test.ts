import { expect, test } from 'bun:test';
import { Secret } from '../../config/secret.ts';
import { decryptedTexts, decryptWith } from './decrypt.ts';

/**
 * Texts that LiteLLM 1.109 encrypted with PyNaCl and with cryptography, using the salt key below.
 */
const BOX = 'JHr7jk90Z4t3FJx6fnipvLhmDGSUrMvUTdB8Oi7B-_qfIby_Gj25QNq-27S5hJeJjqQljBd6NZ-AZqg=';
const GCM = 'v2:gcm:yQarQeOQn-BYNNOSGHXmDJEdH_Wcn-eUjBs0LOw0UPfd8UOspqsHg4ruE08ifZM=';
const decrypt = decryptWith(new Secret('sk-salt-1234'));

test('opens what LiteLLM encrypted, in both of its formats', () => {
  expect([decrypt(BOX), decrypt(GCM)]).toEqual(['openai/gpt-4.1-mini', 'openai/gpt-4.1-mini']);
});

test('opens nothing with another key', () => {
  const other = decryptWith(new Secret('sk-salt-1235'));
  expect([other(BOX), other(GCM)]).toEqual([null, null]);
});

test.each([
  '',
  'plain text',
  'v2:gcm:',
  'v2:gcm:AAAA',
  BOX.slice(0, 40),
  `${GCM.slice(0, -8)}AAAAAAA=`,
])('returns null for %p, which is not encrypted or is broken', (text) => {
  expect(decrypt(text)).toBeNull();
});

test('opens each text of an object, and leaves numbers as they are', () => {
  expect(decryptedTexts({ model: BOX, rpm: 10, none: null }, decrypt)).toEqual({
    ...{ model: 'openai/gpt-4.1-mini', rpm: 10, none: null },
  });
  expect(decryptedTexts({ model: BOX, other: 'plain' }, decrypt)).toBeNull();
});
