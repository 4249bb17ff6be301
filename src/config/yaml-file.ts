/** Reads a YAML file with the line of each value. Its references stay as they are written. */
import {
  boolCoreTag,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  strTag,
  YAMLException,
} from 'js-yaml';
import { ConfigError, type Path, type Problem } from './problem.ts';

export type YamlFile = {
  readonly value: unknown;
  /** Returns the place of a value or its nearest parent, such as `modelgate.yaml:12`. */
  readonly locate: (path: Path) => string;
  /** Problems that leave the rest of the file readable: duplicate keys, and unset variables. */
  readonly problems: readonly Problem[];
};

/** A value with the offset in the text at which it begins. */
type Node = { readonly start: number } & (
  | { readonly kind: 'scalar'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'map'; readonly pairs: readonly (readonly [Node, Node])[] }
  | { readonly kind: 'alias'; readonly name: string; readonly target: Node | null }
);

/** The tags that a value may have; a plain value without a tag is the first that fits. */
const SCALAR_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag, strTag];
/** The written form of a tag of YAML itself, such as `!!str`, as far as its own name. */
const TAG_PREFIX = /^(?:!!|!<tag:yaml\.org,2002:)/;

/** Parses the text, and leaves references as written. @throws ConfigError when it is not YAML. */
export function parseYaml(text: string, name: string): YamlFile {
  const lineOf = linesOf(text);
  const at = (offset: number): string => `${name}:${lineOf(offset)}`;
  const root = composed(text, at);
  const reader = new YamlReader(at);
  const value = root === null ? null : reader.read(root, []);
  if (reader.isBroken) throw new ConfigError(reader.problems);
  return {
    value: value ?? {},
    locate: (path) => at(root === null ? 0 : offsetOf(root, path)),
    problems: reader.problems,
  };
}

/** Returns a function from an offset to its line, which reads the text once for all problems. */
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

/** Returns the tree of the text; null if it is empty. @throws ConfigError when it is not YAML. */
function composed(text: string, at: (offset: number) => string): Node | null {
  const problem = (offset: number, message: string): ConfigError =>
    new ConfigError([{ where: at(offset), path: '', message }]);
  let events: readonly Event[];
  try {
    events = parseEvents(text, {});
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown;
    const { reason, mark } = thrown;
    throw problem(mark?.position ?? 0, reason.charAt(0).toUpperCase() + reason.slice(1));
  }
  const composer = new Composer(text, events, problem);
  const root = composer.next();
  // The end of the first document, and what comes after it.
  composer.next();
  if (composer.next() !== null) {
    const separator = Math.max(0, text.lastIndexOf('---', composer.offset));
    throw problem(separator, 'A configuration is one document; remove the line ---');
  }
  return root;
}

/** Builds the tree from the parser's events. */
class Composer {
  /** The offset of the last value. An empty value has none of its own. */
  offset = 0;
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #problem: (offset: number, message: string) => ConfigError;
  readonly #anchors = new Map<string, Node>();
  #index = 0;

  constructor(
    text: string,
    events: readonly Event[],
    problem: (offset: number, message: string) => ConfigError,
  ) {
    this.#text = text;
    this.#events = events;
    this.#problem = problem;
  }

