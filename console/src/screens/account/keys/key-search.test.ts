import { describe, expect, test } from 'bun:test';
import { aKey } from '#keys/keys.fixture.ts';
import { keysThatPass } from './key-search.ts';

describe('the key list', () => {
  const now = Date.parse('2026-11-21T00:00:00Z');
  const keys = [
    aKey({ id: 'key_a', name: 'CI', created_at: '2026-01-01T00:00:00Z' }),
    aKey({ id: 'key_b', name: 'laptop', status: 'disabled', created_at: '2026-02-01T00:00:00Z' }),
    aKey({ id: 'key_c', name: 'old', status: 'revoked', created_at: '2026-03-01T00:00:00Z' }),
    aKey({ id: 'key_d', expires_at: '2026-11-20T00:00:00Z', created_at: '2026-04-01T00:00:00Z' }),
  ];
  const ids = (search: Parameters<typeof keysThatPass>[1]) =>
    keysThatPass(keys, search, now).map(({ id }) => id);

  test('hides revoked keys and sorts newest first', () => {
    expect(ids({})).toEqual(['key_d', 'key_b', 'key_a']);
    expect(ids({ state: 'all' })).toEqual(['key_d', 'key_c', 'key_b', 'key_a']);
    expect(ids({ state: 'expired' })).toEqual(['key_d']);
    expect(ids({ state: 'active' })).toEqual(['key_a']);
  });

  test('is searched by name, masked key and id', () => {
    expect(ids({ q: 'LAP' })).toEqual(['key_b']);
    expect(ids({ q: 'key_a' })).toEqual(['key_a']);
    expect(ids({ q: 'wxyz', state: 'revoked' })).toEqual(['key_c']);
  });
});
