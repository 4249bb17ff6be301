/** Generates `/openapi.json` from the routes, so that the two cannot differ. */
import * as z from 'zod';
import { SESSION_COOKIE } from '../../people/session-cookie.ts';
import { errorSchema } from './error-response.ts';
import { IDEMPOTENCY_HEADER } from './idempotency.ts';
import { type HeaderGroup, headerNames, RESPONSE_HEADERS } from './response-headers.ts';
import {
  type BodySchema,
  type Doc,
  isOpenNow,
  type Route,
  type RouteAuth,
  type RouteDialect,
} from './route.ts';

const SECURITY: Record<RouteAuth, readonly Record<string, readonly string[]>[]> = {
  public: [],
  key: [{ apiKey: [] }, { xApiKey: [] }],
  session: [{ session: [] }],
  playground: [{ session: [] }],
  admin: [{ adminToken: [] }, { session: [] }],
};

/** A path parameter, with its optional pattern: `:id{.+}`. */
const PARAMETER = /:(\w+)(?:\{[^}]*\})?/g;

/** The wildcard at the end of a path: `/console/*`. */
const REST = /\*$/;
const REST_NAME = 'rest';

const DESCRIPTION =
  'Clients of Azure OpenAI can call the same operations below `/openai`, `/openai/v1` and ' +
  '`/openai/deployments/{model}`. This document does not list them again.';

type Json = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';

const ERROR_FORMATS: Record<RouteDialect, string> = {
  openai: 'in the format of OpenAI',
  anthropic: 'in the format of Anthropic',
  google: 'in the format of Google',
  both: 'that clients of OpenAI and of Anthropic can read',
};

export function openApiDocument(
  routes: readonly Route[],
  publicUrl: string,
  version: string,
): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  const components = new Components();
  for (const route of routes) {
    if (route.isAlias) continue;
    const path = templateOf(route.path);
    const item = paths[path] ?? {};
    item[route.method.toLowerCase()] = components.gather(operation(route));
    paths[path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Modelgate', version, description: DESCRIPTION },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: components.schemas(),
      headers: describedHeaders(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (sk-mg-...).' },
        xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        adminToken: { type: 'http', scheme: 'bearer', description: 'The administrator token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'The session cookie of a person who is signed in to the console.',
        },
      },
    },
  };
}

/** Collects the components of the document: the `$defs` of all schemas, each of them once. */
class Components {
  readonly #schemas = new Map<string, unknown>();

  /** Returns `value` without its `$defs`, which become components. Its references point to them. */
  gather(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.gather(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $defs = {}, ...rest }: Json = { ...value };
    for (const [name, schema] of Object.entries(Object($defs))) this.#add(name, schema);
    return Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [
        key,
        key === '$ref'
          ? String(inner).replace('#/$defs/', '#/components/schemas/')
          : this.gather(inner),
      ]),
    );
  }

  /** Returns the components sorted by name, so that the order of the routes does not matter. */
  schemas(): Json {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Adds a component. @throws Error if a different schema already has this name. */
  #add(name: string, schema: unknown): void {
    const gathered = this.gather(schema);
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(gathered)) {
      throw new Error(`two different schemas are called ${name}`);
    }
    this.#schemas.set(name, gathered);
  }
}

const templateOf = (path: string): string =>
  path.replace(PARAMETER, '{$1}').replace(REST, `{${REST_NAME}}`);

/**
 * Returns the name of an operation, such as `getV1KeysById`. Generators of clients name their
 * functions by it, so it derives from the method and the path alone.
 */
function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = templateOf(path)
    .replaceAll('{', '/by/')
    .split(/[^A-Za-z0-9]+/);
  const names = words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${method.toLowerCase()}${names.join('')}`;
}

function operation(route: Route): Json {
  const named = [...route.path.matchAll(PARAMETER)].map(([, name]) => name);
  const inPath = [...named, ...(REST.test(route.path) ? [REST_NAME] : [])].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { doc } = route;
  const parameters = [
    ...inPath,
    ...queryParameters(described(doc.query ?? {}, 'input')),
    ...headerParameters(doc),
  ];
  return {
    operationId: operationId(route),
    summary: doc.summary,
    tags: [doc.tag],
    security: SECURITY[isOpenNow(route) ? 'public' : route.auth],
    ...('role' in route ? { 'x-least-role': route.role } : {}),
    ...(route.auth === 'key' && !isOpenNow(route) ? { 'x-scope': route.scope } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(doc.request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [JSON_TYPE]: { schema: described(doc.request, 'input') },
              ...(doc.form === undefined
                ? {}
                : { 'multipart/form-data': { schema: described(doc.form, 'input') } }),
            },
          },
        }),
    responses: {
      ...Object.fromEntries((doc.statuses ?? [200]).map((status) => [status, success(route)])),
      default: {
        ...answerHeaders(route, ['every', 'inference', 'error']),
        description: `An error body ${ERROR_FORMATS[route.dialect]}`,
        content: { [JSON_TYPE]: { schema: errorSchema(route.dialect) } },
      },
    },
  };
}

const success = (route: Route): Json => ({
  description: 'Success',
  ...answerHeaders(route, ['every', 'inference', 'replay', 'report']),
  content: Object.fromEntries(
    (route.doc.mediaTypes ?? [JSON_TYPE]).map((type) => [
      type,
      { schema: answerSchema(type, route.doc) },
    ]),
  ),
});

const describedHeaders = (): Json =>
  Object.fromEntries(
    Object.entries(RESPONSE_HEADERS).map(([name, { description }]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

/**
 * Describes the response headers of a route. Only inference routes, routes that can replay a stored
 * answer, and reports have any.
 */
function answerHeaders({ endpoint, doc }: Route, groups: readonly HeaderGroup[]): Json {
  const applies: Record<HeaderGroup, boolean> = {
    every: endpoint !== undefined,
    inference: endpoint !== undefined,
    error: endpoint !== undefined,
    replay: doc.headers?.[IDEMPOTENCY_HEADER] !== undefined,
    report: doc.isReport === true,
  };
  const names = headerNames(({ on }) => applies[on] && groups.includes(on));
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  };
}

/** Returns the schema of a JSON response; other media types have none. */
const answerSchema = (mediaType: string, { response = { type: 'object' } }: Doc): Json =>
  mediaType === JSON_TYPE ? described(response, 'output') : {};

/** Converts a schema to JSON Schema, with its components in `$defs`. */
export function described(schema: BodySchema, io: 'input' | 'output'): Json {
  if (typeof schema === 'function') return described(schema(), io);
  if (!(schema instanceof z.ZodType)) return schema;
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return io === 'input' ? { $schema, ...rest } : rest;
}

const headerParameters = ({ headers = {} }: Doc): readonly Json[] =>
  Object.entries(headers).map(([name, schema]) => ({
    name,
    in: 'header',
    required: false,
    schema,
  }));

function queryParameters({ properties, required }: Json): readonly Json[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(Object(properties)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema,
  }));
}
