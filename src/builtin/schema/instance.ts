/**
 * Generates values that satisfy a JSON Schema. Decision record 18 explains why no library is used.
 */
import { isObject, type JsonObject } from '../body-fields.ts';
import { type Entities, hasWord, readEntities, wordsOf } from '../entities.ts';
import { RequestError } from '../request-error.ts';
import {
  acceptsShallowly,
  asList,
  firstOptions,
  joinSchemas,
  numberOr,
  resolveRef,
  sameJson,
} from './subschemas.ts';
import { textFor } from './text-value.ts';

/** Which optional properties are generated: those that the text mentions, or all. */
export type OptionalProperties = 'mentioned' | 'all';

/**
 * The number of steps that remain for generating values. All schemas of a request share one budget,
 * which limits the work.
 */
export type StepBudget = { left: number };
export const stepBudget = (): StepBudget => ({ left: 1_000 });

/** How many list entries, and how many characters, cost one step of the budget. */
const ENTRIES_PER_STEP = 20;
const CHARS_PER_STEP = 80;
/**
 * The maximum depth at which optional properties are generated. It ends the recursion of recursive
 * schemas.
 */
const MAX_OPTIONAL_DEPTH = 5;
const MAX_DEPTH = 40;
const MAX_ITEMS = 64;
const MAX_EXAMPLES = 8;
const UNSUPPORTED = ['not', 'if', 'contains'] as const;

type Run = {
  /** The whole schema, in which each `$ref` is resolved. */
  readonly root: unknown;
  readonly entities: Entities;
  readonly optional: OptionalProperties;
  readonly budget: StepBudget;
  /** The index of the next number of the text to use. Numbers are used in order, each only once. */
  numbersUsed: number;
};

/**
 * A position in the generated value. Each item of a list has its own number `variant`, so that the
 * items differ.
 */
type Place = { readonly field: string; readonly depth: number; readonly variant: number };

/** @throws RequestError when the schema is too large or has an unsupported keyword. */
export function writeInstance(
  schema: unknown,
  text: string,
  optional: OptionalProperties,
  budget = stepBudget(),
): unknown {
  const run = { root: schema, entities: readEntities(text), optional, budget, numbersUsed: 0 };
  return writeValue(run, schema, { field: '', depth: 0, variant: 0 });
}

const unsupported = (problem: string): RequestError =>
  new RequestError('unsupported_value', null, `The built-in models cannot follow ${problem}.`);

function spend(run: Run, steps: number): void {
  run.budget.left -= steps;
  if (run.budget.left < 0) throw unsupported('a JSON Schema of this size');
}

function writeValue(run: Run, raw: unknown, place: Place): unknown {
  spend(run, 1);
  if (place.depth > MAX_DEPTH) throw unsupported('a JSON Schema that is nested this deeply');
  const schema = isObject(raw) ? flatten(run, raw) : {};
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  const keyword = UNSUPPORTED.find((each) => Object.hasOwn(schema, each));
  if (keyword !== undefined) throw unsupported(`the keyword '${keyword}' of a JSON Schema`);
  for (const union of ['anyOf', 'oneOf'] as const) {
    const { [union]: branches, ...base } = schema;
    if (branches === undefined) continue;
    const branch = { allOf: [base, bestBranch(run, branches, place)] };
    return writeValue(run, branch, { ...place, depth: place.depth + 1 });
  }
  return writeTyped(run, schema, place);
}

/** Returns the schema after merging its `$ref` and `allOf` into it. */
function flatten(run: Run, schema: JsonObject): JsonObject {
  const { $ref: ref, allOf, ...own } = schema;
  const target = typeof ref === 'string' ? resolveRef(ref, run.root) : true;
  if (target === undefined) throw unsupported(`the reference '${ref}'`);
  let flat: JsonObject = own;
  for (const part of [target, ...asList(allOf)]) {
    spend(run, 1);
    if (!isObject(part)) continue;
    const other = flatten(run, part);
    const names = isObject(other['properties']) ? Object.keys(other['properties']) : [];
    const options = asList(flat['enum']).length * asList(other['enum']).length;
    const entries = names.length + asList(other['required']).length + options;
    spend(run, entries / ENTRIES_PER_STEP);
    flat = joinSchemas(flat, other);
  }
  return flat;
}

