/**
 * Writes a value that satisfies a JSON Schema and takes its contents from a text where it can: tool
 * arguments and structured answers. The same schema and text give the same value. Decision 18
 * explains why no library does this.
 */
import { isObject, type JsonObject } from '../body-fields.ts';
import { hasWord, readEntities } from '../entities.ts';
import {
  mentionsField,
  numberOr,
  type OptionalProperties,
  type Place,
  type Run,
  spend,
  stepBudget,
  writeBoolean,
  writeNumber,
  writeOption,
  writeText,
} from './scalar-value.ts';
import {
  acceptsShallowly,
  asList,
  firstOptions,
  joinSchemas,
  resolveRef,
  sameJson,
} from './subschemas.ts';

/** Below this depth only required properties are filled, which ends recursive schemas. */
const MAX_OPTIONAL_DEPTH = 5;
/** Below this depth, and without budget, every value is null. */
const MAX_DEPTH = 40;
/** How many values are tried where the first may break `not`, `oneOf` or `uniqueItems`. */
const MAX_ATTEMPTS = 6;
const MAX_ITEMS = 64;

/** @param text of the request. */
export function writeInstance(
  schema: unknown,
  text: string,
  optional: OptionalProperties,
  budget = stepBudget(),
): unknown {
  const run = {
    root: schema,
    entities: readEntities(text),
    optional,
    budget,
    numbersUsed: 0,
    samples: new Map<string, string>(),
  };
  return writeValue(run, schema, { field: '', depth: 0, variant: 0 });
}

const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

function writeValue(run: Run, raw: unknown, place: Place): unknown {
  run.budget.left -= 1;
  if (place.depth > MAX_DEPTH || run.budget.left < 0) return null;
  if (!isObject(raw)) return writeText(run, {}, place);
  const schema = flatten(run, raw);
  if ('const' in schema) return schema['const'];
  const { anyOf, oneOf, not, if: condition, then, ...base } = schema;
  if (anyOf !== undefined) {
    const rest = { ...base, ...(oneOf === undefined ? {} : { oneOf }) };
    return writeValue(run, join(run, rest, rankBranches(run, anyOf, place)[0]), deeper(place));
  }
  if (oneOf !== undefined) return writeOneOf(run, base, rankBranches(run, oneOf, place), place);
  if (condition !== undefined) {
    return writeValue(run, { ...base, allOf: [condition, then ?? true] }, deeper(place));
  }
  const fits = (value: unknown): boolean => not === undefined || !acceptsShallowly(not, value);
  return attempt(run, place, fits, (at) => writeTyped(run, base, at));
}

/** The first value that fits, else the last attempt. */
function attempt(
  run: Run,
  place: Place,
  fits: (value: unknown) => boolean,
  write: (place: Place) => unknown,
): unknown {
  let value: unknown = null;
  for (let more = 0; more < MAX_ATTEMPTS; more += 1) {
    run.budget.left -= Math.min(more, 1);
    value = write({ ...place, variant: place.variant + more });
    if (run.budget.left < 0 || fits(value)) break;
  }
  return value;
}

/** Merges `$ref` and `allOf` into the schema. */
function flatten(run: Run, schema: JsonObject, depth = 0): JsonObject {
  const { $ref: ref, allOf, ...own } = schema;
  let flat: JsonObject = own;
  const target = typeof ref === 'string' ? resolveRef(ref, run.root) : undefined;
  for (const part of [target, ...asList(allOf)]) {
    run.budget.left -= 1;
    if (depth > MAX_DEPTH || run.budget.left < 0) break;
    if (isObject(part)) flat = join(run, flat, flatten(run, part, depth + 1));
  }
  return flat['allOf'] === undefined ? flat : flatten(run, flat, depth + 1);
}

function join(run: Run, one: JsonObject, other: unknown): JsonObject {
  if (!isObject(other)) return one;
  const { properties } = other;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const options = asList(one['enum']).length * asList(other['enum']).length;
  spend(run, names.length + asList(other['required']).length + options);
  return joinSchemas(one, other);
}

/** Branches that the text mentions come first. At depth, branches that end the nesting do. */
function rankBranches(run: Run, options: unknown, place: Place): readonly unknown[] {
  const rank = (option: unknown): number => {
    if (!isObject(option)) return 1;
    if (place.depth > MAX_OPTIONAL_DEPTH) return nestingOf(option);
    return option['type'] === 'null' ? 2 : isMentioned(run, option) ? 0 : 1;
  };
  const ranks = new Map(firstOptions(options).map((each) => [each, rank(each)]));
  return [...ranks.keys()].sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
}

/** If branches overlap, another value or branch may satisfy exactly one. */
function writeOneOf(
  run: Run,
  base: JsonObject,
  branches: readonly unknown[],
  place: Place,
): unknown {
  let first: unknown;
  for (const branch of branches.slice(0, MAX_ATTEMPTS)) {
    const others = branches.filter((other) => other !== branch);
    const isAlone = (value: unknown): boolean =>
      !others.some((other) => acceptsShallowly(other, value));
    const value = attempt(run, deeper(place), isAlone, (at) =>
      writeValue(run, join(run, base, branch), at),
    );
    first ??= value;
    if (isAlone(value)) return value;
  }
  return first ?? null;
}

