/**
 * Changes the schema of an output format or of a strict tool so that Messages upstreams accept it,
 * as Anthropic's own client does.
 */
import { asArray, asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';

/** The changed schema, or the reason why Messages upstreams cannot enforce it. */
export type AcceptedSchema = { readonly schema: JsonObject } | { readonly problem: string };

/** Members that upstreams accept with any value. */
const KEPT: ReadonlySet<string> = new Set(['title', 'description', 'default', 'required']);
/** Members whose value maps names to schemas that `$ref` can name. */
const DEFINITIONS = ['$defs', 'definitions'] as const;
/** Members that are read together with another member, or that have no effect. */
const READ: ReadonlySet<string> = new Set([
  ...['$schema', '$ref', 'type', 'properties', 'additionalProperties', 'items', 'prefixItems'],
  ...['anyOf', 'oneOf', 'allOf', ...DEFINITIONS],
]);
/** The formats of strings that upstreams accept. */
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]);

type Stringify = (value: unknown) => string;

class NotEnforceable extends Error {}

/**
 * Returns the schema that upstreams accept. It may refuse values that the given schema accepts:
 * objects get no more properties than are listed. Constraints that upstreams refuse move into the
 * description.
 * @param stringify writes the value of a constraint as JSON text.
 */
export function acceptedSchema(schema: JsonObject, stringify: Stringify): AcceptedSchema {
  try {
    const accepted = acceptedAt('', schema, stringify);
    refuseRecursion(schema);
    return { schema: accepted };
  } catch (thrown) {
    if (thrown instanceof NotEnforceable) return { problem: thrown.message };
    throw thrown;
  }
}

function refuse(path: string, problem: string): never {
  throw new NotEnforceable(path === '' ? problem : `${path.slice(1)}: ${problem}`);
}

function acceptedAt(path: string, value: unknown, stringify: Stringify): JsonObject {
  const given = asJsonObject(value) ?? {};
  const inner = (name: string, each: unknown) => acceptedAt(`${path}.${name}`, each, stringify);
  const named = (name: string, map: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(map).map(([key, each]) => [key, inner(`${name}.${key}`, each)]),
    );
  const definitions = Object.fromEntries(
    DEFINITIONS.flatMap((name) => {
      const map = asJsonObject(given[name]);
      return map === null ? [] : [[name, named(name, map)]];
    }),
  );
  const { $ref: ref, allOf } = given;
  if (typeof ref === 'string') {
    if (!ref.startsWith('#')) refuse(path, `"${ref}" is not in the schema; use "#/$defs/..."`);
    return { ...definitions, $ref: ref };
  }
  if (Array.isArray(allOf)) {
    const { allOf: _, ...rest } = given;
    if (allOf.length !== 1) refuse(path, 'write one schema instead of allOf');
    return acceptedAt(path, { ...rest, ...asJsonObject(allOf[0]) }, stringify);
  }
  const choices = choicesOf(path, given, inner);
  const type = given['type'] ?? impliedType(given);
  if (type === undefined && choices === null && !('enum' in given || 'const' in given))
    refuse(path, 'a value of any type cannot be enforced; state its type');
  const isType = (name: string) => asArray(type).includes(name) || type === name;
  const accepted: Record<string, unknown> = {
    ...definitions,
    ...(type === undefined ? {} : { type }),
    ...(choices === null ? {} : { anyOf: choices }),
    ...(isType('object') ? closed(path, given, named) : {}),
    ...(isType('array') ? itemsOf(given, inner) : {}),
  };
  return withConstraints(accepted, given, stringify);
}

function impliedType({ properties, items, prefixItems }: JsonObject): string | undefined {
  if (asJsonObject(properties) !== null) return 'object';
  return items === undefined && prefixItems === undefined ? undefined : 'array';
}

type Inner = (name: string, value: unknown) => JsonObject;

