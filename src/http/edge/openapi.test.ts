import { expect, test } from 'bun:test';
import * as z from 'zod';
import { ERRORS, GatewayError } from '../../errors.ts';
import { errorResponse, errorSchema } from './error-response.ts';
import { described, openApiDocument } from './openapi.ts';
import { headerNames } from './response-headers.ts';
import type { Route } from './route.ts';

const handle = async (): Promise<Response> => new Response();
const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/models/:id{.+}',
    auth: 'public',
    dialect: 'both',
    doc: { summary: 'One model', tag: 'catalogue' },
    handle,
  },
  {
    method: 'POST',
    path: '/v1/things',
    auth: 'key',
    scope: 'inference',
    dialect: 'openai',
    doc: {
      summary: 'Make one',
      tag: 'chat',
      request: { type: 'object', required: ['model'] },
      headers: { 'Idempotency-Key': { type: 'string', maxLength: 255 } },
    },
    handle,
  },
  {
    method: 'DELETE',
    path: '/v1/things',
    auth: 'admin',
    dialect: 'both',
    doc: { summary: 'Delete all', tag: 'admin', response: { type: 'null' } },
    handle,
  },
];

const document = openApiDocument(ROUTES, 'https://models.example', '1.2.3');

test('the document names the server and the version', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Modelgate', version: '1.2.3', license: { identifier: 'Apache-2.0' } },
    servers: [{ url: 'https://models.example' }],
  });
});

test('lists every route once, with OpenAPI path parameters', () => {
  expect(Object.keys(Object(document['paths']))).toEqual(['/v1/models/{id}', '/v1/things']);
  expect(document).toMatchObject({
    paths: {
      '/v1/models/{id}': {
        get: {
          summary: 'One model',
          security: [],
          parameters: [{ name: 'id', in: 'path', required: true }],
        },
      },
      '/v1/things': {
        post: {
          security: [{ apiKey: [] }, { xApiKey: [] }],
          requestBody: {
            content: { 'application/json': { schema: { type: 'object', required: ['model'] } } },
          },
        },
        delete: {
          security: [{ adminToken: [] }, { session: [] }],
          responses: { 200: { content: { 'application/json': { schema: { type: 'null' } } } } },
        },
      },
    },
  });
});

test('names each operation by its method and path', () => {
  const named = (path: string, method: string): unknown =>
    Object(document['paths'])[path][method].operationId;
  expect(named('/v1/models/{id}', 'get')).toBe('getV1ModelsById');
  expect(named('/v1/things', 'post')).toBe('postV1Things');
  expect(named('/v1/things', 'delete')).toBe('deleteV1Things');
});

test('lists query parameters and which are required', () => {
  const [route] = ROUTES;
  if (route === undefined) throw new Error('no route to describe');
  const query = {
    type: 'object',
    properties: { id: { type: 'string' }, limit: { type: 'integer' } },
    required: ['id'],
  };
  const doc = { ...route.doc, query };
  const { paths } = openApiDocument([{ ...route, doc }], 'http://x', '1');
  expect(Object(paths)['/v1/models/{id}'].get.parameters.slice(1)).toEqual([
    { name: 'id', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
  ]);
});

test('describes an answer under each media type', () => {
  const [route] = ROUTES;
  if (route === undefined) throw new Error('no route to describe');
  const doc = { ...route.doc, mediaTypes: ['application/json', 'text/event-stream'] };
  const { paths } = openApiDocument([{ ...route, doc }], 'http://x', '1');
  expect(Object(paths)['/v1/models/{id}'].get.responses[200].content).toEqual({
    'application/json': { schema: { type: 'object' } },
    'text/event-stream': { schema: {} },
  });
});

test('lists the statuses of creation and of a repetition', () => {
  const [route] = ROUTES;
  if (route === undefined) throw new Error('no route to describe');
  const statusesOf = (doc: Partial<Route['doc']>) => {
    const described = openApiDocument(
      [{ ...route, doc: { ...route.doc, ...doc } }],
      'http://x',
      '1',
    );
    return Object.keys(Object(described['paths'])['/v1/models/{id}'].get.responses);
  };
  expect(statusesOf({})).toEqual(['200', 'default']);
  expect(statusesOf({ statuses: [201] })).toEqual(['201', 'default']);
  expect(statusesOf({ statuses: [200, 201] })).toEqual(['200', '201', 'default']);
});

test.each(['openai', 'anthropic', 'google', 'both'] as const)(
  'describes error bodies of the dialect %s, with every code',
  async (dialect) => {
    const [route] = ROUTES;
    if (route === undefined) throw new Error('no route to describe');
    const { paths, components } = openApiDocument([{ ...route, dialect }], 'http://x', '1');
    expect(Object(components).schemas.ErrorCode.enum).toEqual(Object.keys(ERRORS));
    const { content } = Object(paths)['/v1/models/{id}'].get.responses.default;
    const [, name] = content['application/json'].schema.$ref.split('#/components/schemas/');
    const body = JSON.stringify(Object(components).schemas[name].properties.error);
    expect(body).toContain('"#/components/schemas/ErrorCode"');

    const check = z.fromJSONSchema({ ...described(errorSchema(dialect), 'output') });
    for (const param of ['messages', null]) {
      const place = param === null ? {} : { param };
      const error = new GatewayError('store_unavailable', 'Away.', place);
      const sent: unknown = await errorResponse(error, dialect, 'req_1').json();
      expect(check.safeParse(sent).error).toBeUndefined();
      const other = JSON.parse(JSON.stringify(sent).replace('store_unavailable', 'nothing_known'));
      expect(check.safeParse(other).success).toBe(false);
    }
  },
);

test('every security scheme that a route names is defined', () => {
  const schemes = Object.keys(Object(Object(document['components']).securitySchemes));
  expect(schemes.toSorted()).toEqual(['adminToken', 'apiKey', 'session', 'xApiKey']);
});

test('inference describes the headers that its answers may carry', () => {
  const [, route] = ROUTES;
  if (route === undefined) throw new Error('no route to describe');
  const described = openApiDocument([{ ...route, endpoint: 'chat' }], 'http://x', '1');
  const { responses } = Object(described['paths'])['/v1/things'].post;
  expect(Object.keys(responses[200].headers)).toContain('x-attempts');
  expect(Object.keys(responses[200].headers)).toContain('idempotency-replayed');
  expect(Object.keys(responses.default.headers)).toContain('retry-after');
  expect(Object.keys(Object(described['components']).headers)).toEqual(headerNames());
});

test('lists the request headers of a route as parameters', () => {
  expect(document).toMatchObject({
    paths: {
      '/v1/things': {
        post: {
          parameters: [
            { name: 'Idempotency-Key', in: 'header', required: false, schema: { maxLength: 255 } },
          ],
        },
      },
    },
  });
});
