/** Selects the members of a nested object that a table names. */
import { isJsonObject, type JsonObject } from '../json/object.ts';
import { unsupportedParameter } from './validation.ts';

export type KeptMembers = {
  readonly kept: JsonObject;
  /** The paths of the members that were removed, such as `json_schema.speed`. */
  readonly others: readonly string[];
};

/**
 * Splits an object into known and other members.
 * @param known the paths of known members. The path `a` selects all of `a`. If paths such as `a.b`
 *   are given too, only these members of `a` are selected.
 */
export function keptMembers(object: JsonObject, known: readonly string[]): KeptMembers {
  const others: string[] = [];
  return { kept: keep(object, '', known, others), others };
}

function keep(
  object: JsonObject,
  prefix: string,
  known: readonly string[],
  others: string[],
): JsonObject {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    const path = prefix + name;
    if (!known.includes(path)) others.push(path);
    else if (isJsonObject(value) && known.some((each) => each.startsWith(`${path}.`)))
      kept[name] = keep(value, `${path}.`, known, others);
    else kept[name] = value;
  }
  return kept;
}

const MAX_SHOWN_CHARACTERS = 64;

/**
 * Refuses a field with unknown members.
 * @throws GatewayError `unsupported_parameter` for the first member that is not in `known`.
 */
export function refuseMembers(field: string, value: JsonObject, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw unsupportedParameter(
    `${field}.${other.slice(0, MAX_SHOWN_CHARACTERS)}`,
    `only ${known.join(', ')} can be sent in ${field}; omit it`,
  );
}
