/**
 * Resolves references, merges schemas, and checks values against one schema without its nested
 * schemas.
 */
import { isObject, type JsonObject } from '../body-fields.ts';

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const sameJson = (one: unknown, other: unknown): boolean => Bun.deepEquals(one, other, true);
export const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/**
 * Resolves a `$ref` within `root`. Returns undefined if the target does not exist. Never fetches
 * schemas.
 */
export function resolveRef(ref: string, root: unknown): unknown {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const raw of ref.slice(2).split('/')) {
    const step = decoded(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** Decodes a segment of a path. Returns a segment with invalid percent-encoding unchanged. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch (failure) {
    if (failure instanceof URIError) return step;
    throw failure;
  }
}

type Join = (one: unknown, other: unknown) => unknown;

/** The maximum number of branches or enum options that are used. Further ones are ignored. */
const MAX_OPTIONS = 200;

export const firstOptions = (list: unknown): readonly unknown[] =>
  asList(list).slice(0, MAX_OPTIONS);

const larger: Join = (one, other) => Math.max(Number(one), Number(other));
const smaller: Join = (one, other) => Math.min(Number(one), Number(other));
const both: Join = (one, other) => ({ allOf: [one, other] });
const includesJson = (list: readonly unknown[], value: unknown): boolean =>
  list.some((each) => sameJson(each, value));

const sharedTypes: Join = (one, other) => {
  // The type `number` includes `integer`.
  const isIn = (list: unknown, name: unknown): boolean =>
    [list].flat().some((type) => type === name || (type === 'number' && name === 'integer'));
  return [one, other].flat().filter((name) => isIn(one, name) && isIn(other, name));
};

const bothProperties: Join = (one, other) => {
  if (!isObject(one) || !isObject(other)) return other;
  const repeated = Object.keys(other).filter((name) => Object.hasOwn(one, name));
  const joined = repeated.map((name) => [name, both(one[name], other[name])] as const);
  return { ...one, ...other, ...Object.fromEntries(joined) };
};

/**
 * Returns an `anyOf` list for values that must match a branch of `one` and also a branch of
 * `other`. Each entry combines one branch of `one` with the whole list `other`.
 */
const eachWith: Join = (one, other) =>
  asList(one).map((branch) => ({ allOf: [branch, { anyOf: other }] }));

const JOINS: ReadonlyMap<string, Join> = new Map(
  Object.entries<Join>({
    type: sharedTypes,
    enum: (one, other) =>
      firstOptions(one).filter((item) => includesJson(firstOptions(other), item)),
    required: (one, other) => [...new Set([...asList(one), ...asList(other)])],
    properties: bothProperties,
    items: both,
    additionalProperties: (one, other) => one !== false && other !== false && both(one, other),
    anyOf: eachWith,
    oneOf: eachWith,
  }),
);

function joinOf(keyword: string): Join | undefined {
  if (/^(?:m|exclusiveM)in/.test(keyword)) return larger;
  return /^(?:m|exclusiveM)ax/.test(keyword) ? smaller : JOINS.get(keyword);
}

/**
 * Merges two schemas: the result accepts the values that both accept. If the two values of a
 * keyword cannot be combined, the value in `other` is used.
 */
export function joinSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const joined = new Map(Object.entries(one));
  for (const [keyword, value] of Object.entries(other)) {
    const held = joined.get(keyword);
    const join = held === undefined ? undefined : joinOf(keyword);
    joined.set(keyword, join === undefined ? value : join(held, value));
  }
  return Object.fromEntries(joined);
}

function isOfType(name: unknown, value: unknown): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'object') return isObject(value);
  return name === 'integer' ? Number.isInteger(value) : typeof value === name;
}

/**
 * Whether a value is a multiple of a step. Tolerates rounding errors, because steps such as 0.01
 * are not exact in binary.
 */
function isMultiple(value: number, step: number): boolean {
  const ratio = value / step;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
}

/**
 * Checks the type, the enum options and the limits of a value. For speed, it ignores nested values
 * and patterns.
 */
export function acceptsShallowly(schema: JsonObject, value: unknown): boolean {
  const { type, enum: options, multipleOf } = schema;
  if (type !== undefined && ![type].flat().some((name) => isOfType(name, value))) return false;
  if (options !== undefined && !includesJson(firstOptions(options), value)) return false;
  if (typeof value === 'string') {
    const length = [...value].length;
    const least = numberOr(schema['minLength'], 0);
    return length >= least && length <= numberOr(schema['maxLength'], Infinity);
  }
  if (typeof value !== 'number') return true;
  return (
    value >= numberOr(schema['minimum'], -Infinity) &&
    value <= numberOr(schema['maximum'], Infinity) &&
    value > numberOr(schema['exclusiveMinimum'], -Infinity) &&
    value < numberOr(schema['exclusiveMaximum'], Infinity) &&
    (typeof multipleOf !== 'number' || isMultiple(value, multipleOf))
  );
}
