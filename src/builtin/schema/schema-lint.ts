/** What a provider would not take as a JSON Schema, told with the path of the fault. */
import { isObject } from '../body-fields.ts';
import { invalid } from '../request-error.ts';
import { resolveRef } from './schema-check.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** Far beyond any schema that is written by hand or made from types. */
const MAX_DEPTH = 60;
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = [
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'additionalProperties',
  'propertyNames',
];
const MANY = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'];

/** @throws RequestError at the first thing that cannot be meant. */
export function lintSchema(schema: unknown, path: string, root = schema, depth = 0): void {
  if (typeof schema === 'boolean') return;
  if (!isObject(schema))
    throw invalid(path, 'Expected a JSON Schema (an object or a boolean) here.');
  if (depth > MAX_DEPTH) throw invalid(path, `This schema nests deeper than ${MAX_DEPTH} levels.`);
  const { type, enum: options, required, $ref: ref } = schema;
  for (const name of Array.isArray(type) ? type : type === undefined ? [] : [type]) {
    if (typeof name !== 'string' || !TYPES.includes(name)) {
      throw invalid(
        `${path}.type`,
        `'${name}' is not a JSON type; use one of ${TYPES.join(', ')}.`,
      );
    }
  }
  if (options !== undefined && (!Array.isArray(options) || options.length === 0)) {
    throw invalid(`${path}.enum`, 'Expected an array with at least one value here.');
  }
  const isNames = Array.isArray(required) && required.every((name) => typeof name === 'string');
  if (required !== undefined && !isNames) {
    throw invalid(`${path}.required`, 'Expected an array of property names here.');
  }
  if (typeof ref === 'string' && ref.startsWith('#') && resolveRef(ref, root) === undefined) {
    throw invalid(`${path}.$ref`, `'${ref}' points at nothing in this schema.`);
  }
  const visit = (part: unknown, where: string): void => lintSchema(part, where, root, depth + 1);
  for (const keyword of ONE) {
    // `items` was once allowed to be a list, which then means what `prefixItems` means now.
    if (schema[keyword] !== undefined && !Array.isArray(schema[keyword])) {
      visit(schema[keyword], `${path}.${keyword}`);
    }
  }
  for (const keyword of MANY) {
    const parts = schema[keyword];
    if (parts === undefined) continue;
    if (!Array.isArray(parts))
      throw invalid(`${path}.${keyword}`, 'Expected an array of schemas here.');
    parts.forEach((part, index) => {
      visit(part, `${path}.${keyword}[${index}]`);
    });
  }
  for (const keyword of NAMED) {
    const parts = schema[keyword];
    if (parts === undefined) continue;
    if (!isObject(parts))
      throw invalid(`${path}.${keyword}`, 'Expected an object of schemas here.');
    for (const [name, part] of Object.entries(parts)) visit(part, `${path}.${keyword}.${name}`);
  }
}
