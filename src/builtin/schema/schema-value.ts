/**
 * A value that satisfies a JSON Schema, filled as far as may be from a text: how the built-in models
 * write tool arguments and structured answers. Pure: the same schema and text give the same value.
 */
import { isObject, type JsonObject } from '../body-fields.ts';
import { type Entities, mentions, readEntities, wordsOf } from '../reply/entities.ts';
import {
  accepts,
  areDistinct,
  type CheckBudget,
  isMultiple,
  resolveRef,
  sameJson,
} from './schema-check.ts';
import { mergeSchemas } from './schema-merge.ts';
import { stringFor } from './string-value.ts';

/** `mentioned`: optional properties only when the text names them. `all`: every property. */
export type OptionalProperties = 'mentioned' | 'all';

/** Deeper than this only what is required is filled, which ends schemas that contain themselves. */
const MAX_OPTIONAL_DEPTH = 5;
/** A schema that demands more nesting has no value we could write. */
const MAX_DEPTH = 40;
/** Schemas visited for one value: a bound on what a hostile schema can cost. */
const MAX_STEPS = 2_000;
const CHARS_PER_STEP = 100;
const MAX_CHECKS = 100_000;
/** How many proposals are made where the first may not satisfy `not`, `oneOf` or `if`. */
const MAX_PROPOSALS = 6;
/** Longer lists are asked for by no one in good faith. */
const MAX_ITEMS = 256;
/** Choices of an enum beyond this are not looked for in the text. */
const MAX_OPTIONS = 500;
/** A place in the value: where it is, what it is called, and which of several likes it is. */
type Place = { readonly field: string; readonly depth: number; readonly variant: number };

/** Makes the value; the text is that of the request it answers. */
export function schemaValue(schema: unknown, text: string, optional: OptionalProperties): unknown {
  const writer = new SchemaWriter(schema, readEntities(text), optional);
  return writer.value(schema, { field: '', depth: 0, variant: 0 });
}

const asNumber = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

class SchemaWriter {
  private readonly root: unknown;
  private readonly entities: Entities;
  private readonly optional: OptionalProperties;
  private readonly checks: CheckBudget = { left: MAX_CHECKS };
  private steps = 0;
  /** Numbers of the text are given out in their order, each once. */
  private numbersUsed = 0;

  constructor(root: unknown, entities: Entities, optional: OptionalProperties) {
    this.root = root;
    this.entities = entities;
    this.optional = optional;
  }

  value(raw: unknown, place: Place): unknown {
    this.steps += 1;
    if (place.depth > MAX_DEPTH || this.steps > MAX_STEPS) return null;
    if (!isObject(raw)) return this.text({}, place);
    const schema = this.flat(raw);
    if ('const' in schema) return schema['const'];
    if (!hasAlternatives(schema)) return this.typed(schema, place);
    for (const candidate of this.candidates(schema, place)) {
      if (accepts(schema, candidate, this.root, this.checks)) return candidate;
    }
    return this.typed(schema, place);
  }

  /** The schema with its `$ref` and `allOf` folded in. */
  private flat(schema: JsonObject, depth = 0): JsonObject {
    const { $ref: ref, allOf, ...own } = schema;
    this.steps += 1;
    if (depth > MAX_DEPTH || this.steps > MAX_STEPS) return own;
    let flat: JsonObject = own;
    const target = typeof ref === 'string' ? resolveRef(ref, this.root) : undefined;
    for (const part of [target, ...asList(allOf)]) {
      if (isObject(part)) flat = mergeSchemas(flat, this.flat(part, depth + 1));
    }
    return flat['allOf'] === undefined ? flat : this.flat(flat, depth + 1);
  }

  private *candidates(schema: JsonObject, place: Place): Generator<unknown> {
    const { anyOf, oneOf, not: _, if: condition, then, else: otherwise, ...base } = schema;
    const options = anyOf ?? oneOf;
    if (options !== undefined) {
      const rest = anyOf !== undefined && oneOf !== undefined ? { ...base, oneOf } : base;
      for (const branch of this.preferred(asList(options), place)) {
        const merged = isObject(branch) ? mergeSchemas(rest, branch) : rest;
        yield this.value(merged, deeper(place));
        // Where alternatives overlap, another value may satisfy only one of them.
        if (oneOf !== undefined) yield this.value(merged, another(deeper(place)));
      }
    }
    if (condition !== undefined) {
      yield this.value({ ...base, allOf: [condition, then ?? true] }, deeper(place));
      yield this.value({ ...base, allOf: [otherwise ?? true] }, deeper(place));
    }
    for (let variant = place.variant; variant < place.variant + MAX_PROPOSALS; variant += 1) {
      yield this.typed(base, { ...place, variant });
    }
  }

  /** Alternatives the text speaks of come first; deep down, those that end the nesting do. */
  private preferred(options: readonly unknown[], place: Place): readonly unknown[] {
    const rank = (option: unknown): number => {
      if (!isObject(option)) return 1;
      if (place.depth > MAX_OPTIONAL_DEPTH) return nestingOf(option);
      const isNull = option['type'] === 'null';
      return isNull ? 2 : this.speaksOf(option) ? 0 : 1;
    };
    return [...options].sort((one, other) => rank(one) - rank(other));
  }

