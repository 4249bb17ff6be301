/**
 * Merges a person's values in a form with the values that somebody else saved since the form was
 * opened. Values are compared field by field; a list is one field.
 */
import { isObject } from '#api/json.ts';
import { parseAmount } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Merged<Values extends Fields> = {
  /** The values as saved now, except for the fields that this person changed. */
  readonly values: Values;
  /** The paths of fields that both persons changed to different values. */
  readonly clashes: readonly string[];
  /** The paths of fields that only the other person changed. */
  readonly kept: readonly string[];
};

/**
 * Returns the merged values, the paths of fields that both persons changed, and the paths of fields
 * that only the other person changed.
 * @param opened the values that the form was opened with.
 * @param theirs the values as they are saved now.
 * @param mine the values of the form.
 */
export function mergeEdits<Values extends Fields>(
  opened: Values,
  theirs: Values,
  mine: Values,
): Merged<Values> {
  const clashes: string[] = [];
  const kept: string[] = [];
  const merge = (path: string, was: unknown, is: unknown, own: unknown): unknown => {
    if (isObject(own) && isObject(was) && isObject(is)) {
      return Object.fromEntries(
        Object.keys(own).map((name) => [
          name,
          merge(pathTo(path, name), was[name], is[name], own[name]),
        ]),
      );
    }
    if (isSame(is, was) || isSame(is, own)) return own;
    if (isSame(own, was)) {
      kept.push(path);
      return is;
    }
    clashes.push(path);
    return own;
  };
  // `merge` builds an object with the fields of `mine`, so the cast is safe.
  const values = merge('', opened, theirs, mine) as Values;
  return { values, clashes, kept };
}

/** Returns a copy of `values`, with the fields at these paths taken from `from`. */
export function withFields<Values extends Fields>(
  values: Values,
  from: Values,
  paths: readonly string[],
): Values {
  const copy = (path: string, to: unknown, source: unknown): unknown => {
    if (paths.includes(path)) return source;
    if (!isObject(to) || !isObject(source)) return to;
    return Object.fromEntries(
      Object.keys(to).map((name) => [name, copy(pathTo(path, name), to[name], source[name])]),
    );
  };
  // `copy` builds an object with the fields of `values`, so the cast is safe.
  return copy('', values, from) as Values;
}

const pathTo = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Whether two values mean the same. `13` is typed, and saved as `13.00`. */
export const isSame = (a: unknown, b: unknown): boolean => meaningOf(a) === meaningOf(b);

const meaningOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'string') return part;
    const amount = enteredAmount(part, { signed: true, zero: true });
    return amount === null ? part.trim() : String(parseAmount(amount));
  });

/** Returns the value at a path such as `limits.spend.day`. */
export const valueAt = (values: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), values);
