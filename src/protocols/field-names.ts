/**
 * Refuses case variants of known field names, such as `Model` instead of `model`. A
 * case-insensitive server would read such a field, but the gateway would not have priced it.
 */
import { GatewayError } from '../errors.ts';
import type { JsonObject } from '../json/object.ts';

/**
 * Folds the case of a name like the most tolerant servers. They also treat the long s (ſ) as s, and
 * the Kelvin sign as k.
 */
const folded = (name: string): string => name.toLowerCase().toUpperCase();

/** Returns a map from each case-folded name to the name itself. */
export const foldedNames = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [folded(name), name]));

const MAX_SHOWN_CHARACTERS = 64;

/**
 * Refuses a name that differs from a known name only in case, such as `Model` for `model`.
 * @throws GatewayError `unsupported_parameter`.
 */
export function refuseVariant(name: string, known: ReadonlyMap<string, string>): void {
  const meant = known.get(folded(name));
  if (meant !== undefined) throw variant(name, name, meant);
}

const variant = (param: string, name: string, meant: string): GatewayError =>
  new GatewayError(
    'unsupported_parameter',
    `${param.slice(0, MAX_SHOWN_CHARACTERS)}: field names are case-sensitive; write "${meant}" instead of "${name.slice(0, MAX_SHOWN_CHARACTERS)}".`,
    { param: param.slice(0, MAX_SHOWN_CHARACTERS) },
  );

/** The names that protocols define for members of nested objects, such as messages and parts. */
const NESTED = foldedNames([
  ...['role', 'content', 'type', 'text', 'name', 'id', 'url', 'detail', 'source', 'data'],
  ...['image_url', 'file', 'file_id', 'file_data', 'input_audio', 'format', 'video_url', 'audio'],
  ...['tool_calls', 'function', 'function_call', 'custom', 'parameters', 'input_schema', 'input'],
  ...['media_type', 'cache_control', 'ttl', 'model', 'max_uses', 'max_content_tokens', 'speed'],
  ...['tool', 'tools', 'definition', 'allowed_callers', 'output_config', 'effort', 'edits'],
  ...['output', 'file_url', 'environment', 'prompt_cache_breakpoint', 'tool_changes'],
]);
const NESTED_NAMES: ReadonlySet<string> = new Set(NESTED.values());

/**
 * Maximum members of a message, part or tool. No request needs that many, but without a limit a
 * schema would copy any number of members.
 */
const MAX_NESTED_MEMBERS = 64;

/**
 * Checks the names of an object's members.
 * @throws GatewayError `unsupported_parameter` for a case variant of a known nested name,
 *   `invalid_value` for too many members.
 */
export function refuseVariants(object: JsonObject, path: string): void {
  let left = MAX_NESTED_MEMBERS;
  for (const name in object) {
    left -= 1;
    if (left < 0) throw tooManyMembers(path);
    if (NESTED_NAMES.has(name)) continue;
    const meant = NESTED.get(folded(name));
    if (meant !== undefined) throw variant(`${path}.${name}`, name, meant);
  }
}

const tooManyMembers = (path: string): GatewayError =>
  new GatewayError('invalid_value', `${path}: must hold at most ${MAX_NESTED_MEMBERS} members.`, {
    param: path,
  });

/**
 * Maximum names in the header `x-ignored-fields`, so that its length does not exceed the limit of
 * any client.
 */
const MAX_IGNORED_NAMES = 16;
const HEADER_NAME = /^[\w.-]{1,64}$/;

/** Returns the value of the header `x-ignored-fields`; null if no field was ignored. */
export function ignoredFieldsHeader(ignored: readonly string[]): string | null {
  if (ignored.length === 0) return null;
  const named = ignored.filter((name) => HEADER_NAME.test(name)).slice(0, MAX_IGNORED_NAMES);
  const others = ignored.length - named.length;
  return [...named, ...(others === 0 ? [] : [`and ${others} more`])].join(', ');
}