  private speaksOf(option: JsonObject): boolean {
    const schema = this.flat(option);
    const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
    const constants = [schema, ...properties.filter(isObject)].flatMap((each) => [
      each['const'],
      ...asList(each['enum']),
    ]);
    return constants
      .slice(0, MAX_OPTIONS)
      .some((each) => typeof each === 'string' && mentions(this.entities.text, each));
  }

  private typed(schema: JsonObject, place: Place): unknown {
    if (Array.isArray(schema['enum'])) return this.fromEnum(schema, place);
    switch (typeOf(schema)) {
      case 'object':
        return this.object(schema, place);
      case 'array':
        return this.array(schema, place);
      case 'integer':
        return this.number(schema, place, 1);
      case 'number':
        return this.number(schema, place, null);
      case 'boolean':
        return this.boolean(schema, place);
      case 'null':
        return null;
      default:
        return this.text(schema, place);
    }
  }

  private fromEnum(schema: JsonObject, place: Place): unknown {
    const { enum: all, ...rest } = schema;
    const options = asList(all)
      .slice(0, MAX_OPTIONS)
      .filter((option) => accepts(rest, option, this.root, this.checks));
    if (options.length === 0) return asList(all)[0] ?? null;
    const named = options.filter((option) => {
      return (
        ['string', 'number'].includes(typeof option) && mentions(this.entities.text, `${option}`)
      );
    });
    const first = named[0] === undefined ? 0 : options.indexOf(named[0]);
    return options[(first + place.variant) % options.length];
  }

  private text(schema: JsonObject, place: Place): unknown {
    const preset = this.preset(schema, place);
    if (preset !== undefined) return preset;
    const text = stringFor(schema, place.field, this.entities, place.variant);
    // Long texts use up the steps as well, or many of them would make an answer of megabytes.
    this.steps += Math.floor(text.length / CHARS_PER_STEP);
    return text;
  }

  /** The schema's own default or example, where the text has nothing for the field. */
  private preset(schema: JsonObject, place: Place): unknown {
    if (place.variant > 0 || mentionsField(this.entities.text, place.field)) return undefined;
    const offered = [schema['default'], ...asList(schema['examples'])];
    return offered.find(
      (each) => each !== undefined && accepts(schema, each, this.root, this.checks),
    );
  }

  private boolean(schema: JsonObject, place: Place): boolean {
    const preset = this.preset(schema, place);
    if (typeof preset === 'boolean') return preset;
    const words = wordsOf(place.field).join('[ _-]?');
    const refused = new RegExp(
      String.raw`(?:\bno|\bnot|without|disable|off|不要|不)\s*${words}`,
      'i',
    );
    const isRefused = words !== '' && refused.test(this.entities.text);
    return isRefused === (place.variant % 2 === 1);
  }

  private number(schema: JsonObject, place: Place, whole: 1 | null): number {
    const step = asNumber(schema['multipleOf'], 0) || whole;
    const fits = (value: number): boolean =>
      accepts(schema, value, this.root, this.checks) && (whole === null || Number.isInteger(value));
    const { numbers } = this.entities;
    for (let index = this.numbersUsed; index < numbers.length; index += 1) {
      const offered = numbers[index] ?? 0;
      if (!fits(offered)) continue;
      this.numbersUsed = index + 1;
      return offered;
    }
    const preset = this.preset(schema, place);
    if (typeof preset === 'number') return preset;
    return numberWithin(schema, step, place.variant, fits);
  }

  private array(schema: JsonObject, place: Place): readonly unknown[] {
    const prefix = asList(schema['prefixItems']);
    const least = Math.min(asNumber(schema['minItems'], 0), MAX_ITEMS);
    const most = Math.min(asNumber(schema['maxItems'], Infinity), MAX_ITEMS);
    const isDeep = place.depth > MAX_OPTIONAL_DEPTH;
    const isClosed = schema['items'] === false;
    const wanted = isDeep
      ? least
      : Math.max(least, isClosed ? prefix.length : this.itemsFor(schema));
    const count = Math.min(wanted, most, isClosed ? prefix.length : Infinity);
    const contains = schema['contains'];
    const required = contains === undefined ? 0 : asNumber(schema['minContains'], 1);
    const isDistinct = schema['uniqueItems'] === true;
    const items: unknown[] = [];
    for (let index = 0; index < Math.max(count, Math.min(required, most)); index += 1) {
      const own = index < prefix.length ? prefix[index] : (schema['items'] ?? {});
      const item = index < required ? { allOf: [own, contains] } : own;
      const made = this.item(item, place, index, isDistinct ? items : []);
      items.push(made);
    }
    // A list that runs out of different values ends where it may.
    while (isDistinct && items.length > least && !areDistinct(items)) items.pop();
    return items;
  }

