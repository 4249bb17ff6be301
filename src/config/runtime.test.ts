import { expect, test } from 'bun:test';
import { requireOutgoingRequests } from './runtime.ts';

test('a start without the launcher is refused, with what to start instead', () => {
  for (const value of [undefined, '', 'many', '256']) {
    expect(() => requireOutgoingRequests({ BUN_CONFIG_MAX_HTTP_REQUESTS: value })).toThrow(
      /BUN_CONFIG_MAX_HTTP_REQUESTS: must be at least 1024.*npm start/,
    );
  }
  expect(requireOutgoingRequests({ BUN_CONFIG_MAX_HTTP_REQUESTS: '16384' })).toBeUndefined();
});
