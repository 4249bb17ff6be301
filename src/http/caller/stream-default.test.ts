import { describe, expect, test } from 'bun:test';
import { wantsStream } from './text-routes.ts';

const headers = (accept: string | null, agent: string): Headers =>
  new Headers({ 'user-agent': agent, ...(accept === null ? {} : { accept }) });

describe('a chat request without stream, as each client sends it', () => {
  test.each([
    ['openai npm', 'application/json', 'OpenAI/JS 7.55.0', false],
    ['openai PyPI', 'application/json', 'OpenAI/Python 3.22.1', false],
    ['AI SDK 7', '*/*', 'ai/7.0.173 ai-sdk-provider-utils/5.0.0', false],
    ['AI SDK 4', '*/*', 'node', false],
    ['curl', '*/*', 'curl/7.88.1', true],
    ['wget', null, 'Wget/1.21', true],
    ['HTTPie asking for JSON', 'application/json, */*;q=0.5', 'HTTPie/3.2', false],
    ['a browser EventSource', 'text/event-stream', 'Mozilla/5.0', true],
  ])('%s', (_client, accept, agent, expected) => {
    expect(wantsStream(null, 'negotiate', headers(accept, agent))).toBe(expected);
  });

  test('a fixed setting decides', () => {
    expect(wantsStream(null, 'always', headers('application/json', 'OpenAI/JS'))).toBe(true);
    expect(wantsStream(null, 'never', headers('*/*', 'curl/8'))).toBe(false);
  });
});

test('the body always wins', () => {
  for (const setting of ['negotiate', 'always', 'never'] as const) {
    expect(wantsStream(true, setting, headers('application/json', 'x'))).toBe(true);
    expect(wantsStream(false, setting, headers('*/*', 'curl/8'))).toBe(false);
  }
});
