/** Rejects invalid JSON Schemas, as a provider does, with the path of the error. */
import { isObject } from '../body-fields.ts';
import { invalid } from '../request-error.ts';
import { resolveRef } from './subschemas.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/**
 * The maximum depth of a schema, and the maximum number of its subschemas. Schemas that are written
 * by hand or generated from types stay below both limits.
 */
const MAX_DEPTH = 60;
const MAX_SUBSCHEMAS = 5_000;
/** The keywords whose value is a schema, a list of schemas, or a map from names to schemas. */
const ONE = new Set(['items', 'additionalProperties']);
const LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const NAMED = new Set(['properties', '$defs', 'definitions']);

/** @throws RequestError for the first error of the schema. */
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
  if (types.length > TYPES.length) throw invalid(`${path}.type`, 'List each type only once.');
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
  for (const [keyword, value] of Object.entries(schema)) {
    const where = `${path}.${keyword}`;
    const visit = (part: unknown, at: string): void => lint(part, `${where}${at}`, run, depth + 1);
    if (NAMED.has(keyword)) {
      if (!isObject(value)) throw invalid(where, 'Expected an object whose values are schemas.');
      for (const [name, part] of Object.entries(value)) visit(part, `.${name}`);
    } else if (LIST.has(keyword)) {
      if (!Array.isArray(value)) throw invalid(where, 'Expected an array of schemas.');
      for (const [index, part] of value.entries()) visit(part, `[${index}]`);
    } else if (ONE.has(keyword) && !Array.isArray(value)) {
      // Skips an `items` that is a list. Old drafts of JSON Schema allow such a list. Newer drafts
      // have `prefixItems` for this purpose.
      visit(value, '');
    }
  }
}
