/**
 * `npm run console:mock`: the console's API without a gateway behind it, for work on components. Every route
 * of the contract answers with a value made from its response schema: the same each time, right in shape,
 * and true of nothing.
 */
import { writeInstance } from '../src/builtin/schema/instance.ts';
import { type ApiDocument, apiDocument } from './api-document.ts';

const PORT = 8081;
const JSON_TYPE = 'application/json';
/** Every optional field is there, so that a component meets them all. */
const OPTIONAL = 'all';

export type MockRoute = {
  /** As the document names it: `GET /console/api/keys/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  /** With the document's components in its `$defs`; null: it answers no JSON. */
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

/** A model's id may hold slashes; whatever else the address stands for holds none. */
function patternOf(path: string): RegExp {
  const part = path.includes('/models/') ? '.+' : '[^/]+';
  return new RegExp(`^${RegExp.escape(path).replace(/\\\{\w+\\\}/g, part)}$`);
}

/** The value that a route answers; the same for the same route. */
const mockValue = ({ name, schema }: MockRoute): unknown =>
  schema === null ? null : writeInstance(schema, name, OPTIONAL);

/** @returns 404 where the document has no such route. */
export function mockAnswer(routes: readonly MockRoute[], { method, url }: Request): Response {
  const { pathname } = new URL(url);
  // The first that fits stands before those with parameters, as in the gateway.
  const route = routes
    .filter((it) => it.method === method && it.path.test(pathname))
    .toSorted((a, b) => a.name.split('{').length - b.name.split('{').length)[0];
  if (route === undefined) {
    const error = { message: `The contract has no ${method} ${pathname}.`, code: 'unknown_url' };
    return Response.json({ error }, { status: 404 });
  }
  if (route.schema === null) return new Response('', { status: route.status });
  return Response.json(mockValue(route), { status: route.status });
}

if (import.meta.main) {
  const routes = mockRoutes(await apiDocument());
  const server = Bun.serve({ port: PORT, fetch: (request) => mockAnswer(routes, request) });
  console.log(`The contract answers at ${server.url}; it stands for no gateway.`);
}
