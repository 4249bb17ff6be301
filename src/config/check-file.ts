/** Validates a configuration file: each value by the schema, then values against each other. */
import type { z } from 'zod';
import { crossChecks } from './cross-checks.ts';
import { nearest } from './nearest.ts';
import { ConfigError, type Finding, type Path, type Problem } from './problem.ts';
import { type FileSettings, fileSchema } from './schema.ts';
import { knownKeys, valueAt } from './schema-path.ts';
import type { YamlFile } from './yaml-file.ts';

type Issue = z.core.$ZodIssue;

/**
 * Most characters of a value in an error message: the value may be an API key on the wrong line.
 */
const MAX_ECHO_CHARACTERS = 32;

/** @throws ConfigError naming every problem, in the order of the file. */
export function checkFile(file: YamlFile, nowMs: number): FileSettings {
  // `jitless` turns off zod's compiler: compiling a check that runs only once takes longer.
  const checked = fileSchema.safeParse(file.value, { error: describe, jitless: true });
  const ofSchema = (checked.error?.issues ?? []).flatMap((issue) => findingsOf(issue, file.value));
  const findings = [...ofSchema, ...crossChecks(file.value, nowMs)].map(({ path, message }) => ({
    where: file.locate(path),
    path: path.map(String).join('.'),
    message,
  }));
  const problems = firstOfEach([...file.problems, ...findings]);
  if (problems.length > 0 || !checked.success) throw new ConfigError(problems.toSorted(byLine));
  return checked.data;
}

/** Returns the first problem of each setting, since the others often follow from the first. */
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
    const known = knownKeys(fileSchema, file, path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const hint = near === null ? `known here: ${known.join(', ')}` : `did you mean "${near}"?`;
      return { path: [...path, key], message: `unknown key; ${hint}` };
    });
  }
  if (issue.code === 'invalid_key') {
    return [{ path, message: issue.issues[0]?.message ?? message }];
  }
  const isMissing = isAbsent(file, path) && !message.startsWith('is missing');
  return [{ path, message: isMissing ? `is missing; ${message}` : message }];
}

const isAbsent = (file: unknown, path: Path): boolean => valueAt(file, path) === undefined;

/** Returns a message in common words for an issue where the schema has no message of its own. */
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
