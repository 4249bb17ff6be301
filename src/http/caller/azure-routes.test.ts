import { expect, test } from 'bun:test';
import { openApiDocument } from '../edge/openapi.ts';
import type { Route } from '../edge/route.ts';
import { azureRoutes } from './azure-routes.ts';

const route = (path: string, more: Pick<Route, 'dialect' | 'endpoint'>): Route => ({
  ...{ method: 'POST', path, auth: 'key', scope: 'inference', ...more },
  doc: { summary: `About ${path}`, tag: 'chat' },
  handle: async () => new Response(),
});
const OPENAI = ['/v1', '/v2'].flatMap((prefix) => [
  route(`${prefix}/chat/completions`, { dialect: 'openai', endpoint: 'chat' }),
  route(`${prefix}/responses`, { dialect: 'openai', endpoint: 'responses' }),
]);
const MESSAGES = route('/v1/messages', { dialect: 'anthropic', endpoint: 'messages' });
const OTHERS = route('/v1/key', { dialect: 'both' });
const aliases = azureRoutes([...OPENAI, MESSAGES, OTHERS]);

test('repeats the routes for OpenAI clients once at each of the paths of Azure', () => {
  expect(aliases.map(({ path }) => path)).toEqual([
    '/openai/chat/completions',
    '/openai/v1/chat/completions',
    '/openai/deployments/:model/chat/completions',
    '/openai/responses',
    '/openai/v1/responses',
  ]);
  expect(new Set(aliases.map(({ auth }) => auth))).toEqual(new Set(['key']));
});

test('the OpenAPI document mentions the paths of Azure and repeats no operation', () => {
  const { paths, info } = openApiDocument([...OPENAI, ...aliases], 'https://gate.example', '1');
  expect(Object.keys(Object(paths))).toEqual(OPENAI.map(({ path }) => path));
  expect(Object(info).description).toContain('/openai/deployments/{model}');
});
