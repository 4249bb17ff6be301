/** Completes the OpenAPI document: fields without a description of their own get one. */
import { CONSOLE_FIELD_WORDS } from './console-field-words.ts';
import { FIELD_WORDS } from './field-words.ts';
import { PARAMETER_WORDS } from './parameter-words.ts';

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
