/** Reads a YAML file with the line of each value, and expands `${ENV}` and `${ENV:-default}`. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { ConfigError, type Path, type Problem } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type YamlFile = {
  readonly value: unknown;
  /** Returns the place of a value or its nearest parent, such as `modelgate.yaml:12`. */
  readonly locate: (path: Path) => string;
  /** Problems that leave the rest of the file readable: unset variables and duplicate keys. */
  readonly problems: readonly Problem[];
};

/** Matches anything that begins like a variable, so that a misspelled one is an error. */
const VARIABLE = /\$\{([^}]*)\}?/g;
const VARIABLE_FORM = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}$/;

/** Parses the text and expands its variables. @throws ConfigError when the text is not YAML. */
export function readYaml(text: string, name: string, env: Environment): YamlFile {
  const lines = new LineCounter();
  // `YamlReader` reports duplicate keys, with their path and the line of the first.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const document = parseDocument(text, options);
  const at = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  const mistakes = [...document.errors, ...document.warnings];
  if (mistakes.length > 0) {
    throw new ConfigError(
      mistakes.map(({ pos, message }) => ({ where: at(pos[0]), path: '', message })),
    );
  }
  const reader = new YamlReader(document, at, env);
  reader.read(document.contents, []);
  if (reader.isBroken) throw new ConfigError(reader.problems);
  return {
    value: document.toJS() ?? {},
    locate: (path) => at(offsetOf(document, path)),
    problems: reader.problems,
  };
}

/** Walks the tree once, expands its texts in place and records problems. */
class YamlReader {
  readonly problems: Problem[] = [];
  /**
   * Whether the tree has no plain value: an alias has no anchor, or a key is itself a map or a
   * list.
   */
  isBroken = false;
  readonly #document: Document;
  readonly #at: (offset: number) => string;
  readonly #env: Environment;

  constructor(document: Document, at: (offset: number) => string, env: Environment) {
    this.#document = document;
    this.#at = at;
    this.#env = env;
  }

  read(node: unknown, path: Path): void {
    if (isMap(node)) {
      this.#readMap(node, path);
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) this.read(item, [...path, index]);
    } else if (isAlias(node)) {
      if (node.resolve(this.#document) !== undefined) return;
      this.isBroken = true;
      this.#note(
        node,
        path,
        `*${node.source} is an undefined alias; write &${node.source} before it`,
      );
    } else if (isScalar(node)) {
      this.#expand(node, path);
    }
  }

  #readMap(map: YAMLMap, path: Path): void {
    const seen = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : String(key);
      const at = [...path, name];
      if (!isScalar(key)) {
        this.isBroken = true;
        this.#note(key, path, 'a key must be a plain word');
      }
      if (seen.has(name)) {
        const first = this.#at(startOf(seen.get(name)));
        this.#note(key, at, `appears twice; the first is at ${first}`);
      } else {
        seen.set(name, key);
      }
      this.read(value, at);
    }
  }

  #expand(node: Scalar, path: Path): void {
    if (typeof node.value !== 'string') return;
    node.value = node.value.replace(VARIABLE, (whole: string) => {
      const [, variable, fallback] = VARIABLE_FORM.exec(whole) ?? [];
      if (variable === undefined) {
        this.#note(node, path, `${whole} is not a variable; write \${NAME} or \${NAME:-default}`);
        return '';
      }
      // An empty variable counts as unset, as `:-` means in a shell.
      const found = this.#env[variable] || fallback;
      if (found !== undefined) return found;
      const remedy = `set it, or write \${${variable}:-default}`;
      this.#note(node, path, `the environment variable ${variable} is not set; ${remedy}`);
      return '';
    });
  }

  #note(node: unknown, path: Path, message: string): void {
    const where = this.#at(startOf(node));
    this.problems.push({ where, path: path.map(String).join('.'), message });
  }
}

/** Returns the offset of the key at the path. For a missing key, returns that of its parent. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const next = child(node, step);
    if (next === null) break;
    offset = startOf(next.mark);
    node = next.node;
  }
  return offset;
}

/** Returns the node at a step, and the node that marks its line: a map's key or a list's item. */
function child(node: unknown, step: PropertyKey): { node: unknown; mark: unknown } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    return pair === undefined ? null : { node: pair.value, mark: pair.key };
  }
  if (!isSeq(node) || typeof step !== 'number' || node.items[step] === undefined) return null;
  return { node: node.items[step], mark: node.items[step] };
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
