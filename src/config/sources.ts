/**
 * Lists all settings as text, with their sources, for the command `doctor`. For models and price
 * lists, it lists only the names.
 */
import * as z from 'zod';
import type { Steps } from './document/steps.ts';
import type { Path } from './problem.ts';
import { fileSchema } from './schema.ts';
import { settle, valueAt } from './schema-path.ts';
import { secrets } from './values.ts';
import type { YamlFile } from './yaml-file.ts';

/**
 * A value and its source, such as `default`, `modelgate.yaml:3`, `environment PORT` or `flag
 * --config`.
 */
export type SourcedValue = { readonly value: string; readonly source: string };

const MASK = '***';
const NONE = '-';
/** Maximum characters of a displayed value. Longer values, such as images, are truncated. */
const MAX_SHOWN_CHARACTERS = 1_000;

const short = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;

/**
 * Returns the settings of a valid file by their paths, in the order of the schema. Yields after
 * each, since there may be hundreds of upstreams.
 */
export function* sourceSteps(file: YamlFile): Steps<ReadonlyMap<string, SourcedValue>> {
  const sources = new Map<string, SourcedValue>();
  const { models: _, price_lists: _lists, ...settings } = fileSchema().shape;
  for (const [name, schema] of Object.entries(settings)) {
    for (const [path, leaf] of leaves(schema, valueAt(file.value, [name]), [name])) {
      const given = valueAt(file.value, path);
      const source = given === undefined ? 'default' : file.locate(path);
      sources.set(path.map(String).join('.'), { value: leaf, source });
      yield;
    }
  }
  for (const name of ['models', 'price_lists']) {
    const given = valueAt(file.value, [name]);
    const names = Object.keys(Object(given));
    const source = given === undefined ? 'default' : file.locate([name]);
    sources.set(name, { value: names.length === 0 ? NONE : names.join(', '), source });
  }
  return sources;
}

function* leaves(schema: unknown, given: unknown, path: Path): Generator<[Path, string]> {
  const { schema: settled, value } = settle(schema, given);
  const hidden = settled instanceof z.ZodType ? secrets.get(settled) : undefined;
  if (hidden !== undefined) {
    const text = String(value);
    const isNone = value === undefined || value === null;
    yield [path, isNone ? NONE : hidden.shown.includes(text) ? text : MASK];
  } else if (settled instanceof z.ZodObject) {
    for (const [key, inner] of Object.entries(settled.shape))
      yield* leaves(inner, valueAt(value, [key]), [...path, key]);
  } else if (settled instanceof z.ZodRecord) {
    for (const [key, inner] of Object.entries(Object(value)))
      yield* leaves(settled.valueType, inner, [...path, key]);
  } else {
    yield [path, value === undefined || value === null ? NONE : short(written(value))];
  }
}

const written = (value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