  private item(schema: unknown, place: Place, index: number, unlike: readonly unknown[]): unknown {
    const singular = place.field.replace(/(?<=\p{L}{2})s$/u, '');
    const at = { field: singular, depth: place.depth + 1, variant: index };
    let made = this.value(schema, at);
    const isRepeated = (): boolean => unlike.some((earlier) => sameJson(earlier, made));
    for (let more = 1; more < MAX_PROPOSALS && isRepeated(); more += 1) {
      made = this.value(schema, { ...at, variant: index + more });
    }
    return made;
  }

  /** How many items a list gets when the schema leaves it open: all numbers or places of the text. */
  private itemsFor(schema: JsonObject): number {
    const items = isObject(schema['items']) ? this.flat(schema['items']) : {};
    const type = typeOf(items);
    if (type === 'number' || type === 'integer') {
      return Math.max(1, this.entities.numbers.length - this.numbersUsed);
    }
    if (type !== 'string' || items['enum'] !== undefined) return 1;
    return Math.max(1, this.entities.quoted.length);
  }

  private object(schema: JsonObject, place: Place): JsonObject {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = asList(schema['required']).filter((name) => typeof name === 'string');
    const mandatory = new Set(required);
    const most = asNumber(schema['maxProperties'], Infinity);
    const least = Math.min(asNumber(schema['minProperties'], 0), MAX_ITEMS);
    const made = new Map<string, unknown>();
    const fill = (name: string, of: unknown): void => {
      made.set(
        name,
        this.value(of, { field: name, depth: place.depth + 1, variant: place.variant }),
      );
    };
    for (const [name, of] of Object.entries(properties)) {
      if (
        mandatory.has(name) ||
        (this.wantsOptional(name, of, place) && made.size < most - mandatory.size)
      )
        fill(name, of);
    }
    const extra = isObject(schema['additionalProperties']) ? schema['additionalProperties'] : {};
    for (const name of mandatory) if (!made.has(name)) fill(name, extra);
    for (const [name, of] of Object.entries(properties)) {
      if (made.size < least && !made.has(name) && of !== false) fill(name, of);
    }
    if (schema['additionalProperties'] !== false) {
      for (let index = 1; made.size < least; index += 1) fill(`key${index}`, extra);
    }
    return Object.fromEntries(made);
  }

  private wantsOptional(name: string, schema: unknown, place: Place): boolean {
    if (place.depth >= MAX_OPTIONAL_DEPTH || schema === false) return false;
    return this.optional === 'all' || mentionsField(this.entities.text, name);
  }
}

const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });
const another = (place: Place): Place => ({ ...place, variant: place.variant + 1 });

function mentionsField(text: string, field: string): boolean {
  const words = wordsOf(field);
  return words.length > 0 && (mentions(text, words.join(' ')) || mentions(text, field));
}

const hasAlternatives = (schema: JsonObject): boolean =>
  ['anyOf', 'oneOf', 'not', 'if'].some((keyword) => schema[keyword] !== undefined);

/** How likely a schema is to nest further: null and scalars end it, references go on. */
function nestingOf(schema: JsonObject): number {
  if (schema['type'] === 'null') return 0;
  if (schema['$ref'] !== undefined) return 3;
  return schema['type'] === 'object' || schema['type'] === 'array' ? 2 : 1;
}

/** Keywords that only make sense for one type name it where `type` does not. */
const TELLTALES: readonly (readonly [string, string])[] = [
  ['properties', 'object'],
  ['required', 'object'],
  ['additionalProperties', 'object'],
  ['minProperties', 'object'],
  ['items', 'array'],
  ['prefixItems', 'array'],
  ['minItems', 'array'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
];

function typeOf(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  const named = asList(type).find((each) => each !== 'null') ?? asList(type)[0];
  if (typeof named === 'string') return named;
  return TELLTALES.find(([keyword]) => schema[keyword] !== undefined)?.[1] ?? 'string';
}

/** A number in the schema's range: near one from below, else the nearest the range and step allow. */
function numberWithin(
  schema: JsonObject,
  step: number | null,
  variant: number,
  fits: (value: number) => boolean,
): number {
  const minimum = asNumber(schema['minimum'], -Infinity);
  const above = asNumber(schema['exclusiveMinimum'], -Infinity);
  const maximum = asNumber(schema['maximum'], Infinity);
  const below = asNumber(schema['exclusiveMaximum'], Infinity);
  const [low, high] = [Math.max(minimum, above), Math.min(maximum, below)];
  const start = low > 1 ? low : high < 1 ? high : 1;
  if (step !== null) {
    const base = Math.ceil(start / step);
    for (const offset of [variant, variant + 1, -variant, -variant - 1, 0, 1, -1]) {
      const value = Number(((base + offset) * step).toPrecision(15));
      if (fits(value) && (isMultiple(value, step) || offset === 0)) return value;
    }
    return Number((base * step).toPrecision(15));
  }
  const width = Number.isFinite(high) && Number.isFinite(low) ? high - low : 1;
  const tries = [
    start + variant / 2,
    start - variant / 2,
    start,
    low + width / (variant + 2),
    high - width / 2,
  ];
  return tries.find((value) => Number.isFinite(value) && fits(value)) ?? start;
}
