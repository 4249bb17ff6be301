/** Edits the input items that a provider would refuse, or that would cost more than the hold. */
import { asJsonObject, changedList, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { FieldPlan } from '../request-fields.ts';
import { SEAL_PREFIX } from './seal.ts';

type Item = unknown;

/** Whether this gateway wrote the item's `encrypted_content`, which no provider can then read. */
const isSealedHere = (item: Item): boolean => {
  const content = asJsonObject(item)?.['encrypted_content'];
  return typeof content === 'string' && content.startsWith(SEAL_PREFIX);
};

/**
 * Returns the items without those whose `encrypted_content` this gateway wrote. Returns the same
 * array if no item is removed.
 */
export const withoutSeals = (items: readonly Item[]): readonly Item[] =>
  items.some(isSealedHere) ? items.filter((item) => !isSealedHere(item)) : items;

/**
 * Returns the items without reasoning and without ids, for a provider whose key cannot read the
 * reasoning. The ids are removed too, because an item's id refers to the reasoning that belongs to
 * the item.
 */
export const withoutReasoning = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => {
    if (!isJsonObject(item)) return [item];
    if (item['type'] === 'reasoning') return [];
    const { id: _, ...rest } = item;
    return [rest];
  });

/** Returns the items with `detail` set on each image whose `detail` is missing or `auto`. */
export function withImageDetail(
  items: readonly Item[],
  detail: NonNullable<FieldPlan['imageDetail']>,
): readonly Item[] {
  return changedList(items, (item) => {
    if (!isJsonObject(item)) return item;
    let edited = item;
    // The parts of messages are in `content`, and those of tool results in `output`.
    for (const name of ['content', 'output'] as const) {
      const given = item[name];
      if (!Array.isArray(given)) continue;
      const parts = changedList(given, (part) => detailed(part, detail));
      if (parts !== given) edited = { ...edited, [name]: parts };
    }
    return edited;
  });
}

function detailed(part: unknown, detail: string): unknown {
  if (!isJsonObject(part) || part['type'] !== 'input_image') return part;
  return (part['detail'] ?? 'auto') === 'auto' ? { ...part, detail } : part;
}

/**
 * Removes tools from the body: from `tools`, from items, and from the tools that `tool_choice`
 * allows. Returns the changed members of the body.
 * @param paths the path of each removed tool's type, such as `tools[2].type`.
 */
export function withoutTools(body: JsonObject, paths: readonly string[]): JsonObject {
  const removal: Removal = { paths: new Set(paths), types: new Set() };
  const changes: Record<string, unknown> = {};
  for (const name of ['tools', 'input'] as const) {
    const given = body[name];
    if (!Array.isArray(given)) continue;
    const kept = keptOf(given, name, removal);
    if (kept !== given) changes[name] = kept;
  }
  const choice = asJsonObject(body['tool_choice']);
  const allowed = choice?.['tools'];
  if (choice === null || !Array.isArray(allowed)) return changes;
  const tools = allowed.filter((each) => !removal.types.has(asJsonObject(each)?.['type']));
  return { ...changes, tool_choice: { ...choice, tools } };
}

type Removal = {
  readonly paths: ReadonlySet<string>;
  /** The types of the removed tools. */
  readonly types: Set<unknown>;
};

/**
 * Returns a list of tools or items without the removed tools, nested ones included; the same array
 * if nothing in it is removed.
 */
function keptOf(list: readonly unknown[], path: string, removal: Removal): readonly unknown[] {
  const kept = list.flatMap((each, index) => {
    if (!isJsonObject(each)) return [each];
    const at = `${path}[${index}]`;
    if (removal.paths.has(`${at}.type`)) {
      removal.types.add(each['type']);
      return [];
    }
    // Namespaces and some items contain tools.
    const { tools } = each;
    const inner = Array.isArray(tools) ? keptOf(tools, `${at}.tools`, removal) : tools;
    return [inner === tools ? each : { ...each, tools: inner }];
  });
  const isSame = kept.length === list.length && kept.every((each, at) => each === list[at]);
  return isSame ? list : kept;
}
