/**
 * Parses a YAML file and records the line of each value. Does not resolve references. Parses large
 * maps entry by entry, with pauses in which other work can run. Does not parse unchanged entries
 * again.
 */
import { finish, type Steps } from './document/steps.ts';
import { ConfigError, type Path, type Problem } from './problem.ts';
import { isMap } from './schema-path.ts';
import { type EntryMap, entrySteps, MAX_ENTRY_CHARACTERS } from './yaml/yaml-entries.ts';
import { composed, isMergeKey, type Node, nameOf, offsetOf, type Pair } from './yaml/yaml-tree.ts';

export type YamlFile = {
  readonly value: unknown;
  /** Returns file and line of a value or of its nearest existing parent: `modelgate.yaml:12`. */
  readonly locate: (path: Path) => string;
  /**
   * Problems that do not prevent parsing the rest of the file, such as duplicate keys or unset
   * variables.
   */
  readonly problems: readonly Problem[];
};

/** The entries of large maps that were already parsed. Each key is the text of the entry. */
export type KnownEntries = ReadonlyMap<string, KnownEntry>;
type KnownEntry = {
  readonly key: unknown;
  /** The offset of the key within the entry's text. */
  readonly keyAt: number;
  readonly value: unknown;
};

/** Parses the text without resolving references. @throws ConfigError when it is not YAML. */
export const parseYaml = (text: string, name: string): YamlFile =>
  finish(yamlSteps(text, name)).file;

/**
 * Like `parseYaml`, but yields between the entries of large maps, so that other work can run. If
 * `known` contains the text of an entry, reuses its value as the same object.
 */
export function* yamlSteps(
  text: string,
  name: string,
  known: KnownEntries = new Map(),
  maxCharacters = MAX_ENTRY_CHARACTERS,
): Steps<{ readonly file: YamlFile; readonly entries: KnownEntries }> {
  const lineOf = linesOf(text);
  const at = (offset: number): string => `${name}:${lineOf(offset)}`;
  const reader = new YamlReader(text, at, known);
  const map = yield* entrySteps(text, maxCharacters);
  const { node: root, value } = map === null ? reader.whole() : yield* reader.mapSteps(map, []);
  if (reader.isBroken) throw new ConfigError(reader.problems);
  const file = {
    value: value ?? {},
    locate: (path: Path) => at(root === null ? 0 : offsetOf(root, path)),
    problems: reader.problems,
  };
  return { file, entries: reader.entries };
}

/** Returns a function from an offset to its line. It scans the text once, at the first call. */
function linesOf(text: string): (offset: number) => number {
  let ends: number[] | null = null;
  return (offset) => {
    if (ends === null) {
      ends = [];
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1))
        ends.push(end);
    }
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** A node of the tree, and the value to which the node was converted. */
type Read = { readonly node: Node | null; readonly value: unknown };
/** A part of the text, usually one entry of a large map, and the key-value pairs parsed from it. */
type Pairs = {
  readonly start: number;
  readonly text: string;
  readonly pairs: readonly [Pair, ...Pair[]];
  /**
   * Whether the part is a single entry without anchors and aliases, so that the next parse can
   * reuse it.
   */
  readonly isEntry: boolean;
};
/** A map that is being parsed, with the entries parsed so far. */
type ReadMap = {
  readonly path: Path;
  readonly pairs: Pair[];
  readonly values: [name: string, value: unknown][];
  /** The values of its merge keys. */
  readonly merges: unknown[];
  /** The first key of each name. The error for a duplicate key names the line of the first one. */
  readonly seen: Map<string, Node>;
};

/** Maximum settings that merge keys add to a file, because each may repeat all of another map. */
const MAX_MERGED_KEYS = 100_000;

/** Converts the tree to its value in one pass, and records problems. */
class YamlReader {
  readonly problems: Problem[] = [];
  /** The parsed entries of large maps, which the next parse can reuse. */
  readonly entries = new Map<string, KnownEntry>();
  /**
   * Whether the tree cannot be converted to a value, because an alias has no anchor, or a key is
   * itself a map or a list.
   */
  isBroken = false;
  readonly #text: string;
  readonly #at: (offset: number) => string;
  readonly #known: KnownEntries;
  readonly #anchors = new Map<string, Node>();
  /** The values of the nodes converted so far, so that an alias gets the object of its anchor. */
  readonly #values = new Map<Node, unknown>();
  #mergedKeys = 0;

  constructor(text: string, at: (offset: number) => string, known: KnownEntries) {
    this.#text = text;
    this.#at = at;
    this.#known = known;
  }

