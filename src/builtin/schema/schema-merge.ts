/** Two JSON Schemas as one that demands what both demand, as far as their keywords can be joined. */
import { isObject, type JsonObject } from '../body-fields.ts';
import { isMultiple, sameJson } from './schema-check.ts';

type Join = (one: unknown, other: unknown) => unknown;

const larger: Join = (one, other) => Math.max(Number(one), Number(other));
const smaller: Join = (one, other) => Math.min(Number(one), Number(other));
const both: Join = (one, other) => (sameJson(one, other) ? one : { allOf: [one, other] });
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const union: Join = (one, other) => [...new Set([...list(one), ...list(other)])];
const shared: Join = (one, other) =>
  list(one).filter((item) => list(other).some((option) => sameJson(item, option)));

/** `integer` is a `number`, which plain intersection does not know. */
const sharedTypes: Join = (one, other) => {
  const isIn = (types: unknown, name: unknown): boolean =>
    list(types).some((type) => type === name || (type === 'number' && name === 'integer'));
  const names = [...list(one), ...list(other)];
  return [...new Set(names.filter((name) => isIn(one, name) && isIn(other, name)))];
};

/** Lists that are joined multiply; more alternatives than this are not looked through. */
const MAX_PAIRS = 32;

/** Every pair of alternatives: a value must satisfy one of each list. */
const pairs: Join = (one, other) => {
  if (sameJson(one, other)) return one;
  const joined = list(one).flatMap((left) =>
    list(other)
      .slice(0, MAX_PAIRS)
      .map((right) => both(left, right)),
  );
  return joined.slice(0, MAX_PAIRS);
};

const eachProperty: Join = (one, other) => {
  if (!isObject(one) || !isObject(other)) return other;
  const joined: Record<string, unknown> = { ...one };
  for (const [name, schema] of Object.entries(other)) {
    joined[name] = Object.hasOwn(one, name) ? both(one[name], schema) : schema;
  }
  return joined;
};

const commonMultiple: Join = (one, other) => {
  const [small, large] = [Number(smaller(one, other)), Number(larger(one, other))];
  // Whole ratios are what occurs; the search stops at the product, which always is a multiple.
  for (let multiple = large; multiple < small * large; multiple += large) {
    if (isMultiple(multiple, small)) return multiple;
  }
  return isMultiple(large, small) ? large : small * large;
};

const JOINS: Readonly<Record<string, Join>> = {
  type: sharedTypes,
  enum: shared,
  required: union,
  properties: eachProperty,
  patternProperties: eachProperty,
  items: both,
  additionalProperties: (one, other) =>
    one === false || other === false ? false : both(one, other),
  anyOf: pairs,
  oneOf: pairs,
  allOf: (one, other) => [...list(one), ...list(other)],
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  multipleOf: commonMultiple,
  uniqueItems: (one, other) => one === true || other === true,
};

export function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const join = JOINS[keyword];
    merged[keyword] =
      join === undefined || merged[keyword] === undefined ? value : join(merged[keyword], value);
  }
  return merged;
}
