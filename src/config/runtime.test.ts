import { expect, test } from 'bun:test';
import { isProxied, requireOutgoingRequests, sendDirectly } from './runtime.ts';

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

test('calls no request proxied that the runtime sends directly', () => {
  const isDirect = (NO_PROXY: string, address: string) =>
    !isProxied(address, { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY });
  for (const exception of ['CORP.example', '*.corp.example', 'corp.example.', 'corp.example:443']) {
    expect(isDirect(exception, 'https://vllm.corp.example/v1')).toBe(true);
    expect(isDirect(`localhost ${exception}`, 'https://corp.example./v1')).toBe(true);
    expect(isDirect(exception, 'https://notcorp.example/v1')).toBe(false);
  }
  expect(isDirect('corp.example:8443', 'https://corp.example:8443/v1')).toBe(true);
  expect(isDirect('corp.example:8443', 'https://corp.example/v1')).toBe(false);
  for (const proxy of ['proxy:3128', 'none://proxy', 'not a url']) {
    expect(isProxied('https://api.example.com/v1', { HTTPS_PROXY: proxy })).toBe(false);
  }
});

test.each([{}, { NO_PROXY: 'corp.example' }, { NO_PROXY: 'no', no_proxy: 'corp.example' }])(
  'sends requests to one more host directly, beside %o',
  (exceptions) => {
    const env: Record<string, string> = { HTTP_PROXY: 'http://proxy:3128', ...exceptions };
    const isListed = Object.keys(exceptions).length > 0;
    sendDirectly('127.0.0.1', env);
    expect(isProxied('http://127.0.0.1:8787', env)).toBe(false);
    expect(isProxied('http://corp.example', env)).toBe(!isListed);
    expect(isProxied('http://api.example.com', env)).toBe(true);
  },
);
