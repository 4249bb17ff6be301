import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { maskKeys, maskSecrets, maskTexts, printable, renameModel } from './masking.ts';

describe('for callers', () => {
  test.each([
    'https://api.example.com/v1?x=1',
    'wss://10.0.0.1/live',
    '10.1.2.3:8080',
    '10.1.2.3',
    'localhost:8000',
    '[fd00::1:2:3]:8000',
    '::1',
    'gpu-3.svc.cluster.local',
    'vllm.internal',
    'gw.example.com:8443',
    'sk-proj-abcdef123456',
    'sk-***************abcd',
    'Bearer abc',
    'xai-0123456789abcdef',
    'hf_abcDEF0123456789',
    'AIzaSyA-1234567890abcdef',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig',
    'org-AbCdEfGh',
    'proj_a1b2c3d4',
    'acct_1234567890',
    'req_011CQabcdef',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    'arn:aws:bedrock:us-east-1:123456789012:model/x',
    'ops@example.com',
    'gsk_abcDEF0123456789',
    'pplx-0123456789abcdef',
    'Basic dXNlcjpwYXNz',
    'platform.example.com',
    'console.maker.ai/settings/keys',
  ])('%s is masked', (secret) => {
    const masked = maskSecrets(`see ${secret} for more`);
    expect(masked).toMatch(/^see \[(?:address|hidden)\] for more$/);
  });

  test('masks an id that only the word before it identifies', () => {
    expect(maskSecrets('failed (request id: 20261121abc)')).toBe('failed (request id: [hidden])');
    expect(maskSecrets('Organization ID "acme-inc"')).toBe('Organization ID [hidden]');
  });

  test.each([
    'user-provided content, key-value pairs, request-level limits, org-wide',
    'max_tokens must be at most 4096; see messages[0].content[1] and tools.0.name',
    'tool call call_abc123 has no answer; toolu_01A09q90qw90lq917835lq9 neither',
    'at 12:34:56 the ratio was 3:4, version 1.2.3',
    'messages.0.content, tools.0.input_schema.properties.a, foo.json, e.g. this: Basic authentication',
    'response_format, request_timeout and user_id are names of fields',
  ])('plain words stay: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

test('replaces control characters by blanks', () => {
  expect(printable('a\u001b[2Jb\r\n\tc\u009bd\u202ee – f')).toBe('a [2Jb c d e – f');
});

test('masks only the key in JSON', () => {
  expect(maskKeys('{"error":"no: Bearer abc-123","code":7}')).toBe(
    '{"error":"no: [hidden]","code":7}',
  );
});

test('masks only keys for the operator', () => {
  expect(maskKeys('sk-live-1234567890 of org-AbCdEf12 at https://x.example')).toBe(
    '[hidden] of org-AbCdEf12 at https://x.example',
  );
});

test('masks the longer of two overlapping texts', () => {
  expect(maskTexts('gw.example:8443', ['gw.example', 'gw.example:8443'])).toBe('[hidden]');
});

test('masks hidden texts in any surroundings', () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 20 })
    .filter((text) => !'[hidden]'.includes(text));
  fc.assert(
    fc.property(fc.string(), secret, fc.string(), (before, text, after) => {
      // Skips secrets with a character of `[hidden]`, because the mask itself could contain them.
      fc.pre(!/[[\]hiden]/.test(text));
      expect(maskTexts(`${before}${text}${after}`, [text])).not.toContain(text);
    }),
    { seed: 20261121 },
  );
});

test("replaces the upstream's name of a model where it is a separate word", () => {
  const names = { there: 'vendor/m.1', here: 'gen-x' };
  expect(renameModel('`vendor/m.1`: no', names)).toBe('`gen-x`: no');
  expect(renameModel('vendor/m.10 and vendorxm.1 stay', names)).toBe(
    'vendor/m.10 and vendorxm.1 stay',
  );
  expect(renameModel('$& vendor/m.1', { there: 'vendor/m.1', here: '$&' })).toBe('$& $&');
  expect(renameModel('same', { there: 'same', here: 'same' })).toBe('same');
  expect(renameModel('no: it failed', { there: '', here: 'gen-x' })).toBe('no: it failed');
});
