/** Selects the members of a nested object that a table names. */
import { asJsonObject, isJsonObject, type JsonObject } from '../json/object.ts';
import { unsupportedParameter, unsupportedValue } from './validation.ts';

/** Maximum bytes of a field's value that is parsed to check it for a route. */
export const MAX_VALUE_BYTES = 4096;

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
 * @param value the parsed value; anything but an object if it has more than `MAX_VALUE_BYTES`.
 * @throws GatewayError `unsupported_parameter` for the first member that is not in `known`;
 *   `unsupported_value` if the value is not an object, because its members cannot be checked.
 */
export function refuseMembers(field: string, value: unknown, known: readonly string[]): void {
  const object = asJsonObject(value);
  if (object === null) {
    const allowed = `an object with at most ${MAX_VALUE_BYTES} bytes and only ${known.join(', ')}`;
    throw unsupportedValue(field, `must be ${allowed}`);
  }
  const other = Object.keys(object).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw unsupportedParameter(
    `${field}.${other.slice(0, MAX_SHOWN_CHARACTERS)}`,
    `only ${known.join(', ')} can be sent in ${field}; omit it`,
  );
}
