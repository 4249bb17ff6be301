/**
 * Reads typed fields of a request body. A value of the wrong type throws an error with the field's
 * path.
 */
import { invalid, RequestError } from './request-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Range = { readonly min?: number; readonly max?: number };

/** A JSON object in the request body, with its path. A null field counts as absent. */
export class Fields {
  readonly object: JsonObject;
  readonly path: string;

  constructor(object: JsonObject, path: string) {
    this.object = object;
    this.path = path;
  }

  /** @throws RequestError when the value is not an object. */
  static of(value: unknown, path: string): Fields {
    if (!isObject(value)) throw invalid(path, 'Expected an object.');
    return new Fields(value, path);
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  has(name: string): boolean {
    return (this.object[name] ?? null) !== null;
  }

  string(name: string): string | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(this.at(name), 'Expected a string.');
  }

  requiredString(name: string): string {
    return this.string(name) ?? this.missing(name);
  }

  boolean(name: string): boolean | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    throw invalid(this.at(name), 'Expected true or false.');
  }

  number(name: string, { min = -Infinity, max = Infinity }: Range = {}): number | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'number') throw invalid(this.at(name), 'Expected a number.');
    if (value < min) throw invalid(this.at(name), `Expected a number of at least ${min}.`);
    if (value > max) throw invalid(this.at(name), `Expected a number of at most ${max}.`);
    return value;
  }

  integer(name: string, range: Range = {}): number | undefined {
    const value = this.number(name, range);
    if (value === undefined || Number.isInteger(value)) return value;
    throw invalid(this.at(name), 'Expected an integer.');
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.string(name);
    if (value === undefined) return undefined;
    const known = allowed.find((each) => each === value);
    if (known !== undefined) return known;
    const list = allowed.map((each) => `'${each}'`).join(', ');
    throw invalid(this.at(name), `Expected one of ${list}, not '${value}'.`);
  }

  child(name: string): Fields | undefined {
    return this.has(name) ? Fields.of(this.object[name], this.at(name)) : undefined;
  }

  requiredChild(name: string): Fields {
    return this.child(name) ?? this.missing(name);
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.object[name] ?? undefined;
    if (value === undefined || Array.isArray(value)) return value;
    throw invalid(this.at(name), 'Expected an array.');
  }

  /** Returns the objects in an array field. An absent array counts as empty. */
  children(name: string): readonly Fields[] {
    const items = this.list(name) ?? [];
    return items.map((item, index) => Fields.of(item, `${this.at(name)}[${index}]`));
  }

  strings(name: string): readonly string[] {
    return (this.list(name) ?? []).map((item, index) => {
      if (typeof item === 'string') return item;
      throw invalid(`${this.at(name)}[${index}]`, 'Expected a string.');
    });
  }

  missing(name: string): never {
    throw new RequestError('missing_required_parameter', this.at(name), 'This field is required.');
  }
}
