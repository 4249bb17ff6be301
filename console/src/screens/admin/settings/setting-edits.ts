/** Unsaved edits of settings, laid over the settings that the gateway has. */
import { isObject, type JsonObject } from '#api/json.ts';
import type { SettingField } from './config-queries.ts';

export type Scalar = SettingField['value'];
/** New values by path. Null: the default. */
export type Edits = ReadonlyMap<string, Scalar>;

export const pathOf = ({ keys }: Pick<SettingField, 'keys'>): string => keys.join('.');

/** Returns the value as written; null if nothing is, so that the default is in force. */
export function writtenValue(field: SettingField, edits: Edits): Scalar {
  const edit = edits.get(pathOf(field));
  return edit === undefined ? field.value : edit;
}

/** Whether a value differs from the default. */
export const isChanged = (field: SettingField, value: Scalar): boolean =>
  value !== null && value !== field.default;

/** Returns the edits with a new value. The value that the gateway has is no edit. */
export function withEdit(edits: Edits, field: SettingField, value: Scalar): Edits {
  const next = new Map(edits);
  if (value === field.value) next.delete(pathOf(field));
  else next.set(pathOf(field), value);
  return next;
}

/** Reads what was typed: nothing is the default, and the whole number of an integer is a number. */
export function typedValue({ type }: Pick<SettingField, 'type'>, typed: string): Scalar {
  const text = typed.trim();
  if (text === '') return null;
  return type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Whether the setting exists, given the others. */
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

/** Returns the edits that still change something, since others may have saved the same. */
export const openEdits = (fields: readonly SettingField[], edits: Edits): Edits =>
  new Map(
    fields.flatMap((field) => {
      const edit = edits.get(pathOf(field));
      return edit === undefined || edit === field.value ? [] : [[pathOf(field), edit] as const];
    }),
  );

/**
 * Returns a JSON merge patch with the edits. Null removes a key. A group in which nothing would
 * remain is removed as a whole, since an empty one may be incomplete.
 */
export function patchOf(fields: readonly SettingField[], edits: Edits): JsonObject {
  let patch: JsonObject = {};
  const isWritten = (field: SettingField): boolean =>
    isOffered(field, fields, edits) && writtenValue(field, edits) !== null;
  for (const field of fields) {
    const isLost = !isOffered(field, fields, edits) && field.value !== null;
    if (!edits.has(pathOf(field)) && !isLost) continue;
    if (isWritten(field)) {
      patch = patched(patch, field.keys, writtenValue(field, edits));
      continue;
    }
    // The shortest group without any other written setting.
    const depth = field.keys.findIndex((_, index) => {
      const group = field.keys.slice(0, index + 1);
      return !fields.some((each) => isWritten(each) && isWithin(each.keys, group));
    });
    patch = patched(patch, field.keys.slice(0, depth + 1), null);
  }
  return patch;
}

const isWithin = (keys: readonly string[], group: readonly string[]): boolean =>
  group.every((key, index) => keys[index] === key);

function patched(patch: JsonObject, keys: readonly string[], value: Scalar): JsonObject {
  const [key = '', ...rest] = keys;
  const below = patch[key];
  // A group that is removed stays removed.
  if (rest.length > 0 && below === null) return patch;
  const inner = rest.length === 0 ? value : patched(isObject(below) ? below : {}, rest, value);
  return { ...patch, [key]: inner };
}
