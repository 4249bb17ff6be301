/** Validates requests, and writes the errors that callers read. */
import * as z from 'zod';
import { valueAt } from '../config/schema-path.ts';
import { GatewayError } from '../errors.ts';
import type { JsonObject } from '../json/object.ts';
import { fits } from './compiled-check.ts';

/**
 * Validates a value and returns it, usually without a copy. `path` is its path in the body, empty
 * for the body itself.
 * @throws GatewayError `missing_required_parameter` or `invalid_value` for the first issue, with a
 * `param` such as `messages[0].content`.
 */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
): z.output<Schema> {
  if (fits(schema, value)) return value;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  if (first === undefined) throw parsed.error;
  const issue = deepest(first);
  const param = pathOf(path, issue.path);
  throw valueAt(value, issue.path) === undefined
    ? refusal('missing_required_parameter', param, issue.message)
    : invalid(param, issue.message);
}

/** The maximum number of entries of lists and maps, by field. */
export type MaxEntries = ReadonlyMap<string, number>;

/** Maximum messages of a request. A context of a million tokens has room for 100 tokens in each. */
export const MAX_MESSAGES = 10_000;

/**
 * Maximum members of an object of options: far more than needed, but limited because a schema
 * copies each one.
 */
const MAX_OPTIONS = 64;

/**
 * @param options the names of fields that contain an object of options. Each such object may have
 *   `MAX_OPTIONS` members.
 */
export const maxEntries = (
  entries: Readonly<Record<string, number>>,
  options: readonly string[] = [],
): MaxEntries =>
  new Map([...options.map((name) => [name, MAX_OPTIONS] as const), ...Object.entries(entries)]);

/**
 * Checks the lengths of an object's lists and maps. Call this before a schema validates the object:
 * for a long list, the schema would collect an issue for every invalid entry.
 * @throws GatewayError `invalid_value`.
 */
export function checkLengths(object: JsonObject, limits: MaxEntries, path = ''): void {
  for (const field in object) {
    const value = object[field];
    if (typeof value !== 'object' || value === null) continue;
    const most = limits.get(field);
    if (most === undefined) continue;
    const length = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (length > most) throw invalid(pathOf(path, [field]), `must hold at most ${most} entries`);
  }
}

export const missing = (param: string, remedy: string): GatewayError =>
  refusal('missing_required_parameter', param, `field required; ${remedy}`);

export const invalid = (param: string, problem: string): GatewayError =>
  refusal('invalid_value', param, problem);

/** Returns the parts or blocks of content that is not a string. @throws GatewayError */
export function contentIn(
  value: unknown,
  path: string,
  of: 'parts' | 'blocks',
): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const be = `be a string or an array of content ${of}`;
  throw value === undefined ? missing(path, `it must ${be}`) : invalid(path, `must ${be}`);
}

function refusal(
  code: 'missing_required_parameter' | 'invalid_value',
  param: string,
  problem: string,
): GatewayError {
  return new GatewayError(code, `${param === '' ? 'body' : param}: ${problem}.`, { param });
}

/**
 * For a value that matches no variant of a union, returns the issue with the longest path, because
 * the variant with that issue matched best. For any other value, returns the given issue.
 */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [deepest(first)]));
  const furthest = inner
    .filter(({ path }) => path.length > 0)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return furthest === undefined ? issue : { ...furthest, path: [...issue.path, ...furthest.path] };
}

function pathOf(base: string, path: readonly PropertyKey[]): string {
  let text = base;
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text;
}

/**
 * Returns the error `unsupported_value`. `problem` says, without the path, what is unsupported and
 * what to do instead.
 */
export const unsupportedValue = (param: string, problem: string): GatewayError =>
  new GatewayError('unsupported_value', `${param}: ${problem}.`, { param });

export const unsupportedParameter = (param: string, problem: string): GatewayError =>
  new GatewayError('unsupported_parameter', `${param}: ${problem}.`, { param });

/**
 * Returns the option that sets a schema's error message, such as `must be a string`. For a missing
 * field, the message is `field required; it must be a string`.
 */
export function must(be: string): { error: (issue: { readonly input?: unknown }) => string } {
  return {
    error: (issue) =>
      issue.input === undefined ? `field required; it must be ${be}` : `must be ${be}`,
  };
}

export const text = (be = 'a string') => z.string(must(be));
export const textOrNull = () => text('a string or null').nullish();
export const objectOrNull = () => object({}, 'an object or null').nullish();
export const flagOrNull = () => z.boolean(must('true, false or null')).nullish();
export const numberOrNull = (min: number, max: number) => {
  const be = must(`a number from ${min} to ${max}, or null`);
  return z.number(be).min(min, be).max(max, be).nullish();
};
export const integer = (min: number, max: number, be: string) =>
  z.int(must(be)).min(min, must(be)).max(max, must(be));
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, must(`one of ${values.join(', ')}`));

/**
 * Returns a loose object schema. It accepts unknown fields, because `request-fields.ts` decides
 * about these.
 */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape, be = 'an object') =>
  z.looseObject(shape, must(be));

/**
 * Returns the schema of the field `provider`, an extension of the gateway that chooses the channel
 * that serves the request.
 */
export const providerOption = () =>
  object(
    {
      channel: text('the name of a channel, or null')
        .nullish()
        .describe(
          "The channel to use. If the model is not sold on it, the model's default channel is used.",
        ),
      allow_fallbacks: flagOrNull().describe(
        'If false, the request fails when the named channel cannot serve it.',
      ),
    },
    'an object such as {"channel": "direct"}, or null',
  ).nullish();
