/**
 * Resolves the references in settings: `${ENV}`, `${ENV:-default}`, `${file:/path}` and, through
 * `secret-references.ts`, `${secret:NAME}`.
 */

import { readFileSync, statSync } from 'node:fs';
import type { Problem } from '../problem.ts';
import { isMap } from '../schema-path.ts';
import type { YamlFile } from '../yaml-file.ts';
import { SECRET_NAME, SECRET_NAME_REMEDY, SecretText, type TextPart } from './secret-name.ts';
import type { SecretReferences } from './secret-references.ts';
import type { Steps } from './steps.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Matches everything that begins like a reference, so that a malformed reference is reported. */
const REFERENCE = /\$\{([^}]*)\}?/g;
const VARIABLE_FORM = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}$/;
const FILE_FORM = /^\$\{file:(\/[^}]*)\}$/;
const SECRET_FORM = /^\$\{secret:(?!-)([^}]*)\}$/;
const FORMS = `write \${NAME}, \${NAME:-default}, \${file:/absolute/path} or \${secret:NAME}`;

/** The maximum size of a file that a reference may read. A credential is far smaller. */
const MAX_FILE_BYTES = 64 * 1024;

/**
 * Returns the file with its references resolved. Reports a reference that cannot be resolved as a
 * problem, and replaces it with an empty text. The generator yields after each record, such as a
 * model, so that other work can run.
 */
export function* referenceSteps(
  file: YamlFile,
  env: Environment,
  secrets: SecretReferences,
): Steps<YamlFile> {
  const problems: Problem[] = [...file.problems];
  const path: PropertyKey[] = [];
  const note = (message: string): void => {
    problems.push({ where: file.locate([...path]), path: path.map(String).join('.'), message });
  };
  const text = (written: string): string => {
    const found = resolved(written, env, note);
    return found instanceof SecretText ? secrets.resolve(found, [...path], note) : found;
  };
  if (!isMap(file.value)) {
    return { ...file, value: resolvedIn(file.value, path, text), problems };
  }
  const sections: [string, unknown][] = [];
  for (const [name, section] of Object.entries(file.value)) {
    path.push(name);
    if (isMap(section)) {
      const records: [string, unknown][] = [];
      for (const [key, record] of Object.entries(section)) {
        path.push(key);
        records.push([key, resolvedRecord(record, path, text)]);
        path.pop();
        yield;
      }
      sections.push([name, Object.fromEntries(records)]);
    } else sections.push([name, resolvedIn(section, path, text)]);
    path.pop();
  }
  const value = secrets.withoutMissing(Object.fromEntries(sections));
  return { ...file, value, problems };
}

/**
 * Maps each record with unresolved references, such as a model, to the resolved record. A record
 * without references is mapped to itself.
 */
const known = new WeakMap<object, unknown>();

/** Resolves a record. Returns the object of the previous call if the result is equal. */
function resolvedRecord(
  record: unknown,
  path: PropertyKey[],
  text: (text: string) => string,
): unknown {
  const before = isMap(record) ? known.get(record) : undefined;
  if (before === record && isMap(record)) return record;
  const resolved = resolvedIn(record, path, text);
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(resolved)) return before;
  if (isMap(record)) known.set(record, resolved);
  return resolved;
}

/**
 * Returns the value with all references resolved. Returns the same object if it contains no
 * references.
 * @param path the path of the value. It is temporarily extended to the path of each text inside the
 *   value.
 */
function resolvedIn(value: unknown, path: PropertyKey[], text: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes('${') ? text(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const at = (key: PropertyKey, inner: unknown): unknown => {
    path.push(key);
    const found = resolvedIn(inner, path, text);
    path.pop();
    isSame &&= found === inner;
    return found;
  };
  if (Array.isArray(value)) {
    const items = value.map((each, index) => at(index, each));
    return isSame ? value : items;
  }
  const entries = Object.entries(value).map(([key, each]) => [key, at(key, each)]);
  return isSame ? value : Object.fromEntries(entries);
}

function resolved(
  text: string,
  env: Environment,
  note: (problem: string) => void,
): string | SecretText {
  const parts: TextPart[] = [];
  let last = 0;
  for (const { 0: whole, index } of text.matchAll(REFERENCE)) {
    parts.push(text.slice(last, index), partOf(whole, env, note));
    last = index + whole.length;
  }
  parts.push(text.slice(last));
  const isText = (part: TextPart): part is string => typeof part === 'string';
  return parts.every(isText) ? parts.join('') : new SecretText(parts);
}

function partOf(whole: string, env: Environment, note: (problem: string) => void): TextPart {
  const [, secret] = SECRET_FORM.exec(whole) ?? [];
  if (secret !== undefined) {
    if (SECRET_NAME.test(secret)) return { secret };
    note(`${whole} does not name a secret; ${SECRET_NAME_REMEDY}`);
    return '';
  }
  const found = referencedBy(whole, env);
  if ('value' in found) return found.value;
  note(found.problem);
  return '';
}

type Found = { readonly value: string } | { readonly problem: string };

function referencedBy(whole: string, env: Environment): Found {
  const [, file] = FILE_FORM.exec(whole) ?? [];
  if (file !== undefined) return contentsOf(file);
  const [, variable, fallback] = VARIABLE_FORM.exec(whole) ?? [];
  if (variable === undefined) return { problem: `${whole} is not a reference; ${FORMS}` };
  // An empty variable counts as not set, as with `:-` in a shell.
  const value = withoutLineBreak(env[variable] ?? '') || fallback;
  if (value !== undefined) return { value };
  const remedy = `set it, or write \${${variable}:-default}`;
  return { problem: `the environment variable ${variable} is not set; ${remedy}` };
}

/**
 * Removes the final line break, which editors and `echo` add to files. A variable that Kubernetes
 * reads from such a file has it too.
 */
const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, '');

function contentsOf(path: string): Found {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { problem: `${path} is not a file; write the path of a file` };
    if (stat.size > MAX_FILE_BYTES) {
      const most = `a referenced file may have at most ${MAX_FILE_BYTES}`;
      return { problem: `the file ${path} has ${stat.size} bytes; ${most}` };
    }
    const bytes = readFileSync(path);
    const value = withoutLineBreak(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (value !== '') return { value };
    return { problem: `the file ${path} is empty; write the value into it` };
  } catch (thrown) {
    return { problem: unreadable(path, thrown) };
  }
}

function unreadable(path: string, thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `the file ${path} does not exist; create it, or correct the path`;
    case 'EACCES':
    case 'EPERM':
      return `the file ${path} cannot be read by this user; change its owner or its mode`;
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return `the file ${path} is not UTF-8 text; write the value as text`;
    default:
      return `the file ${path} cannot be read (${code}); correct the path`;
  }
}
