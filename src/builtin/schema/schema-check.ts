/**
 * Whether a value satisfies a JSON Schema. The generator uses it to judge its own proposals where a
 * schema offers alternatives; `format` is an annotation here, as the standard has it by default.
 */
import { isObject, type JsonObject } from '../body-fields.ts';
import { readPattern } from './pattern.ts';

/** A schema that refers to itself without end is cut off here. */
const MAX_DEPTH = 64;

export const sameJson = (one: unknown, other: unknown): boolean => Bun.deepEquals(one, other, true);

/** The schema a `$ref` within `root` points at; undefined when there is none. */
export function resolveRef(ref: string, root: unknown): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const raw of ref.slice(2).split('/')) {
    const step = decodeURIComponent(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** Checks of one value: a schema that branches into itself would never come to an end. */
const MAX_CHECKS = 20_000;

/** How many checks may still be made; when none are left, what remains counts as satisfied. */
export type CheckBudget = { left: number };

/** Whether the value satisfies the schema; `root` is where its references start. */
export function accepts(
  schema: unknown,
  value: unknown,
  root: unknown,
  budget: CheckBudget = { left: MAX_CHECKS },
): boolean {
  return check(schema, value, { root, budget }, 0);
}

type Run = { readonly root: unknown; readonly budget: CheckBudget };

function check(schema: unknown, value: unknown, run: Run, depth: number): boolean {
  if (schema === false) return false;
  run.budget.left -= 1;
  if (!isObject(schema) || depth > MAX_DEPTH || run.budget.left < 0) return true;
  const sub = (part: unknown, of: unknown = value): boolean => check(part, of, run, depth + 1);
  const { $ref: ref } = schema;
  if (typeof ref === 'string' && !sub(resolveRef(ref, run.root))) return false;
  return (
    acceptsType(schema['type'], value) &&
    acceptsChoice(schema, value) &&
    acceptsCombination(schema, sub) &&
    (typeof value !== 'number' || acceptsNumber(schema, value)) &&
    (typeof value !== 'string' || acceptsString(schema, value)) &&
    (!Array.isArray(value) || acceptsArray(schema, value, sub)) &&
    (!isObject(value) || acceptsObject(schema, value, sub))
  );
}

type Sub = (part: unknown, of?: unknown) => boolean;

function acceptsType(type: unknown, value: unknown): boolean {
  if (type === undefined) return true;
  return (Array.isArray(type) ? type : [type]).some((name) => isOfType(name, value));
}

function isOfType(name: unknown, value: unknown): boolean {
  switch (name) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    default:
      return typeof value === name;
  }
}

function acceptsChoice(schema: JsonObject, value: unknown): boolean {
  if ('const' in schema && !sameJson(schema['const'], value)) return false;
  const options = schema['enum'];
  return !Array.isArray(options) || options.some((option) => sameJson(option, value));
}

function acceptsCombination(schema: JsonObject, sub: Sub): boolean {
  const { allOf, anyOf, oneOf, not } = schema;
  if (Array.isArray(allOf) && !allOf.every((part) => sub(part))) return false;
  if (Array.isArray(anyOf) && !anyOf.some((part) => sub(part))) return false;
  if (Array.isArray(oneOf) && oneOf.filter((part) => sub(part)).length !== 1) return false;
  if (not !== undefined && sub(not)) return false;
  if (schema['if'] === undefined) return true;
  const branch = sub(schema['if']) ? schema['then'] : schema['else'];
  return branch === undefined || sub(branch);
}

const limit = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

function acceptsNumber(schema: JsonObject, value: number): boolean {
  if (value < limit(schema['minimum'], -Infinity)) return false;
  if (value > limit(schema['maximum'], Infinity)) return false;
  if (value <= limit(schema['exclusiveMinimum'], -Infinity)) return false;
  if (value >= limit(schema['exclusiveMaximum'], Infinity)) return false;
  const step = schema['multipleOf'];
  return typeof step !== 'number' || isMultiple(value, step);
}

/** Decimal steps such as 0.01 are not exact in binary, so a sliver of difference is forgiven. */
export function isMultiple(value: number, step: number): boolean {
  const ratio = value / step;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
}

function acceptsString(schema: JsonObject, value: string): boolean {
  const length = [...value].length;
  if (length < limit(schema['minLength'], 0)) return false;
  if (length > limit(schema['maxLength'], Infinity)) return false;
  const pattern = schema['pattern'];
  return typeof pattern !== 'string' || (readPattern(pattern)?.test(value) ?? true);
}

function acceptsArray(schema: JsonObject, value: readonly unknown[], sub: Sub): boolean {
  if (value.length < limit(schema['minItems'], 0)) return false;
  if (value.length > limit(schema['maxItems'], Infinity)) return false;
  if (schema['uniqueItems'] === true && !areDistinct(value)) return false;
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const fits = (item: unknown, index: number): boolean => {
    if (index < prefix.length) return sub(prefix[index], item);
    return schema['items'] === undefined || sub(schema['items'], item);
  };
  if (!value.every(fits)) return false;
  if (schema['contains'] === undefined) return true;
  const matching = value.filter((item) => sub(schema['contains'], item)).length;
  return (
    matching >= limit(schema['minContains'], 1) &&
    matching <= limit(schema['maxContains'], Infinity)
  );
}

export const areDistinct = (items: readonly unknown[]): boolean =>
  items.every((item, index) => !items.slice(0, index).some((earlier) => sameJson(earlier, item)));

function acceptsObject(schema: JsonObject, value: JsonObject, sub: Sub): boolean {
  const names = Object.keys(value);
  if (names.length < limit(schema['minProperties'], 0)) return false;
  if (names.length > limit(schema['maxProperties'], Infinity)) return false;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (!required.every((name) => typeof name !== 'string' || Object.hasOwn(value, name))) {
    return false;
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isObject(schema['patternProperties']) ? schema['patternProperties'] : {};
  return names.every((name) => {
    const matching = Object.keys(patterns).filter((each) => readPattern(each)?.test(name));
    if (Object.hasOwn(properties, name) && !sub(properties[name], value[name])) return false;
    if (!matching.every((each) => sub(patterns[each], value[name]))) return false;
    if (schema['propertyNames'] !== undefined && !sub(schema['propertyNames'], name)) return false;
    const isKnown = Object.hasOwn(properties, name) || matching.length > 0;
    const extra = schema['additionalProperties'];
    return isKnown || extra === undefined || sub(extra, value[name]);
  });
}
