import { expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { Secret } from './secret.ts';

const secret = new Secret('hush');

test('printing a secret in any form prints a mask', () => {
  for (const shown of [
    `${secret}`,
    `x${secret}`,
    String(secret),
    inspect({ secret }),
    inspect(secret, { showHidden: true }),
    Bun.inspect({ secret }),
    JSON.stringify({ secret }),
  ]) {
    expect(shown).toContain('***');
    expect(shown).not.toContain('hush');
  }
  expect(Object.values(secret)).toEqual([]);
});

test('its value is available on request', () => {
  expect(secret.reveal()).toBe('hush');
  expect(secret.matches('hush')).toBe(true);
  expect(secret.matches('hush ')).toBe(false);
  expect(secret.matches('')).toBe(false);
});
