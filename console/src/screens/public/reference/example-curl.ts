/** Writes an operation as a curl command with required fields and placeholders. */
import { asList, isObject } from '#api/json.ts';
import { curlCommand, KEY_HEADER } from '#snippets/curl.ts';
import { shellQuoted } from '#snippets/literal.ts';
import type { Operation, Reference, Schema } from './openapi.ts';
import { resolved } from './schema-tree.ts';

/** The maximum depth of an example. Deeper nesting would make the example too long to be useful. */
const MAX_DEPTH = 5;
const AUTHORIZATION = {
  apiKey: KEY_HEADER,
  adminToken: '"Authorization: Bearer $MODELGATE_ADMIN_TOKEN"',
  session: '"Cookie: modelgate.session_token=$MODELGATE_SESSION"',
} as const;

export function exampleCurl(operation: Operation, { baseUrl, schemas }: Reference): string {
  const { method, path, auth, parameters, request } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.isRequired)
    .map(({ name }) => `${name}=${name.toUpperCase()}`);
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const address = `${baseUrl}${named}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const scheme = (['apiKey', 'adminToken', 'session'] as const).find((each) => auth.includes(each));
  const body = request === null ? null : exampleOf(request, schemas, 0);
  return curlCommand(
    `-sS ${method === 'GET' ? '' : `-X ${method} `}${shellSafe(address)}`,
    scheme === undefined ? [] : [AUTHORIZATION[scheme]],
    body === null ? null : JSON.stringify(body, null, 2),
  );
}

const shellSafe = (address: string): string =>
  /^[\w:/.\-@]+$/.test(address) ? address : shellQuoted(address);

/** Returns the smallest value that the schema accepts, without optional fields. */
function exampleOf(
  schema: Schema,
  schemas: Readonly<Record<string, unknown>>,
  depth: number,
): unknown {
  const whole = resolved(schema, schemas);
  const { const: constant, enum: values, examples, anyOf, oneOf } = whole;
  if (constant !== undefined) return constant;
  if (asList(examples).length > 0) return asList(examples)[0];
  if (asList(values).length > 0) return asList(values)[0];
  const [alternative] = [...asList(anyOf), ...asList(oneOf)].filter(isObject);
  if (alternative !== undefined) return exampleOf(alternative, schemas, depth);
  return plainExample(whole, schemas, depth);
}

function plainExample(
  schema: Schema,
  schemas: Readonly<Record<string, unknown>>,
  depth: number,
): unknown {
  const { type, properties, required, items, minimum } = schema;
  const kind = Array.isArray(type) ? type[0] : type;
  switch (kind) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? Math.max(minimum, 1) : 1;
    case 'boolean':
      return true;
    case 'array':
      return isObject(items) && depth < MAX_DEPTH ? [exampleOf(items, schemas, depth + 1)] : [];
    case 'object': {
      if (!isObject(properties) || depth >= MAX_DEPTH) return {};
      const needed = asList(required);
      return Object.fromEntries(
        Object.entries(properties)
          .filter(
            (entry): entry is [string, Schema] => needed.includes(entry[0]) && isObject(entry[1]),
          )
          .map(([name, inner]) => [name, exampleOf(inner, schemas, depth + 1)]),
      );
    }
    case 'null':
      return null;
    default:
      return 'TEXT';
  }
}