function isMentioned(run: Run, option: JsonObject): boolean {
  const schema = flatten(run, option);
  const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  const options = [schema, ...properties.filter(isObject)].flatMap((each) => [
    each['const'],
    ...asList(each['enum']),
  ]);
  return firstOptions(options).some(
    (each) => typeof each === 'string' && hasWord(run.entities, each),
  );
}

function writeTyped(run: Run, schema: JsonObject, place: Place): unknown {
  if (Array.isArray(schema['enum'])) return writeOption(run, schema, place);
  const type = typeOf(schema);
  switch (type) {
    case 'object':
      return writeObject(run, schema, place);
    case 'array':
      return writeArray(run, schema, place);
    case 'integer':
    case 'number':
      return writeNumber(run, schema, place, type === 'integer' ? 1 : null);
    case 'boolean':
      return writeBoolean(run, schema, place);
    case 'null':
      return null;
    default:
      return writeText(run, schema, place);
  }
}

function writeArray(run: Run, schema: JsonObject, place: Place): readonly unknown[] {
  const { items: rest = {}, contains } = schema;
  const prefix = asList(schema['prefixItems']);
  const least = Math.min(numberOr(schema['minItems'], 0), MAX_ITEMS);
  const most = Math.min(numberOr(schema['maxItems'], MAX_ITEMS), MAX_ITEMS);
  const open = rest === false ? prefix.length : MAX_ITEMS;
  const wanted = place.depth > MAX_OPTIONAL_DEPTH ? least : Math.max(least, countItems(run, rest));
  const found = contains === undefined ? 0 : numberOr(schema['minContains'], 1);
  const count = Math.min(Math.max(wanted, found, rest === false ? open : 0), most, open);
  const isDistinct = schema['uniqueItems'] === true;
  // The items of `names` are filled like a field `name`.
  const field = place.field.replace(/(?<=\p{L}{2})s$/u, '');
  const items: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = index < prefix.length ? prefix[index] : rest;
    const item = index < found ? { allOf: [own, contains] } : own;
    const isNew = (value: unknown): boolean => !items.some((each) => sameJson(each, value));
    const at = { field, depth: place.depth + 1, variant: index };
    const value = attempt(
      run,
      at,
      (each) => !isDistinct || isNew(each),
      (each) => writeValue(run, item, each),
    );
    // The list ends when no further distinct value is found.
    if (isDistinct && items.length >= least && !isNew(value)) break;
    items.push(value);
  }
  return items;
}

/** Items of a list of open length: as many as the text offers. */
function countItems(run: Run, items: unknown): number {
  const schema = isObject(items) ? flatten(run, items) : {};
  const type = typeOf(schema);
  if (type === 'number' || type === 'integer') {
    return Math.max(1, run.entities.numbers.length - run.numbersUsed);
  }
  return type === 'string' && schema['enum'] === undefined
    ? Math.max(1, run.entities.quoted.length)
    : 1;
}

function writeObject(run: Run, schema: JsonObject, place: Place): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const { additionalProperties: extra = {} } = schema;
  const required = new Set(asList(schema['required']).filter((name) => typeof name === 'string'));
  const most = numberOr(schema['maxProperties'], Infinity) - required.size;
  const least = Math.min(numberOr(schema['minProperties'], 0), MAX_ITEMS);
  spend(run, required.size);
  const made = new Map<string, unknown>();
  const fill = (name: string, of: unknown): void => {
    const at = { field: name, depth: place.depth + 1, variant: place.variant };
    made.set(name, writeValue(run, of, at));
  };
  for (const [name, of] of Object.entries(properties)) {
    const isWanted = made.size < most && wantsOptional(run, name, of, place);
    if (required.has(name) || isWanted) fill(name, of);
  }
  for (const name of required) if (!made.has(name)) fill(name, extra);
  for (const [name, of] of Object.entries(properties)) {
    if (made.size < least && !made.has(name) && of !== false) fill(name, of);
  }
  for (let index = 1; extra !== false && made.size < least; index += 1) fill(`key${index}`, extra);
  return Object.fromEntries(made);
}

function wantsOptional(run: Run, name: string, schema: unknown, place: Place): boolean {
  if (place.depth >= MAX_OPTIONAL_DEPTH || schema === false || run.budget.left < 0) return false;
  return run.optional === 'all' || mentionsField(run, name);
}

/** Ranks schemas by how likely they nest: null and scalars end it, references continue. */
function nestingOf(schema: JsonObject): number {
  if (schema['type'] === 'null') return 0;
  if (schema['$ref'] !== undefined) return 3;
  return schema['type'] === 'object' || schema['type'] === 'array' ? 2 : 1;
}

/** Keywords that only make sense for one type, for schemas without `type`. */
const TYPE_OF_KEYWORD: readonly (readonly [RegExp, string])[] = [
  [/^(?:properties|required|additionalProperties|minProperties)$/, 'object'],
  [/^(?:items|prefixItems|minItems|contains)$/, 'array'],
  [/^(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/, 'number'],
];

function typeOf(schema: JsonObject): string {
  const types = [schema['type']].flat();
  const named = types.find((each) => each !== 'null') ?? types[0];
  if (typeof named === 'string') return named;
  const keywords = Object.keys(schema);
  const row = TYPE_OF_KEYWORD.find(([keyword]) => keywords.some((each) => keyword.test(each)));
  return row?.[1] ?? 'string';
}
