import { expect, test } from 'bun:test';
import { isProxied, requireOutgoingRequests } from './runtime.ts';

test('refuses a start without the launcher and names what to start', () => {
  for (const value of [undefined, '', 'many', '256']) {
    expect(() => requireOutgoingRequests({ BUN_CONFIG_MAX_HTTP_REQUESTS: value })).toThrow(
      /BUN_CONFIG_MAX_HTTP_REQUESTS: must be at least 1024.*npm start/,
    );
  }
  expect(requireOutgoingRequests({ BUN_CONFIG_MAX_HTTP_REQUESTS: '16384' })).toBeUndefined();
});

test('detects proxied requests by the variables that the runtime reads', () => {
  const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'localhost, .corp.example,10.0.0.1' };
  expect(isProxied('https://api.example.com/v1', env)).toBe(true);
  expect(isProxied('http://api.example.com/v1', env)).toBe(false);
  expect(isProxied('http://api.example.com/v1', { http_proxy: 'http://proxy:3128' })).toBe(true);
  for (const host of ['localhost:8000', 'corp.example', 'vllm.corp.example', '10.0.0.1']) {
    expect(isProxied(`https://${host}/v1`, env)).toBe(false);
  }
  expect(isProxied('https://notcorp.example', env)).toBe(true);
  expect(isProxied('https://api.example.com', { ...env, NO_PROXY: '*' })).toBe(false);
  expect(isProxied('https://api.example.com', {})).toBe(false);
});