/**
 * Selects the branch of a union that the text mentions. If it mentions none, selects the first
 * branch, and `null` only as the last resort. Beyond `MAX_OPTIONAL_DEPTH`, selects the branch with
 * the least nesting.
 */
function bestBranch(run: Run, options: unknown, place: Place): unknown {
  const rank = (option: unknown): number => {
    if (!isObject(option)) return 1;
    if (place.depth > MAX_OPTIONAL_DEPTH) return nestingOf(option);
    return option['type'] === 'null' ? 2 : isMentioned(run, option) ? 0 : 1;
  };
  const ranked = firstOptions(options).map((option) => ({ option, rank: rank(option) }));
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.option;
}

/**
 * Ranks a schema by the possible depth of its values: 0 for null, 1 for scalars, 2 for objects and
 * arrays, 3 for references.
 */
function nestingOf(schema: JsonObject): number {
  if (schema['type'] === 'null') return 0;
  if (schema['$ref'] !== undefined) return 3;
  return schema['type'] === 'object' || schema['type'] === 'array' ? 2 : 1;
}

/** Whether the text contains a `const` or `enum` value of the schema or of its properties. */
function isMentioned(run: Run, option: JsonObject): boolean {
  const schema = flatten(run, option);
  const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  const words = [schema, ...properties.filter(isObject)].flatMap((each) => [
    each['const'],
    ...asList(each['enum']),
  ]);
  return firstOptions(words).some(
    (each) => typeof each === 'string' && hasWord(run.entities, each),
  );
}

function writeTyped(run: Run, schema: JsonObject, place: Place): unknown {
  const type = typeOf(schema);
  if (!Array.isArray(schema['enum'])) {
    if (type === 'object') return writeObject(run, schema, place);
    if (type === 'array') return writeArray(run, schema, place);
  }
  const value = writeScalar(run, schema, type, place);
  if (acceptsShallowly(schema, value)) return value;
  throw unsupported(`the constraints on '${place.field}' in a JSON Schema`);
}

function writeScalar(run: Run, schema: JsonObject, type: string, place: Place): unknown {
  if (Array.isArray(schema['enum'])) return writeOption(run, schema, place);
  // Uses the schema's default or an example, unless the text mentions the field.
  const offered = [schema['default'], ...asList(schema['examples']).slice(0, MAX_EXAMPLES)];
  const preset = offered.find((each) => each !== undefined && acceptsShallowly(schema, each));
  const usesPreset = place.variant === 0 && !mentionsField(run, place.field);
  if (preset !== undefined && usesPreset) return preset;
  if (type === 'integer' || type === 'number') return writeNumber(run, schema, place);
  if (type === 'boolean') return writeBoolean(run, place);
  if (type === 'null') return null;
  const text = textFor(schema, place.field, run.entities, place.variant);
  if (text === null) throw unsupported("the keyword 'pattern' of a JSON Schema");
  // Long texts use up the step budget. This keeps the answer below a megabyte.
  spend(run, text.length / CHARS_PER_STEP);
  return text;
}

function writeOption(run: Run, schema: JsonObject, place: Place): unknown {
  const { enum: all, ...rest } = schema;
  const options = firstOptions(all).filter((option) => acceptsShallowly(rest, option));
  spend(run, asList(all).length / ENTRIES_PER_STEP);
  const named = options.findIndex((option) => {
    const isWord = typeof option === 'string' || typeof option === 'number';
    return isWord && hasWord(run.entities, `${option}`);
  });
  return options[(Math.max(named, 0) + place.variant) % options.length];
}

function writeBoolean(run: Run, place: Place): boolean {
  const name = wordsOf(place.field).join(' ');
  const refusals = ['no', 'not', 'without', 'disable', '不要'].map((word) => `${word} ${name}`);
  const isRefused = name !== '' && refusals.some((each) => hasWord(run.entities, each));
  return isRefused === (place.variant % 2 === 1);
}

/**
 * Returns the next unused number in the text that satisfies the schema. If no number does, returns
 * one near 1, or near the schema's minimum or maximum.
 */
