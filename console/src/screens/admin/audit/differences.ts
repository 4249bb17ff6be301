/** Reads the change that an audit entry records, as a list of differing fields. */
import { asObject, isObject, type JsonObject } from '#api/json.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';

export type Difference = {
  /** The path of the field, such as `spend.day`. */
  readonly field: string;
  /** The value before the change; null when the field did not exist. */
  readonly before: string | null;
  /** The value after the change; null when the field no longer exists. */
  readonly after: string | null;
};
export type Fact = { readonly field: string; readonly value: string };

export type AuditReading = {
  /** The fields that were added, changed or removed. */
  readonly differences: readonly Difference[];
  /** Further details, such as the amount of a credit. */
  readonly facts: readonly Fact[];
};

/**
 * Reads the details of an entry.
 * @param detail from the API. A string means that the stored entry is corrupt.
 */
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

/** Returns the fields that differ between before and after. */
function differencesOf(before: JsonObject, after: JsonObject): readonly Difference[] {
  const was = flat(before);
  const is = flat(after);
  return (
    [...new Set([...was.keys(), ...is.keys()])]
      .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
      .filter(({ before: one, after: other }) => one !== other)
      // The limits of a member are recorded without the path that those of keys and accounts have.
      .map((found) => ({
        ...found,
        field: found.field.replace(/^(?:day|week|month)$/, 'spend.$&'),
      }))
  );
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
  const [amount, currency] = [found.get(`${path}amount`), found.get(`${path}currency`)];
  if (amount != null && currency != null) {
    found.set(`${path}amount`, withCurrency(amount, currency));
    found.delete(`${path}currency`);
  }
  return found;
}

/** Matches amounts and rates, which the log records with all their decimal places. */
const DECIMAL = /^-?\d+\.\d{8,12}$/;

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => textOf(item) ?? '').join(', ');
  if (typeof value === 'string' && DECIMAL.test(value)) return formatExact(parseAmount(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const fieldsOf = (value: unknown): JsonObject => asObject(value) ?? {};
