import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { KeyStanding } from './account.ts';
import {
  KeyCache,
  LOOKUP_TIMEOUT_MS,
  MAX_KNOWN_KEYS,
  MAX_LOOKUPS,
  MAX_UNKNOWN_KEYS,
} from './key-cache.ts';
import { NO_LIMITS } from './limits/limits.ts';
import { DEFAULT_SCOPES, scopeBits } from './scopes.ts';

const standing = (accountId: string): KeyStanding => ({
  keyId: 'key_1',
  keyName: 'ci',
  keyStatus: 'active',
  expiresAtMs: null,
  revokedAtMs: null,
  accountId,
  accountStatus: 'active',
  allowExchange: true,
  priceList: null,
  secretUntilMs: null,
  limits: NO_LIMITS,
  accountExpiresAtMs: null,
  accountLimits: NO_LIMITS,
  scopes: scopeBits(DEFAULT_SCOPES),
});

test('bounds its entries, and invented keys evict no real one', async () => {
  const cache = new KeyCache(manualClock());
  for (let i = 0; i < MAX_KNOWN_KEYS + 5; i++) {
    await cache.lookUp(`known-${i}`, async () => standing('acc_1'));
  }
  for (let i = 0; i < MAX_UNKNOWN_KEYS + 5; i++) await cache.lookUp(`junk-${i}`, async () => null);
  expect(cache.size).toBe(MAX_KNOWN_KEYS + MAX_UNKNOWN_KEYS);
  expect(cache.peek('known-4')).toBeUndefined();
  expect(cache.peek('known-5')).toEqual(standing('acc_1'));
  expect(cache.peek('junk-4')).toBeUndefined();
  expect(cache.peek('junk-5')).toBeNull();
});

test('shares one lookup among concurrent callers of a key', async () => {
  const cache = new KeyCache(manualClock());
  let loads = 0;
  const load = async () => {
    loads += 1;
    await Promise.resolve();
    return standing('acc_1');
  };
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.lookUp('hash', load)));
  expect(loads).toBe(1);
  expect(new Set(answers).size).toBe(1);
});

test('does not cache a failed lookup, and rejects all its callers', async () => {
  const cache = new KeyCache(manualClock());
  const fails = async () => Promise.reject(new Error('down'));
  const both = await Promise.allSettled([cache.lookUp('hash', fails), cache.lookUp('hash', fails)]);
  expect(both.map((it) => it.status)).toEqual(['rejected', 'rejected']);
  expect(cache.peek('hash')).toBeUndefined();
  expect(await cache.lookUp('hash', async () => null)).toBeNull();
});

test('bounds concurrent lookups', async () => {
  const cache = new KeyCache(manualClock());
  const gate = Promise.withResolvers<null>();
  for (let i = 0; i < MAX_LOOKUPS; i++) void cache.lookUp(`${i}`, () => gate.promise);
  expect(cache.lookUp('one more', () => gate.promise)).toBe('busy');
  gate.resolve(null);
  await gate.promise;
  expect(await cache.lookUp('one more', async () => null)).toBeNull();
});

test('times out when the store hangs, and caches its late answer', async () => {
  const clock = manualClock();
  const cache = new KeyCache(clock);
  const gate = Promise.withResolvers<KeyStanding>();
  const refusal = { code: 'store_unavailable', retryAfterSeconds: 2 };
  const first = cache.lookUp('hash', () => gate.promise);
  clock.advance(LOOKUP_TIMEOUT_MS);
  await expect(first).rejects.toMatchObject(refusal);
  // The first lookup has timed out but is still running. Therefore no second lookup starts, and
  // callers get the error at once.
  const never = () => Promise.reject(new Error('a second lookup'));
  await expect(cache.lookUp('hash', never)).rejects.toMatchObject(refusal);

  gate.resolve(standing('acc_1'));
  await gate.promise;
  expect(cache.peek('hash')).toEqual(standing('acc_1'));
});

test('clears the deadline of a lookup that ends in time', async () => {
  const clock = manualClock();
  const cache = new KeyCache(clock);
  const answered = cache.lookUp('hash', async () => standing('acc_1'));
  await answered;
  clock.advance(LOOKUP_TIMEOUT_MS);
  expect(await answered).toEqual(standing('acc_1'));
});

test('drops the keys of an account and keeps the others', async () => {
  const cache = new KeyCache(manualClock());
  await cache.lookUp('one', async () => standing('acc_1'));
  await cache.lookUp('two', async () => standing('acc_2'));
  cache.forgetAccount('acc_1');
  expect(cache.peek('one')).toBeUndefined();
  expect(cache.peek('two')).toEqual(standing('acc_2'));
});
