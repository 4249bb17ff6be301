/** Parses an imported YAML file. Unlike the file of a node, it is not trusted. */

import { ConfigError, type Path, type Problem } from '../problem.ts';
import { isMap } from '../schema-path.ts';
import { yamlSteps } from '../yaml-file.ts';
import { type Document, documentIn } from './document.ts';
import type { Steps } from './steps.ts';

export type ImportedFile =
  | { readonly document: Document; readonly locate: (path: Path) => string }
  | { readonly problems: readonly Problem[] };

/**
 * The maximum size of an imported file in characters. Each YAML alias counts as the whole value
 * that it refers to, because aliases can make a short file huge.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_DEPTH = 100;

/**
 * Returns the document in an imported text. Returns problems if the text is not YAML, is not a map,
 * or is too large.
 */
export function* importSteps(text: string, name: string): Steps<ImportedFile> {
  const bad = (message: string): ImportedFile => ({
    problems: [{ where: name, path: '', message }],
  });
  try {
    const { value, locate, problems } = (yield* yamlSteps(text, name)).file;
    if (problems.length > 0) return { problems };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return bad('is not a map of settings');
    }
    const { characters, depth } = yield* sizeSteps(value);
    if (characters > MAX_CHARACTERS || depth > MAX_DEPTH) {
      return bad('is too large or too deeply nested after its aliases are expanded');
    }
    return { document: documentIn(value), locate };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    return { problems: thrown.problems };
  }
}

type Size = { readonly characters: number; readonly depth: number };

/**
 * Returns the depth of a file and its approximate size as JSON. The generator yields after each
 * record, such as a model, so that other work can run.
 */
function* sizeSteps(map: object): Steps<Size> {
  const known = new Map<object, Size>();
  for (const section of Object.values(map)) {
    for (const record of isMap(section) ? Object.values(section) : []) {
      sizeOf(record, known);
      yield;
    }
  }
  return sizeOf(map, known);
}

/**
 * Returns the depth of a value and its approximate size as JSON. Computes a part only once, even if
 * several aliases refer to it.
 */
function sizeOf(value: unknown, known: Map<object, Size>): Size {
  if (typeof value === 'string') return { characters: value.length + 2, depth: 0 };
  if (typeof value !== 'object' || value === null) return { characters: 8, depth: 0 };
  const before = known.get(value);
  if (before !== undefined) return before;
  let [characters, depth] = [2, 0];
  for (const [key, each] of Object.entries(value)) {
    const inner = sizeOf(each, known);
    characters += key.length + 4 + inner.characters;
    depth = Math.max(depth, inner.depth);
  }
  const size = { characters, depth: depth + 1 };
  known.set(value, size);
  return size;
}
