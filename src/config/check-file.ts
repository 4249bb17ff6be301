/**
 * Validates a configuration file: first each value by the schema, then relations between values.
 */
import type { z } from 'zod';
import { contextOf, crossChecks, type ModelContext, modelChecks } from './cross-checks.ts';
import { finish, type Steps } from './document/steps.ts';
import {
  listedModelSteps,
  type PriceLists,
  priceListChecks,
  priceListsOf,
} from './lists/list-checks.ts';
import { nearest } from './nearest.ts';
import { ConfigError, type Finding, type Path, type Problem } from './problem.ts';
import { type FileSettings, fileSchema, type ModelSettings, modelSchema } from './schema.ts';
import { isMap, knownKeys, valueAt } from './schema-path.ts';
import type { YamlFile } from './yaml-file.ts';

type Issue = z.core.$ZodIssue;

/**
 * The maximum number of characters of a value that an error message repeats. It is small, because
 * the value may be an API key on the wrong line.
 */
const MAX_ECHO_CHARACTERS = 32;

/** The validated settings of a file. Its price lists were checked against its models. */
export type CheckedFile = FileSettings & { readonly lists: PriceLists };

/** Validates a file. @throws ConfigError with all problems, in the order of the file. */
export const checkFile = (file: YamlFile, nowMs: number): CheckedFile =>
  finish(checkSteps(file, nowMs));

/**
 * `jitless` disables zod's code generation. A typical file has so few values that generating code
 * takes longer than it saves.
 */
const OPTIONS = { error: describe, jitless: true };

/** A valid model, and the context in which it was validated. */
type ValidModel = {
  readonly id: string;
  readonly data: ModelSettings;
  readonly context: ModelContext;
};
/** The models found valid so far, by their objects in the parsed file. */
const valid = new WeakMap<object, ValidModel>();
/**
 * The context of the models in the last file. An equal context is replaced by this object, so that
 * unchanged models are not validated again.
 */
let lastContext: ModelContext | null = null;

/**
 * Validates a file. The generator yields after each model, since a file may have thousands. A model
 * is not validated again while its object and its context are the same objects.
 * @throws ConfigError as `checkFile` does.
 */
export function* checkSteps(file: YamlFile, nowMs: number): Steps<CheckedFile> {
  const given = valueAt(file.value, ['models']);
  const models = isMap(given) ? Object.keys(given) : [];
  const rest = isMap(file.value) && isMap(given) ? { ...file.value, models: {} } : file.value;
  const checked = fileSchema().safeParse(rest, OPTIONS);
  const found: Finding[] = (checked.error?.issues ?? []).flatMap((issue) =>
    findingsOf(issue, file.value),
  );
  yield;
  found.push(...crossChecks(file.value, nowMs));
  yield;
  found.push(...priceListChecks(file.value));
  const parsed: [string, ModelSettings][] = [];
  yield;
  const written = contextOf(file.value);
  const context = Bun.deepEquals(lastContext, written) ? (lastContext ?? written) : written;
  lastContext = context;
  for (const id of models) {
    const { data, findings } = checkOnce(file.value, id, context);
    if (data !== undefined) parsed.push([id, data]);
    found.push(...findings);
    yield;
  }
  const own: { [list: string]: PriceLists[string]['models'] } = {};
  const lists = valueAt(file.value, ['price_lists']);
  for (const name of isMap(lists) ? Object.keys(lists) : []) {
    const check = (its: unknown, id: string) => checkModel(its, id, context);
    const listed = yield* listedModelSteps(file.value, name, context, check);
    own[name] = listed.models;
    found.push(...listed.findings);
    yield;
  }
  const findings: Problem[] = [];
  for (const { path, ...problem } of found) {
    findings.push({ where: file.locate(path), path: path.map(String).join('.'), ...problem });
    yield;
  }
  const problems = firstOfEach([...file.problems, ...findings]);
  if (problems.length > 0 || !checked.success) throw new ConfigError(problems.toSorted(byLine));
  const { data } = checked;
  return {
    ...data,
    models: Object.fromEntries(parsed),
    lists: priceListsOf(data.price_lists, own),
  };
}