  /** Parses the whole text without a pause. @throws ConfigError when it is not YAML. */
  whole(): Read {
    const { root } = composed({ text: this.#text, base: 0 }, this.#at, this.#anchors);
    return { node: root, value: root === null ? null : this.#read(root, []) };
  }

  /** Parses a map in block style. Yields after each entry. @throws ConfigError when not YAML. */
  *mapSteps({ entries }: EntryMap, path: Path): Steps<Read & { readonly node: Node }> {
    const map: ReadMap = { path, pairs: [], values: [], merges: [], seen: new Map() };
    for (const { start, end, inner } of entries) {
      if (inner === null) this.#readPairs(this.#pairsIn(start, end), map);
      else {
        const [key] = this.#pairsIn(start, inner.start).pairs[0];
        const name = this.#named(key, path, map.seen);
        const { node, value } = yield* this.mapSteps(inner.map, [...path, name]);
        map.pairs.push([key, node]);
        map.values.push([name, value]);
      }
      yield;
    }
    const node: Node = { kind: 'map', start: map.pairs[0]?.[0].start ?? 0, pairs: map.pairs };
    return { node, value: this.#mapOf(map, node) };
  }

  #readPairs({ start, text, pairs, isEntry }: Pairs, map: ReadMap): void {
    for (const [key, written] of pairs) {
      const before = this.problems.length;
      const value = this.#readPair([key, written], map);
      const isKnown = isEntry && key.kind === 'scalar' && !isMergeKey(key);
      if (isKnown && this.problems.length === before) {
        const entry = { key: key.value, keyAt: key.start - start, value };
        this.entries.set(text, entry);
        map.pairs.push(this.#knownPair(text, entry, start));
      } else map.pairs.push([key, written]);
    }
  }

  /** Adds a pair to the map, and returns its value. */
  #readPair([key, written]: Pair, map: Pick<ReadMap, 'path' | 'values' | 'merges' | 'seen'>) {
    const name = this.#named(key, map.path, map.seen);
    const value = this.#read(written, [...map.path, name]);
    if (isMergeKey(key)) map.merges.push(value);
    else map.values.push([name, value]);
    return value;
  }

  /** Parses lines of the text into key-value pairs. @throws ConfigError if they contain no pair. */
  #pairsIn(start: number, end: number): Pairs {
    const text = this.#text.slice(start, end);
    const known = this.#known.get(text);
    if (known !== undefined)
      return { start, text, pairs: [this.#knownPair(text, known, start)], isEntry: true };
    const { root, isPlain } = composed({ text, base: start }, this.#at, this.#anchors);
    const [first, ...others] = root?.kind === 'map' ? root.pairs : [];
    if (first !== undefined)
      return { start, text, pairs: [first, ...others], isEntry: isPlain && others.length === 0 };
    const message = 'This is not an entry of a map; write a key, a colon and a value';
    throw new ConfigError([{ where: this.#at(start), path: '', message }]);
  }

  /**
   * Returns an entry whose value is known from an earlier parse. Its tree is built only to find the
   * line of a problem.
   */
  #knownPair(text: string, { key, keyAt, value }: KnownEntry, start: number): Pair {
    let tree: Node | null = null;
    const compose = (): Node | null => {
      const { root } = composed({ text, base: start }, this.#at, new Map());
      return root?.kind === 'map' ? (root.pairs[0]?.[1] ?? null) : null;
    };
    return [
      { kind: 'scalar', start: start + keyAt, value: key, isPlain: false },
      { kind: 'known', start: start + keyAt, value, tree: () => (tree ??= compose()) },
    ];
  }

  #read(node: Node, path: Path): unknown {
    const value = this.#valueOf(node, path);
    this.#values.set(node, value);
    return value;
  }

  #valueOf(node: Node, path: Path): unknown {
    switch (node.kind) {
      case 'map':
        return this.#readMap(node, path);
      case 'list':
        return node.items.map((item, index) => this.#read(item, [...path, index]));
      case 'scalar':
        if (typeof node.value === 'number' && !Number.isFinite(node.value))
          this.#note(node, path, 'must be a finite number');
        return node.value;
      case 'known':
        return node.value;
      case 'alias': {
        if (node.target !== null) return this.#values.get(node.target);
        const { name } = node;
        this.isBroken = true;
        this.#note(node, path, `*${name} is an undefined alias; write &${name} before it`);
        return null;
      }
    }
  }

  #readMap(node: Node & { readonly kind: 'map' }, path: Path): unknown {
    const map = { path, values: [], merges: [], seen: new Map<string, Node>() };
    for (const pair of node.pairs) this.#readPair(pair, map);
    return this.#mapOf(map, node);
  }

  /** Returns a map's value. What it says itself wins over merge keys. @throws ConfigError */
  #mapOf({ values, merges, path }: Pick<ReadMap, 'path' | 'values' | 'merges'>, node: Node) {
    if (merges.length === 0) return Object.fromEntries(values);
    const merged = merges.flat();
    if (!merged.every(isMap)) this.#note(node, [...path, '<<'], 'must be a map, or a list of maps');
    // Of several maps, the first one wins.
    const others = merged.toReversed().flatMap((map) => (isMap(map) ? Object.entries(map) : []));
    this.#mergedKeys += others.length;
    if (this.#mergedKeys > MAX_MERGED_KEYS) {
      const message = `Merge keys (<<) may add at most ${MAX_MERGED_KEYS} settings; use fewer of them`;
      throw new ConfigError([{ where: this.#at(node.start), path: '', message }]);
    }
    return Object.fromEntries([...others, ...values]);
  }

  /** Returns the name of a key in the map at `path`. `seen` contains the map's previous keys. */
  #named(key: Node, path: Path, seen: Map<string, Node>): string {
    const name = nameOf(key);
    if (key.kind !== 'scalar') {
      this.isBroken = true;
      this.#note(key, path, 'a key must be a plain word');
    }
    const first = seen.get(name);
    if (first === undefined) seen.set(name, key);
    else
      this.#note(key, [...path, name], `appears twice; the first is at ${this.#at(first.start)}`);
    return name;
  }

  #note(node: Node, path: Path, message: string): void {
    const where = this.#at(node.start);
    this.problems.push({ where, path: path.map(String).join('.'), message });
  }
}