function writeNumber(run: Run, schema: JsonObject, { variant }: Place): number {
  const { numbers } = run.entities;
  const fits = (value: number): boolean => acceptsShallowly(schema, value);
  const index = numbers.findIndex((each, at) => at >= run.numbersUsed && fits(each));
  if (index >= 0) {
    run.numbersUsed = index + 1;
    return numbers[index] ?? 0;
  }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity));
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity));
  const step = numberOr(multipleOf, 0) || 1;
  const base = Math.ceil((low > 1 ? low : Math.min(high, 1)) / step);
  const tries = [variant, variant + 1, -variant, -variant - 1, 0, 1, -1].map((offset) =>
    Number(((base + offset) * step).toPrecision(15)),
  );
  return [...tries, (low + high) / 2].find(fits) ?? 0;
}

function mentionsField(run: Run, field: string): boolean {
  const words = wordsOf(field);
  const isNamed = (name: string): boolean => hasWord(run.entities, name);
  return words.length > 0 && (isNamed(words.join(' ')) || isNamed(field));
}

function writeArray(run: Run, schema: JsonObject, place: Place): readonly unknown[] {
  const { items: rest = {}, uniqueItems: isDistinct } = schema;
  const prefix = asList(schema['prefixItems']);
  const least = numberOr(schema['minItems'], 0);
  const open = rest === false ? prefix.length : MAX_ITEMS;
  const most = Math.min(numberOr(schema['maxItems'], open), open);
  const offered = place.depth > MAX_OPTIONAL_DEPTH ? 0 : countItems(run, rest);
  const count = Math.min(Math.max(least, offered, prefix.length), most);
  // The items of a list called `names` are generated like a field called `name`.
  const field = place.field.replace(/(?<=\p{L}{2})s$/u, '');
  const items: unknown[] = [];
  for (let variant = 0; items.length < count && variant < MAX_ITEMS; variant += 1) {
    const of = items.length < prefix.length ? prefix[items.length] : rest;
    const value = writeValue(run, of, { field, depth: place.depth + 1, variant });
    if (isDistinct !== true || !items.some((each) => sameJson(each, value))) items.push(value);
  }
  if (items.length >= least) return items;
  throw unsupported(`the minimum length of the array '${place.field}' in a JSON Schema`);
}

/**
 * Returns the number of items to generate for a list without a fixed length: one for each matching
 * value in the text.
 */
function countItems(run: Run, items: unknown): number {
  const schema = isObject(items) ? flatten(run, items) : {};
  const type = typeOf(schema);
  const { numbers, quoted } = run.entities;
  if (type === 'number' || type === 'integer') return Math.max(1, numbers.length - run.numbersUsed);
  return type === 'string' && schema['enum'] === undefined ? Math.max(1, quoted.length) : 1;
}

function writeObject(run: Run, schema: JsonObject, place: Place): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const { additionalProperties: extra = {} } = schema;
  const required = new Set(asList(schema['required']).filter((name) => typeof name === 'string'));
  const most = numberOr(schema['maxProperties'], Infinity) - required.size;
  const least = Math.min(numberOr(schema['minProperties'], 0), MAX_ITEMS);
  spend(run, (required.size + Object.keys(properties).length) / ENTRIES_PER_STEP);
  const made = new Map<string, unknown>();
  const fill = (name: string, of: unknown): void => {
    const at = { field: name, depth: place.depth + 1, variant: place.variant };
    made.set(name, writeValue(run, of, at));
  };
  const isWanted = (name: string, of: unknown): boolean =>
    place.depth < MAX_OPTIONAL_DEPTH &&
    of !== false &&
    made.size < most &&
    (run.optional === 'all' || mentionsField(run, name));
  for (const [name, of] of Object.entries(properties)) {
    if (required.has(name) || isWanted(name, of)) fill(name, of);
  }
  for (const name of required) if (!made.has(name)) fill(name, extra);
  for (let index = 1; extra !== false && made.size < least; index += 1) fill(`key${index}`, extra);
  if (made.size >= numberOr(schema['minProperties'], 0)) return Object.fromEntries(made);
  throw unsupported(`the minimum number of properties of '${place.field}' in a JSON Schema`);
}

/** Keywords that apply to only one type. For a schema without `type`, they determine the type. */
const TYPE_OF_KEYWORD: readonly (readonly [RegExp, string])[] = [
  [/^(?:properties|required|additionalProperties|minProperties)$/, 'object'],
  [/^(?:items|prefixItems|minItems)$/, 'array'],
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
