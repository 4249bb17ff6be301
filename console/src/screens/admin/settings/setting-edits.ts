/** Unsaved edits of settings, applied on top of the saved settings. */
import { isObject, type JsonObject, parseObject } from '#api/json.ts';
import type { SettingField } from './config-queries.ts';

export type Scalar = SettingField['value'];
/** The new value of each edited setting, by the setting's path. Null restores the default. */
export type Edits = ReadonlyMap<string, Scalar>;

/** The sections whose entries have a page each. Such an entry is called a record. */
const RECORDS: readonly string[] = ['upstreams', 'models'];
/** The number of keys in the path of a record: its section and its name. */
const RECORD_KEYS = 2;

/** Whether the field belongs to an upstream or a model. */
export const isOfRecord = ({ keys }: Pick<SettingField, 'keys'>): boolean =>
  RECORDS.includes(keys[0] ?? '') && keys.length > RECORD_KEYS;

/** Returns the keys of the path within the upstream or model. */
export const keysInRecord = ({ keys }: Pick<SettingField, 'keys'>): readonly string[] =>
  keys.slice(RECORD_KEYS);

const isSame = (one: Scalar, other: Scalar): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const pathOf = ({ keys }: Pick<SettingField, 'keys'>): string => keys.join('.');

/** Returns the configured or edited value; null if none is set, so that the default applies. */
export function writtenValue(field: SettingField, edits: Edits): Scalar {
  const edit = edits.get(pathOf(field));
  return edit === undefined ? field.value : edit;
}

/** Whether a value differs from the default. */
export const isChanged = (field: SettingField, value: Scalar): boolean =>
  value !== null && !isSame(value, field.default);

/** Returns the edits with a new value. A value equal to the saved one is not an edit. */
export function withEdit(edits: Edits, field: SettingField, value: Scalar): Edits {
  const next = new Map(edits);
  if (isSame(value, field.value)) next.delete(pathOf(field));
  else next.set(pathOf(field), value);
  return next;
}

/** Parses a typed value. Empty text means the default; an integer becomes a number. */
export function typedValue({ type }: Pick<SettingField, 'type'>, typed: string): Scalar {
  const text = typed.trim();
  if (text === '') return null;
  return type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Parses a list whose entries were typed. An empty list means the default. */
export const typedList = (typed: readonly string[]): Scalar => {
  const entries = [...new Set(typed.map((entry) => entry.trim()).filter((entry) => entry !== ''))];
  return entries.length === 0 ? null : entries;
};

/**
 * Whether the setting is offered. Some settings exist only for certain values of other settings.
 */
export function isOffered(
  field: SettingField,
  fields: readonly SettingField[],
  edits: Edits,
): boolean {
  const { only_if: condition } = field;
  if (condition === null) return true;
  const other = fields.find((each) => pathOf(each) === condition.keys.join('.'));
  return other !== undefined && (writtenValue(other, edits) ?? other.default) === condition.value;
}

/**
 * Returns the edits that still differ from the saved values. An edit no longer differs if somebody
 * else has saved the same value in the meantime.
 */
export const openEdits = (fields: readonly SettingField[], edits: Edits): Edits =>
  new Map(
    fields.flatMap((field) => {
      const edit = edits.get(pathOf(field));
      return edit === undefined || isSame(edit, field.value)
        ? []
        : [[pathOf(field), edit] as const];
    }),
  );

/**
 * Returns a JSON merge patch of the edits. Null removes a key. A group that would become empty is
 * removed as a whole, since an empty group may be invalid.
 */
export function patchOf(all: readonly SettingField[], edits: Edits): JsonObject {
  let patch: JsonObject = {};
  const offered = all.filter((field) => isOffered(field, all, edits));
  const paths = new Set(offered.map(pathOf));
  // Of several fields with the same path, at most one is offered. The others are left out.
  const fields = [...offered, ...all.filter((field) => !paths.has(pathOf(field)))];
  const written = offered.filter((field) => writtenValue(field, edits) !== null);
  for (const field of fields) {
    const isLost = !paths.has(pathOf(field)) && field.value !== null;
    if (!edits.has(pathOf(field)) && !isLost) continue;
    if (written.includes(field)) {
      patch = patched(patch, field.keys, patchValue(field, writtenValue(field, edits)));
      continue;
    }
    // Removes the largest group that contains no other set value, but never a whole upstream or
    // model.
    const from = isOfRecord(field) ? RECORD_KEYS : 0;
    const depth = field.keys.findIndex((_, index) => {
      const group = field.keys.slice(0, index + 1);
      return index >= from && !written.some((each) => isWithin(each.keys, group));
    });
    patch = patched(patch, field.keys.slice(0, depth + 1), null);
  }
  return patch;
}

/** Returns the value for a merge patch. In the patch of a map, null removes an entry. */
function patchValue({ type, value: before }: SettingField, value: Scalar): unknown {
  const map = type === 'json' && typeof value === 'string' ? parseObject(value) : null;
  // An invalid map is sent as it is, so that the gateway reports its error.
  return map === null ? value : mapPatch(parseObject(String(before)) ?? {}, map);
}

const mapPatch = (before: JsonObject, after: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.keys(before).map((key) => [key, null])),
  ...Object.fromEntries(
    Object.entries(after).map(([key, value]) => {
      const was = before[key];
      return [key, isObject(value) && isObject(was) ? mapPatch(was, value) : value];
    }),
  ),
});

const isWithin = (keys: readonly string[], group: readonly string[]): boolean =>
  group.every((key, index) => keys[index] === key);

function patched(patch: JsonObject, keys: readonly string[], value: unknown): JsonObject {
  const [key = '', ...rest] = keys;
  const below = patch[key];
  // The patch already removes the whole group, so its fields need no edits.
  if (rest.length > 0 && below === null) return patch;
  const inner = rest.length === 0 ? value : patched(isObject(below) ? below : {}, rest, value);
  return { ...patch, [key]: inner };
}
