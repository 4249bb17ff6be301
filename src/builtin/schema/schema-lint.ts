/** Rejects invalid JSON Schemas, as a provider does, with the path of the error. */
import { isObject } from '../body-fields.ts';
import { invalid } from '../request-error.ts';
import { resolveRef } from './subschemas.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** Far above any schema written by hand or generated from types. */
const MAX_DEPTH = 60;
const MAX_SUBSCHEMAS = 5_000;
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const KINDS: ReadonlyMap<string, 'one' | 'list' | 'named'> = new Map([
  ...[
    'items',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'additionalProperties',
    'propertyNames',
  ].map((keyword) => [keyword, 'one'] as const),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword) => [keyword, 'list'] as const),
  ...['properties', 'patternProperties', '$defs', 'definitions'].map(
    (keyword) => [keyword, 'named'] as const,
  ),
]);

/** @throws RequestError for the first error. */
export const lintSchema = (schema: unknown, path: string): void =>
  lint(schema, path, { root: schema, left: MAX_SUBSCHEMAS }, 0);

type Run = { readonly root: unknown; left: number };

function lint(schema: unknown, path: string, run: Run, depth: number): void {
  if (typeof schema === 'boolean') return;
  if (!isObject(schema)) {
    throw invalid(path, 'Expected a JSON Schema (an object or a boolean).');
  }
  if (depth > MAX_DEPTH) throw invalid(path, `A schema may have at most ${MAX_DEPTH} levels.`);
  run.left -= 1;
  if (run.left < 0) throw invalid(path, `A schema may have at most ${MAX_SUBSCHEMAS} subschemas.`);
  const { type = [], enum: options, required, $ref: ref } = schema;
  const types = [type].flat();
  const strange = types.find((name) => typeof name !== 'string' || !TYPES.includes(name));
  if (strange !== undefined) {
    const known = TYPES.join(', ');
    throw invalid(`${path}.type`, `'${strange}' is not a JSON type; use one of ${known}.`);
  }
  if (types.length > TYPES.length) throw invalid(`${path}.type`, 'Name each type once.');
  if (options !== undefined && (!Array.isArray(options) || options.length === 0)) {
    throw invalid(`${path}.enum`, 'Expected a non-empty array.');
  }
  const isNames = Array.isArray(required) && required.every((name) => typeof name === 'string');
  if (required !== undefined && (!isNames || required.length > MAX_SUBSCHEMAS)) {
    const most = `at most ${MAX_SUBSCHEMAS}`;
    throw invalid(`${path}.required`, `Expected an array of ${most} property names.`);
  }
  if (typeof ref === 'string' && ref.startsWith('#') && resolveRef(ref, run.root) === undefined) {
    throw invalid(`${path}.$ref`, `'${ref}' does not exist in this schema.`);
  }
  const visit = (part: unknown, where: string): void => lint(part, where, run, depth + 1);
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = KINDS.get(keyword);
    if (kind === undefined || value === undefined) continue;
    const where = `${path}.${keyword}`;
    if (kind === 'named') {
      if (!isObject(value)) throw invalid(where, 'Expected an object of schemas.');
      for (const [name, part] of Object.entries(value)) visit(part, `${where}.${name}`);
    } else if (Array.isArray(value)) {
      // Old drafts allow a list in `items`, which newer drafts call `prefixItems`.
      if (kind !== 'list') continue;
      for (const [index, part] of value.entries()) visit(part, `${where}[${index}]`);
    } else if (kind === 'list') {
      throw invalid(where, 'Expected an array of schemas.');
    } else {
      visit(value, where);
    }
  }
}
