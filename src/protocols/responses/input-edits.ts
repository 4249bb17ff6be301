/** Edits the input items that a provider would refuse, or that would cost more than the hold. */
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { FieldPlan } from '../request-fields.ts';
import { SEAL_PREFIX } from './seal.ts';

type Item = unknown;

/** Whether this gateway made the item's encrypted content, which no provider can read. */
const isSealedHere = (item: Item): boolean => {
  const content = asJsonObject(item)?.['encrypted_content'];
  return typeof content === 'string' && content.startsWith(SEAL_PREFIX);
};

/** Returns the items without reasoning of translated answers; the same array if it has none. */
export const withoutSeals = (items: readonly Item[]): readonly Item[] =>
  items.some(isSealedHere) ? items.filter((item) => !isSealedHere(item)) : items;

/**
 * Returns the items without reasoning and without ids, for a provider whose key cannot read the
 * reasoning. An id would refer to the reasoning that belongs to its item.
 */
export const withoutReasoning = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => {
    if (!isJsonObject(item)) return [item];
    if (item['type'] === 'reasoning') return [];
    const { id: _, ...rest } = item;
    return [rest];
  });

/** Returns the items with `detail` on each image for which the request does not set it. */
export function withImageDetail(
  items: readonly Item[],
  detail: NonNullable<FieldPlan['imageDetail']>,
): readonly Item[] {
  return changed(items, (item) => {
    if (!isJsonObject(item)) return item;
    // Messages have their parts in `content`, and the results of tools in `output`.
    for (const name of ['content', 'output'] as const) {
      const given = item[name];
      if (!Array.isArray(given)) continue;
      const parts = changed(given, (part) => detailed(part, detail));
      if (parts !== given) return { ...item, [name]: parts };
    }
    return item;
  });
}

function detailed(part: unknown, detail: string): unknown {
  if (!isJsonObject(part) || part['type'] !== 'input_image') return part;
  return (part['detail'] ?? 'auto') === 'auto' ? { ...part, detail } : part;
}

/** Returns the same array if no element changes. */
function changed(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  const made = list.map(change);
  return made.some((each, at) => each !== list[at]) ? made : list;
}

/** Finds the index in each step of a path such as `input[0].tools[2]`. */
const STEP = /^(\w+)\[(\d+)\]$/;

/**
 * Removes tools, also from items and from the tools that `tool_choice` allows. Returns the changed
 * members of the body.
 * @param paths each ends with a member of the tool, such as `tools[2].type`.
 */
export function withoutTools(body: JsonObject, paths: readonly string[]): JsonObject {
  let changed: JsonObject = {};
  const types = new Set<unknown>();
  // From the back, since removing an element moves those behind it.
  for (const path of paths.toReversed()) {
    const steps = path.split('.').slice(0, -1);
    changed = without({ ...pick(body, steps), ...changed }, steps, types);
  }
  const choice = asJsonObject(body['tool_choice']);
  const allowed = choice?.['tools'];
  if (choice === null || !Array.isArray(allowed)) return changed;
  const tools = allowed.filter((each) => !types.has(asJsonObject(each)?.['type']));
  return { ...changed, tool_choice: { ...choice, tools } };
}

/** Returns the member that the first step names. */
function pick(body: JsonObject, [step = '']: readonly string[]): JsonObject {
  const [name = ''] = step.split('[', 1);
  return { [name]: body[name] };
}

/** Returns the object without the element at the steps, whose type is added to `types`. */
function without(
  object: JsonObject,
  [step = '', ...rest]: readonly string[],
  types: Set<unknown>,
): JsonObject {
  const [, name = '', index = ''] = STEP.exec(step) ?? [];
  const list = asArray(object[name]);
  const at = Number(index);
  const element = asJsonObject(list[at]) ?? {};
  if (rest.length === 0) types.add(element['type']);
  const kept = rest.length === 0 ? [] : [without(element, rest, types)];
  return { ...object, [name]: list.toSpliced(at, 1, ...kept) };
}
