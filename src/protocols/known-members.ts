/** Keeps the members of a nested object that a table names. */
import { isJsonObject, type JsonObject } from '../json/object.ts';

export type KeptMembers = {
  readonly kept: JsonObject;
  /** The paths of the other members, such as `json_schema.speed`. */
  readonly others: readonly string[];
};

/**
 * @param known paths of members. If one is `a.b`, only known members of `a` are kept; if none
 * begins with `a.`, all of `a` is kept.
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
