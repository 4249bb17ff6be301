/**
 * `npm run console:mock`: serves the console's API without a gateway, for work on components. Every
 * route answers with a value that is generated from its response schema. The value is valid and the
 * same on each call, but contains no real data.
 */
import { writeInstance } from '../src/builtin/schema/instance.ts';
import { type ApiDocument, apiDocument } from './api-document.ts';

const PORT = 8081;
const JSON_TYPE = 'application/json';
/** Generated values contain all optional fields, so that components have to handle them. */
const OPTIONAL = 'all';

export type MockRoute = {
  /** The operation as the document names it: `GET /console/api/keys/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  /**
   * The response schema, with the document's components as `$defs`. Null when the response is not
   * JSON.
   */
  readonly schema: Readonly<Record<string, unknown>> | null;
};

export function mockRoutes({ paths, components }: ApiDocument): readonly MockRoute[] {
  const { schemas } = Object(components);
  return Object.entries(Object(paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, operation]) => {
      const { responses } = Object(operation);
      const status = Object.keys(Object(responses)).find((it) => it !== 'default') ?? '200';
      const schema = Object(responses)[status]?.content?.[JSON_TYPE]?.schema;
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: patternOf(path),
        status: Number(status),
        schema: schema === undefined ? null : { ...schema, components: { schemas } },
      };
    }),
  );
}

/** Returns the pattern that matches a route's path. Only the id of a model may contain slashes. */
function patternOf(path: string): RegExp {
  const part = path.includes('/models/') ? '.+' : '[^/]+';
  return new RegExp(`^${RegExp.escape(path).replace(/\\\{\w+\\\}/g, part)}$`);
}

/** Generates the response of a route, which is the same on every call. */
const mockValue = ({ name, schema }: MockRoute): unknown =>
  schema === null ? null : writeInstance(schema, name, OPTIONAL);

/**
 * Answers a request with the value of its route.
 * @returns status 404 for a route that the document does not have.
 */
export function mockAnswer(routes: readonly MockRoute[], { method, url }: Request): Response {
  const { pathname } = new URL(url);
  // As in the gateway, fixed paths take precedence over paths with parameters.
  const route = routes
    .filter((it) => it.method === method && it.path.test(pathname))
    .toSorted((a, b) => a.name.split('{').length - b.name.split('{').length)[0];
  if (route === undefined) {
    const error = {
      message: `The API document has no operation ${method} ${pathname}.`,
      code: 'unknown_url',
    };
    return Response.json({ error }, { status: 404 });
  }
  if (route.schema === null) return new Response('', { status: route.status });
  return Response.json(mockValue(route), { status: route.status });
}

if (import.meta.main) {
  const routes = mockRoutes(await apiDocument());
  const server = Bun.serve({ port: PORT, fetch: (request) => mockAnswer(routes, request) });
  console.log(
    `The mock API listens at ${server.url}. It answers with generated values and needs no gateway.`,
  );
}
