/** Writes programs and example bodies for API operations. */
import { asList, isObject } from '#api/json.ts';
import { curlCommand, KEY_HEADER } from '#snippets/curl.ts';
import { type Json, literal, PYTHON, shellQuoted, TYPESCRIPT } from '#snippets/literal.ts';
import { KEY_VARIABLE } from '#snippets/request.ts';
import type { Operation, Reference, Schema } from './openapi.ts';
import { resolved } from './schema-tree.ts';

/** The maximum depth of an example. Deeper nesting would make the example too long to be useful. */
const MAX_DEPTH = 5;
const VARIABLES = {
  apiKey: KEY_VARIABLE,
  adminToken: 'MODELGATE_ADMIN_TOKEN',
  session: 'MODELGATE_SESSION',
} as const;
const AUTHORIZATION = {
  apiKey: KEY_HEADER,
  adminToken: '"Authorization: Bearer $MODELGATE_ADMIN_TOKEN"',
  session: '"Cookie: modelgate.session_token=$MODELGATE_SESSION"',
} as const;

/** A request with its required fields, and with placeholders for values. */
export type ExampleRequest = {
  readonly method: string;
  /** The URL path with its query string. */
  readonly path: string;
  readonly scheme: keyof typeof AUTHORIZATION | undefined;
  readonly body: Json;
};

/**
 * Returns an example of a request to an operation.
 * @param model the id of a model that the operation can use.
 */
export function exampleRequest(
  { method, path, auth, parameters, request }: Operation,
  { schemas }: Pick<Reference, 'schemas'>,
  model = 'MODEL',
): ExampleRequest {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.isRequired)
    .map(({ name }) => `${name}=${name.toUpperCase()}`);
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const body = request === null ? null : exampleOf(request, { schemas, model }, 0);
  return {
    method,
    path: `${named}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    scheme: (['apiKey', 'adminToken', 'session'] as const).find((each) => auth.includes(each)),
    body: body !== null && typeof body === 'object' ? usual(body, path, model) : body,
  };
}

/**
 * Returns a request body that makes sense to a model, such as a chat with a question, so that the
 * request can be sent unchanged. For an operation that is not listed below, returns `body`.
 */
function usual(body: Json, path: string, model: string): Json {
  const question = [{ role: 'user', content: 'Hello!' }];
  const known: readonly (readonly [RegExp, Json])[] = [
    [/chat\/completions$/, { model, messages: question }],
    [/\/messages$/, { model, max_tokens: 256, messages: question }],
    [/\/responses$/, { model, input: 'Hello!' }],
    [/\/images\/generations$/, { model, prompt: 'A lighthouse at dawn' }],
    [/\/embeddings$/, { model, input: 'The text to embed' }],
  ];
  return known.find(([pattern]) => pattern.test(path))?.[1] ?? body;
}

/** Returns an example of a successful response; null if the response is not JSON. */
export function exampleAnswer({ answers }: Operation, reference: Reference): string | null {
  const json = answers[0]?.mediaTypes.find(({ type }) => type === 'application/json');
  if (json === undefined || Object.keys(json.schema).length === 0) return null;
  const { schemas } = reference;
  return JSON.stringify(exampleOf(json.schema, { schemas, model: 'MODEL' }, 0), null, 2);
}

export function curlOf({ method, path, scheme, body }: ExampleRequest, baseUrl: string): string {
  return curlCommand(
    `-sS ${method === 'GET' ? '' : `-X ${method} `}${shellSafe(`${baseUrl}${path}`)}`,
    scheme === undefined ? [] : [AUTHORIZATION[scheme]],
    body === null ? null : JSON.stringify(body, null, 2),
  );
}

export function pythonOf({ method, path, scheme, body }: ExampleRequest, baseUrl: string): string {
  const lines = [
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(baseUrl + path)},`,
    ...(scheme === undefined
      ? []
      : [`    headers={"Authorization": f"Bearer {os.environ['${VARIABLES[scheme]}']}"},`]),
    ...(body === null ? [] : [`    json=${literal(body, PYTHON, 1)},`]),
  ];
  const imports = scheme === undefined ? 'import requests' : 'import os\n\nimport requests';
  const call = ['answer = requests.request(', ...lines, ')'].join('\n');
  return `${imports}\n\n${call}\nprint(answer.status_code, answer.text)\n`;
}

export function typescriptOf(
  { method, path, scheme, body }: ExampleRequest,
  baseUrl: string,
): string {
  const headers = [
    ...(scheme === undefined
      ? []
      : [`    Authorization: \`Bearer \${process.env.${VARIABLES[scheme]}}\`,`]),
    ...(body === null ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  const lines = [
    `  method: '${method}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${literal(body, TYPESCRIPT, 1)}),`]),
  ];
  const call = [`const answer = await fetch('${baseUrl}${path}', {`, ...lines, '});'].join('\n');
  return `${call}\nconsole.log(answer.status, await answer.json());\n`;
}

const shellSafe = (address: string): string =>
  /^[\w:/.\-@]+$/.test(address) ? address : shellQuoted(address);

type ExampleContext = { readonly model: string } & Pick<Reference, 'schemas'>;

/**
 * Returns an example value, without optional fields. A constant, an example or an allowed value in
 * the schema takes precedence over a placeholder such as `TEXT`.
 */
function exampleOf(schema: Schema, context: ExampleContext, depth: number): Json {
  const whole = resolved(schema, context.schemas);
  const { const: constant, enum: values, examples, anyOf, oneOf } = whole;
  const [listed] = [constant, ...asList(examples), ...asList(values)].filter(isJson);
  if (listed !== undefined) return listed;
  const [alternative] = [...asList(anyOf), ...asList(oneOf)].filter(isObject);
  if (alternative !== undefined) return exampleOf(alternative, context, depth);
  return plainExample(whole, context, depth);
}

function plainExample(schema: Schema, context: ExampleContext, depth: number): Json {
  const { type, properties, required, items, minimum } = schema;
  const kind = Array.isArray(type) ? type[0] : type;
  switch (kind) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? Math.max(minimum, 1) : 1;
    case 'boolean':
      return true;
    case 'array':
      return isObject(items) && depth < MAX_DEPTH ? [exampleOf(items, context, depth + 1)] : [];
    case 'object': {
      if (!isObject(properties) || depth >= MAX_DEPTH) return {};
      const needed = asList(required);
      return Object.fromEntries(
        Object.entries(properties)
          .filter(
            (entry): entry is [string, Schema] => needed.includes(entry[0]) && isObject(entry[1]),
          )
          .map(([name, inner]) => [
            name,
            name === 'model' ? context.model : exampleOf(inner, context, depth + 1),
          ]),
      );
    }
    case 'null':
      return null;
    default:
      return 'TEXT';
  }
}

/**
 * Whether a value in the OpenAPI document is a text, a number or a boolean, so that an example can
 * contain it.
 */
const isJson = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