/** Returns the alternatives. Upstreams refuse `oneOf`, but accept `anyOf`. */
function choicesOf(path: string, given: JsonObject, inner: Inner): readonly JsonObject[] | null {
  const name = Array.isArray(given['anyOf']) ? 'anyOf' : 'oneOf';
  const choices = given[name];
  if (!Array.isArray(choices)) return null;
  if (asJsonObject(given['properties']) !== null)
    refuse(path, `properties beside ${name} cannot be enforced; list them in each alternative`);
  return choices.map((each, index) => inner(`${name}[${index}]`, each));
}

function closed(
  path: string,
  { properties, additionalProperties: more, patternProperties }: JsonObject,
  named: (name: string, map: JsonObject) => JsonObject,
): JsonObject {
  const listed = asJsonObject(properties);
  const isListed = listed !== null && (Object.keys(listed).length > 0 || more === undefined);
  if ((!isListed && more !== false) || (listed === null && patternProperties !== undefined)) {
    refuse(
      path,
      'an object with properties of any name cannot be enforced; list its properties, or use an ' +
        'array of objects with a name and a value',
    );
  }
  return { properties: named('properties', listed ?? {}), additionalProperties: false };
}

/** Returns the items of a list. Upstreams refuse `prefixItems`, so each item may be any of them. */
function itemsOf(given: JsonObject, inner: Inner): JsonObject {
  const { items, prefixItems } = given;
  const list = Array.isArray(items) ? items : asArray(prefixItems);
  if (list.length === 0)
    return asJsonObject(items) === null ? {} : { items: inner('items', items) };
  const rest = asJsonObject(items);
  const all = [...list, ...(rest === null ? [] : [rest])];
  return { items: { anyOf: all.map((each, index) => inner(`prefixItems[${index}]`, each)) } };
}

function withConstraints(
  accepted: Record<string, unknown>,
  given: JsonObject,
  stringify: Stringify,
): JsonObject {
  const constraints: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (isAccepted(name, value)) accepted[name] = value;
    else if (isTuple(name, value)) constraints.push(TUPLE);
    else if (!READ.has(name)) constraints.push(`${name}: ${stringify(value)}`);
  }
  if (constraints.length === 0) return accepted;
  const description = asFilledString(given['description']);
  const texts = [...(description === null ? [] : [description]), constraints.join(', ')];
  return { ...accepted, description: texts.join('\n') };
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

function isAccepted(name: string, value: unknown): boolean {
  if (name === 'enum') return Array.isArray(value) && value.every(isPlain);
  if (name === 'const') return isPlain(value);
  if (name === 'format') return FORMATS.has(value);
  return name === 'minItems' ? value === 0 || value === 1 : KEPT.has(name);
}

/** Whether a member lists a schema for each item of a list. */
const isTuple = (name: string, value: unknown): boolean =>
  (name === 'prefixItems' || name === 'items') && Array.isArray(value);
/** The description of a tuple. It repeats no schema, because tuples may be inside each other. */
const TUPLE = 'one item of each schema, in this order';

/** Maximum schemas inside each other, which also limits chains of references. */
const MAX_DEPTH = 1_000;

/** Throws `NotEnforceable` if a schema contains itself through a reference. */
function refuseRecursion(root: JsonObject): void {
  const done = new Set<unknown>();
  const open = new Set<unknown>();
  const visit = (value: unknown, ref: string): void => {
    if (isPlain(value) || done.has(value)) return;
    if (open.has(value) || open.size > MAX_DEPTH)
      refuse('', `"${ref}" contains itself, and recursion cannot be enforced`);
    open.add(value);
    for (const each of Object.values(value as object)) visit(each, ref);
    const inner = asJsonObject(value)?.['$ref'];
    if (typeof inner === 'string') visit(targetOf(root, inner), inner);
    open.delete(value);
    done.add(value);
  };
  visit(root, '#');
}

function targetOf(root: JsonObject, ref: string): unknown {
  let target: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    if (isPlain(target)) return undefined;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    target = Object.getOwnPropertyDescriptor(target, key)?.value;
  }
  return target;
}
