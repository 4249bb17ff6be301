/** What an entry of the audit log says of a change, as fields that differ. */
import { asObject, isObject, type JsonObject } from '../../../api/json.ts';

export type Difference = {
  /** With its path, such as `spend.day`. */
  readonly field: string;
  /** Null: there was none. */
  readonly before: string | null;
  /** Null: there is none any more. */
  readonly after: string | null;
};
export type Fact = { readonly field: string; readonly value: string };

export type AuditReading = {
  /** JsonObject that were set, changed or taken out. */
  readonly differences: readonly Difference[];
  /** All else that it says, such as the amount of a credit. */
  readonly facts: readonly Fact[];
};

/** @param detail as the API gives it; a text is an entry that somebody has spoilt. */
export function readDetail(detail: JsonObject | string): AuditReading {
  if (typeof detail === 'string') {
    return { differences: [], facts: [{ field: 'detail', value: detail }] };
  }
  const { before, after, ...rest } = detail;
  const isState = isObject(before) || isObject(after);
  const facts = flat(isState ? rest : detail);
  return {
    differences: isState ? differencesOf(fieldsOf(before), fieldsOf(after)) : [],
    facts: [...facts].flatMap(([field, value]) => (value === null ? [] : [{ field, value }])),
  };
}

/** JsonObject that are the same before and after, or none both times, are left out. */
function differencesOf(before: JsonObject, after: JsonObject): readonly Difference[] {
  const was = flat(before);
  const is = flat(after);
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter((field) => field.before !== field.after);
}

function flat(fields: JsonObject, path = ''): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const [name, value] of Object.entries(fields)) {
    const field = path + name;
    if (isObject(value)) {
      for (const [inner, text] of flat(value, `${field}.`)) found.set(inner, text);
    } else {
      found.set(field, textOf(value));
    }
  }
  return found;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => textOf(item) ?? '').join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const fieldsOf = (value: unknown): JsonObject => asObject(value) ?? {};