  /** Returns the next node; null at the end of the collection or of the document. */
  next(): Node | null {
    const event = this.#events[this.#index++];
    switch (event?.type) {
      case EVENT_ID.DOCUMENT:
        return this.next();
      case EVENT_ID.SCALAR:
        this.offset = event.valueStart < 0 ? this.offset : event.valueStart;
        return this.#named(event, {
          kind: 'scalar',
          start: this.offset,
          value: this.#scalarOf(event),
        });
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const start = event.start;
        this.offset = start;
        const items = this.#children();
        if (event.type === EVENT_ID.SEQUENCE)
          return this.#named(event, { kind: 'list', start, items });
        return this.#named(event, { kind: 'map', start, pairs: pairsOf(items) });
      }
      case EVENT_ID.ALIAS: {
        this.offset = event.anchorStart;
        const name = this.#text.slice(event.anchorStart, event.anchorEnd);
        const target = this.#anchors.get(name) ?? null;
        return { kind: 'alias', start: this.offset, name, target };
      }
      default:
        return null;
    }
  }

  #children(): readonly Node[] {
    const found: Node[] = [];
    for (let node = this.next(); node !== null; node = this.next()) found.push(node);
    return found;
  }

  /** Keeps the node by its anchor, if it has one, for the aliases after it. */
  #named(event: { readonly anchorStart: number; readonly anchorEnd: number }, node: Node): Node {
    const { anchorStart, anchorEnd } = event;
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), node);
    return node;
  }

  #scalarOf(event: ScalarEvent): unknown {
    const source = getScalarValue(this.#text, event);
    if (event.tagStart < 0) {
      if (event.style !== SCALAR_STYLE.PLAIN) return source;
      for (const tag of SCALAR_TAGS) {
        const value = tag.resolve(source, false, tag.tagName);
        if (value !== NOT_RESOLVED) return value;
      }
      return source;
    }
    const written = this.#text.slice(event.tagStart, event.tagEnd);
    const name = written.replace(TAG_PREFIX, '').replace(/>$/, '');
    const tag = SCALAR_TAGS.find(({ tagName }) => tagName.endsWith(`:${name}`));
    const value = TAG_PREFIX.test(written) ? tag?.resolve(source, true, tag.tagName) : undefined;
    if (tag === undefined || value === undefined || value === NOT_RESOLVED) {
      throw this.#problem(event.tagStart, `The tag ${written} does not fit; remove it`);
    }
    return value;
  }
}

function pairsOf(items: readonly Node[]): readonly (readonly [Node, Node])[] {
  const pairs: (readonly [Node, Node])[] = [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const [key, value] = [items[index], items[index + 1]];
    if (key !== undefined && value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

/** Walks the tree once, returns its value, and records problems. */
class YamlReader {
  readonly problems: Problem[] = [];
  /**
   * Whether the tree has no plain value: an alias has no anchor, or a key is itself a map or a
   * list.
   */
  isBroken = false;
  readonly #at: (offset: number) => string;
  /** The values of the anchors' nodes, so that an alias stands for the same value. */
  readonly #values = new Map<Node, unknown>();

  constructor(at: (offset: number) => string) {
    this.#at = at;
  }

  read(node: Node, path: Path): unknown {
    const value = this.#valueOf(node, path);
    this.#values.set(node, value);
    return value;
  }

  #valueOf(node: Node, path: Path): unknown {
    switch (node.kind) {
      case 'map':
        return this.#readMap(node.pairs, path);
      case 'list':
        return node.items.map((item, index) => this.read(item, [...path, index]));
      case 'scalar':
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

  #readMap(pairs: readonly (readonly [Node, Node])[], path: Path): unknown {
    const seen = new Map<string, Node>();
    const entries = pairs.map(([key, value]) => {
      const name = nameOf(key);
      const at = [...path, name];
      if (key.kind !== 'scalar') {
        this.isBroken = true;
        this.#note(key, path, 'a key must be a plain word');
      }
      const first = seen.get(name);
      if (first === undefined) seen.set(name, key);
      else this.#note(key, at, `appears twice; the first is at ${this.#at(first.start)}`);
      return [name, this.read(value, at)] as const;
    });
    return Object.fromEntries(entries);
  }

  #note(node: Node, path: Path, message: string): void {
    const where = this.#at(node.start);
    this.problems.push({ where, path: path.map(String).join('.'), message });
  }
}

const nameOf = (key: Node): string => (key.kind === 'scalar' ? String(key.value ?? '') : '');

/** Returns the offset of the key at the path. For a missing key, returns that of its parent. */
function offsetOf(root: Node, path: Path): number {
  let node: Node = root;
  let offset = root.start;
  for (const step of path) {
    if (node.kind === 'alias' && node.target !== null) node = node.target;
    const next = child(node, step);
    if (next === null) break;
    offset = next.mark.start;
    node = next.node;
  }
  return offset;
}

/** Returns the node at a step, and the node that marks its line: a map's key or a list's item. */
function child(node: Node, step: PropertyKey): { readonly node: Node; readonly mark: Node } | null {
  if (node.kind === 'map') {
    const pair = node.pairs.find(([key]) => nameOf(key) === String(step));
    return pair === undefined ? null : { node: pair[1], mark: pair[0] };
  }
  const item = node.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? null : { node: item, mark: item };
}
