/** Completes the OpenAPI document: fields without a description of their own get one. */
import { CONSOLE_FIELD_WORDS } from './console-field-words.ts';
import { FIELD_WORDS } from './field-words.ts';

type Json = Readonly<Record<string, unknown>>;

const WORDS: Readonly<Record<string, string>> = { ...FIELD_WORDS, ...CONSOLE_FIELD_WORDS };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema keywords whose subschemas also describe the field or its entries. */
const PARTS = ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'schema'] as const;
const REFERENCE = '#/components/schemas/';
const PREFIX = /^\/v\d\w*\//;

/** Adds descriptions from the tables in this folder to the fields and parameters without one. */
export function withDescribedFields(document: Json): Json {
  const { paths, components } = document;
  const { schemas, ...others } = Object(components);
  const describe = (schema: unknown, parent: string): unknown =>
    described(schema, parent, Object(schemas));
  return {
    ...document,
    paths: mapped(paths, (item, path) =>
      mapped(item, (operation) => operationOf(operation, path, describe)),
    ),
    components: { ...others, schemas: mapped(schemas, describe) },
  };
}

const mapped = (object: unknown, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(
    Object.entries(Object(object)).map(([key, value]) => [key, change(value, key)]),
  );

type Describe = (schema: unknown, parent: string) => unknown;

function operationOf(operation: unknown, path: string, describe: Describe): unknown {
  if (!isObject(operation)) return operation;
  const { parameters, requestBody, responses, ...rest } = operation;
  const parent = path.replace(PREFIX, '');
  const bodyOf = (body: unknown): unknown =>
    isObject(body) && isObject(body['content'])
      ? { ...body, content: mapped(body['content'], (type) => describe(type, parent)) }
      : body;
  return {
    ...rest,
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map((each) => parameterOf(each, path)) }
      : {}),
    ...(requestBody === undefined ? {} : { requestBody: bodyOf(requestBody) }),
    ...(responses === undefined ? {} : { responses: mapped(responses, bodyOf) }),
  };
}

function parameterOf(parameter: unknown, path: string): unknown {
  const { name, schema, description } = Object(parameter);
  const [before = ''] = path.split(`/{${name}}`);
  const owner = before.slice(before.lastIndexOf('/') + 1);
  const words = PARAMETER_WORDS[`${owner}?${name}`] ?? PARAMETER_WORDS[`?${name}`];
  const isDescribed = description !== undefined || Object(schema).description !== undefined;
  return isDescribed || words === undefined
    ? parameter
    : { ...Object(parameter), description: words };
}

/**
 * Returns the schema with descriptions of its fields, at every level.
 * @param parent the name of the component, the field around the schema, or the path.
 */
function described(schema: unknown, parent: string, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((each) => described(each, parent, schemas));
  if (!isObject(schema)) return schema;
  const parts = PARTS.filter((part) => typeof schema[part] === 'object');
  return {
    ...schema,
    ...Object.fromEntries(parts.map((part) => [part, described(schema[part], parent, schemas)])),
    ...(isObject(schema['properties'])
      ? {
          properties: mapped(schema['properties'], (field, name) =>
            withWords(described(field, name, schemas), parent, name, schemas),
          ),
        }
      : {}),
  };
}

function withWords(field: unknown, parent: string, name: string, schemas: Json): unknown {
  const words = WORDS[`${parent}.${name}`] ?? WORDS[name];
  if (!isObject(field) || words === undefined) return field;
  const { description, $ref: reference } = field;
  const target = String(reference ?? '').replace(REFERENCE, '');
  const isDescribed = description ?? Object(schemas[target]).description;
  return isDescribed === undefined ? { ...field, description: words } : field;
}

/**
 * Descriptions of the parameters whose schemas have no description of their own. `keys?id` is the
 * parameter `id` after `keys` in the path, or in the query of a path that ends with `keys`. It is
 * more specific than `?id`.
 */
export const PARAMETER_WORDS: Readonly<Record<string, string>> = {
  '?after': 'The cursor in `next` of the previous page.',
  '?after_id': 'The id of the model after which the page begins.',
  '?before_id': 'The id of the model before which the page ends.',
  '?call': 'The model and the method, such as `MODEL:generateContent`.',
  '?channel': 'Only entries of this channel.',
  '?currency': 'Only entries in this currency.',
  '?exp': 'When the link expires, in seconds since 1970.',
  '?format': '`json`, `csv`, or `jsonl` (one JSON object per line).',
  '?from': 'The start of the period, inclusive.',
  '?group_by': 'The fields by which usage is grouped, separated by commas.',
  '?key_id': 'Only requests with this API key.',
  '?kind': 'Only movements of this kind.',
  '?lifecycle': 'Only models in these lifecycle stages.',
  '?limit': 'The maximum number of entries on a page.',
  '?min_cost': 'Only requests that cost at least this much.',
  '?model': 'Only entries of this model.',
  '?sig': 'The signature of the link.',
  '?to': 'The end of the period, exclusive.',
  'accounts?id': 'The id of the account.',
  'cards?id': 'The id of the price card.',
  'files?name': 'The name of the file.',
  'generation?id': 'The id of the request, as in the header `x-request-id`.',
  'invitations?id': 'The id of the invitation.',
  'keys?id': 'The id of the API key.',
  'mail?id': 'The id of the email.',
  'members?id': 'The id of the person.',
  'models?id': 'The id of the model.',
  'notices?id': 'The id of the incident or maintenance.',
  'pages?id': 'The name of the page: `terms` or `privacy`.',
  'passkeys?id': 'The id of the passkey.',
  'people?id': 'The id of the person.',
  'price-lists?id': 'The name of the price list.',
  'rates?id': 'The pair of currencies, such as `USD%2FCNY`.',
  'redeem-batches?id': 'The id of the batch of redeem codes.',
  'refusals?id': 'The id of the refused request.',
  'requests?id': 'The id of the request.',
  'revisions?id': 'The number of the revision.',
  'secrets?name': 'The name of the secret.',
  'sessions?id': 'The id of the session.',
  'settings?id': 'The name of the section, such as `limits`.',
  'top-ups?id': 'The id of the top-up.',
  'upstreams?id': 'The name of the upstream.',
  'upstreams?name': 'The name of the upstream.',
};
