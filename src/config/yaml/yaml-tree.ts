/** The tree of a YAML text, with the offset of each value. */
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
import { ConfigError, type Path } from '../problem.ts';

/**
 * A node of the tree. `start` is the offset in the text at which the value begins. A scalar
 * `isPlain` if it is neither in quotes nor in a block.
 */
export type Node = { readonly start: number } & (
  | { readonly kind: 'scalar'; readonly value: unknown; readonly isPlain: boolean }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'map'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'alias'; readonly name: string; readonly target: Node | null }
  /**
   * A value from an earlier parse. Its tree is built only if the line of a problem must be located.
   */
  | { readonly kind: 'known'; readonly value: unknown; readonly tree: () => Node | null }
);
export type Pair = readonly [key: Node, value: Node];

/** The tags of scalars. A value without a tag gets the first tag that matches. */
const SCALAR_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag, strTag];
/** The prefix of YAML's own tags, such as `!!str`. */
const TAG_PREFIX = /^(?:!!|!<tag:yaml\.org,2002:)/;

/** A part of a larger text. */
export type Part = {
  readonly text: string;
  /** The offset in the larger text at which the part begins. It is added to each node's `start`. */
  readonly base: number;
};

export type Composed = {
  /** The root of the tree; null if the text is empty. */
  readonly root: Node | null;
  /**
   * Whether the text contains no anchor and no alias, so that its value does not depend on other
   * parts.
   */
  readonly isPlain: boolean;
};

/**
 * Builds the tree of a part of a text. `anchors` contains the anchors of earlier parts; this
 * function adds the anchors of this part.
 * @throws ConfigError when the text is not YAML.
 */
export function composed(
  part: Part,
  at: (offset: number) => string,
  anchors: Map<string, Node>,
): Composed {
  const { text, base } = part;
  const problem = (offset: number, message: string): ConfigError =>
    new ConfigError([{ where: at(base + offset), path: '', message }]);
  let events: readonly Event[];
  try {
    events = parseEvents(text, {});
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown;
    const { reason, mark } = thrown;
    throw problem(mark?.position ?? 0, reason.charAt(0).toUpperCase() + reason.slice(1));
  }
  const composer = new Composer(part, events, anchors, problem);
  const root = composer.next();
  // Skips the end of the first document. A second document is not allowed.
  composer.next();
  if (composer.next() !== null) {
    const separator = Math.max(0, text.lastIndexOf('---', composer.offset));
    throw problem(separator, 'A configuration must be a single YAML document; remove the line ---');
  }
  return { root, isPlain: composer.isPlain };
}

/** Builds the tree from the parser's events. */
class Composer {
  /** The offset of the most recently read value that is not empty. */
  offset = 0;
  isPlain = true;
  readonly #text: string;
  readonly #base: number;
  readonly #events: readonly Event[];
  readonly #problem: (offset: number, message: string) => ConfigError;
  readonly #anchors: Map<string, Node>;
  #index = 0;

  constructor(
    { text, base }: Part,
    events: readonly Event[],
    anchors: Map<string, Node>,
    problem: (offset: number, message: string) => ConfigError,
  ) {
    this.#text = text;
    this.#base = base;
    this.#events = events;
    this.#anchors = anchors;
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
          start: this.#base + this.offset,
          value: this.#scalarOf(event),
          isPlain: event.style === SCALAR_STYLE.PLAIN,
        });
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        this.offset = event.start;
        const start = this.#base + event.start;
        const items = this.#children();
        if (event.type === EVENT_ID.SEQUENCE)
          return this.#named(event, { kind: 'list', start, items });
        return this.#named(event, { kind: 'map', start, pairs: pairsOf(items) });
      }
      case EVENT_ID.ALIAS: {
        this.offset = event.anchorStart;
        this.isPlain = false;
        const name = this.#text.slice(event.anchorStart, event.anchorEnd);
        const target = this.#anchors.get(name) ?? null;
        return { kind: 'alias', start: this.#base + this.offset, name, target };
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

  /** If the node has an anchor, stores the node for later aliases. */
  #named(event: { readonly anchorStart: number; readonly anchorEnd: number }, node: Node): Node {
    const { anchorStart, anchorEnd } = event;
    if (anchorStart < 0) return node;
    this.isPlain = false;
    this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), node);
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
      throw this.#problem(event.tagStart, `The tag ${written} does not match its value; remove it`);
    }
    return value;
  }
}

function pairsOf(items: readonly Node[]): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const [key, value] = [items[index], items[index + 1]];
    if (key !== undefined && value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}

/** Whether a key merges its maps into the map that contains it, as in YAML 1.1. */
export const isMergeKey = (key: Node): boolean =>
  key.kind === 'scalar' && key.isPlain && key.value === '<<';

export const nameOf = (key: Node): string => (key.kind === 'scalar' ? String(key.value ?? '') : '');

/**
 * Returns the offset of the key at the path. If the key does not exist, returns the offset of its
 * nearest existing parent.
 */
export function offsetOf(root: Node, path: Path): number {
  let node: Node = root;
  let offset = root.start;
  for (const step of path) {
    if (node.kind === 'alias' && node.target !== null) node = node.target;
    if (node.kind === 'known') node = node.tree() ?? node;
    const next = child(node, step);
    if (next === null) break;
    offset = next.mark.start;
    node = next.node;
  }
  return offset;
}

/**
 * Returns the child of `node` for one part of a path. Also returns the node whose line is reported
 * for the child: the key in a map, or the item in a list.
 */
function child(node: Node, step: PropertyKey): { readonly node: Node; readonly mark: Node } | null {
  if (node.kind === 'map') {
    const pair = node.pairs.find(([key]) => nameOf(key) === String(step));
    return pair === undefined ? null : { node: pair[1], mark: pair[0] };
  }
  const item = node.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? null : { node: item, mark: item };
}
