import { expect, test } from 'bun:test';
import { dialectOf, unknownUrl } from './unknown-url.ts';

const URL = 'https://models.example';
const dialectOfPath = (path: string, headers: Record<string, string> = {}) =>
  dialectOf(path, new Headers(headers));
const messageOf = (path: string): string => unknownUrl('POST', path, URL).message;

test.each([
  '/v2/v1/messages',
  '/v1/v1/messages',
  '/messages',
  '/messages/count_tokens',
  '/v1/messages/',
])('%s names the base URL for Messages clients', (path) => {
  expect(dialectOfPath(path)).toBe('anthropic');
  expect(messageOf(path)).toContain(`Anthropic clients take ${URL} as their base URL`);
  expect(messageOf(path)).toContain(`POST ${URL}/v1/messages`);
});

test.each([
  ['/chat/completions', '/chat/completions'],
  ['/v1/v2/chat/completions', '/chat/completions'],
  ['/images/generations', '/images/generations'],
  ['/images/edits', '/images/edits'],
  ['/responses/input_tokens', '/responses/input_tokens'],
  ['/v2/chat/completions/', '/chat/completions'],
])('%s names the base URL for chat clients, and the endpoint', (path, endpoint) => {
  expect(dialectOfPath(path)).toBe('openai');
  expect(messageOf(path)).toEndWith(
    `OpenAI clients take ${URL}/v2 as their base URL; the endpoint is POST ${URL}/v2${endpoint}.`,
  );
});

test.each(['/models', '/v1/models/', '/v3/models'])('%s names the list of models', (path) => {
  expect(messageOf(path)).toContain(`The models are listed at GET ${URL}/v1/models`);
});

test('names the base URL for clients of the Gemini API', () => {
  const called = ['/v1/v1beta/models/gen-x:generateContent', '/models/gen-x:streamGenerateContent'];
  for (const path of ['/v1beta/models', ...called]) {
    expect(dialectOfPath(path)).toBe('google');
    expect(messageOf(path)).toContain(`Google clients take ${URL} as their base URL`);
  }
});

test('names alternatives to endpoints that are not offered', () => {
  expect(messageOf('/v1/completions')).toContain(`POST ${URL}/v2/chat/completions`);
  expect(messageOf('/v1/responses/compact')).toContain(`POST ${URL}/v1/responses`);
  expect(messageOf('/v1/responses/compact')).toContain('not offered');
  expect(messageOf('/responses')).toContain(`${URL}/v2`);
  expect(dialectOfPath('/v1/responses')).toBe('openai');
  expect(messageOf('/v1/messages/batches')).toContain('Message batches are not offered.');
  expect(dialectOfPath('/v1/messages/batches')).toBe('anthropic');
  expect(dialectOfPath('/v1/embeddings')).toBe('openai');
});

test.each([
  'GET /v1/responses/resp_1',
  'DELETE /v2/responses/resp_1',
  'POST /v1/responses/resp_1/cancel',
  'GET /v1/responses/resp_1/input_items',
  'POST /v1/conversations',
  'GET /v1/conversations/conv_1/items',
])('%s is not found, since nothing is stored', (route) => {
  const [method = '', path = ''] = route.split(' ');
  const { code, status, message } = unknownUrl(method, path, URL);
  expect([code, status]).toEqual(['not_found', 404]);
  expect(message).toContain('not stored');
  expect(dialectOfPath(path)).toBe('openai');
});

test('returns 404 with the method, the path and the list of endpoints', () => {
  const error = unknownUrl('GET', '/favicon.ico', URL);
  expect([error.code, error.status]).toEqual(['unknown_url', 404]);
  expect(error.message).toBe(
    `Unknown request URL: GET /favicon.ico. The endpoints are listed in ${URL}/openapi.json.`,
  );
  expect(dialectOfPath('/favicon.ico')).toBe('both');
});

test('suits a client of Messages, whatever the path', () => {
  expect(dialectOfPath('/v1/files')).toBe('openai');
  expect(dialectOfPath('/v1/files', { 'anthropic-version': '2023-06-01' })).toBe('anthropic');
});

test('echoes only part of a long path', () => {
  expect(messageOf(`/${'x'.repeat(100_000)}`).length).toBeLessThan(400);
});

test.each(['/conversations', '/responses/a'])('judges a path of many %s at once', (step) => {
  const startMs = performance.now();
  expect(messageOf(`${step.repeat(10_000)}\n`)).toBeTruthy();
  // Before, the time was quadratic: 100 ms for the longest path that the server accepts.
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