type Checked = {
  readonly data: ModelSettings | undefined;
  readonly findings: readonly Finding[];
};

/** Validates a model, unless the same object was already found valid in the same context. */
function checkOnce(file: unknown, id: string, context: ModelContext): Checked {
  const model = valueAt(file, ['models', id]);
  const known = isMap(model) ? valid.get(model) : undefined;
  if (known?.id === id && known.context === context) return { data: known.data, findings: [] };
  const checked = checkModel(file, id, context);
  // If only the context has changed, reuses the model's settings object, so that the catalogue does
  // not build the model again.
  const data = known?.id === id ? known.data : checked.data;
  const { findings } = checked;
  if (isMap(model) && data !== undefined && findings.length === 0)
    valid.set(model, { id, data, context });
  return { data, findings };
}

/**
 * Validates a model. Returns the parsed model, or undefined if the schema refuses it, together with
 * the problems.
 */
function checkModel(file: unknown, id: string, context: ModelContext) {
  const model = valueAt(file, ['models', id]);
  const { data, error } = modelSchema().safeParse(model, OPTIONS);
  const findings: Finding[] = (error?.issues ?? []).flatMap((issue) =>
    findingsOf({ ...issue, path: ['models', id, ...issue.path] }, file),
  );
  findings.push(...modelChecks(context, id, model));
  return { data, findings };
}

/**
 * Returns only the first problem of each setting, because its other problems often result from the
 * first.
 */
function firstOfEach(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ where, path }) => {
    const place = `${where} ${path}`;
    const isFirst = !seen.has(place);
    seen.add(place);
    return isFirst;
  });
}

function byLine(a: Problem, b: Problem): number {
  const line = ({ where }: Problem): number => Number(/:(\d+)$/.exec(where)?.[1] ?? 0);
  return line(a) - line(b);
}

function findingsOf(issue: Issue, file: unknown): readonly Finding[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(fileSchema(), file, path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const listed = known.length === 0 ? '' : `; known here: ${known.join(', ')}`;
      const hint = near === null ? listed : `; did you mean "${near}"?`;
      return { path: [...path, key], message: `unknown key${hint}`, isUnknown: true };
    });
  }
  if (issue.code === 'invalid_key') {
    return [{ path, message: issue.issues[0]?.message ?? message }];
  }
  const isMissing = isAbsent(file, path) && !message.startsWith('is missing');
  if (isMissing) return [{ path, message: `is missing; ${message}` }];
  return [{ path, message, ...(UNKNOWN.has(issue.code) && { isUnknown: true }) }];
}

/** The issue codes of zod for a value that is not one of the allowed values. */
const UNKNOWN: ReadonlySet<string> = new Set(['invalid_value', 'invalid_union']);

/** Whether a value is absent. A single name in place of a list of names is not an absent value. */
const isAbsent = (file: unknown, path: Path): boolean =>
  valueAt(file, path) === undefined && typeof valueAt(file, path.slice(0, -1)) !== 'string';

/** Returns a message in plain language for an issue of zod that has no message of its own. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return 'is missing';
      return `must be ${WORDS[issue.expected] ?? issue.expected}, not ${kindOf(input)}`;
    case 'invalid_value':
      return oneOf(input, issue.values.map(String));
    case 'invalid_union': {
      const { discriminator, options } = issue;
      if (typeof discriminator !== 'string' || !Array.isArray(options)) return undefined;
      return oneOf(valueAt(input, [discriminator]), options.map(String));
    }
    case 'too_small':
      return 'must not be empty';
    default:
      return undefined;
  }
}

function oneOf(given: unknown, allowed: readonly string[]): string {
  const choices = allowed.join(', ');
  if (given === undefined) return `is missing; write one of ${choices}`;
  if (typeof given !== 'string') return `must be one of ${choices}, not ${kindOf(given)}`;
  const near = nearest(given, allowed);
  const hint = near === null ? '' : `; did you mean "${near}"?`;
  return `"${given.slice(0, MAX_ECHO_CHARACTERS)}" is not one of ${choices}${hint}`;
}

const WORDS: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'text (in quotes)',
  boolean: 'true or false',
};

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? 'text' : `${value}`;
}
