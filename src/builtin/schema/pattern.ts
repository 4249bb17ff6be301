/**
 * Regular expressions of other people: read, matched and written to. The platform's own engine may need
 * longer than the age of the universe for a pattern like `^(a+)+$`, and a schema's pattern comes from
 * anyone, so it is matched here within a number of steps. Look-behinds and back-references are not known.
 */

type Node =
  | { readonly kind: 'char'; readonly accepts: RegExp | null; readonly sample: string }
  | { readonly kind: 'sequence' | 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: number; readonly most: number }
  | { readonly kind: 'edge'; readonly at: 'start' | 'end' | 'word' | 'not_word' }
  | { readonly kind: 'look'; readonly node: Node; readonly isNegative: boolean };

export type Pattern = {
  /** Whether it matches anywhere in the text. A text or a search that is too long counts as no match. */
  readonly test: (text: string) => boolean;
  /** A text of such a length that it matches; null when none was found. */
  readonly sample: (minLength: number, maxLength: number) => string | null;
};

const MAX_PATTERN_CHARS = 2_000;
const MAX_TEXT_CHARS = 1_000;
const MAX_STEPS = 5_000;
const MAX_NESTING = 50;
/** A sample repeats nothing more often than this. */
const MAX_REPEATS = 256;

/** Reads a pattern; null when it is invalid or beyond what we know. */
export function readPattern(source: string): Pattern | null {
  if (source.length > MAX_PATTERN_CHARS) return null;
  const node = new PatternReader(source).read();
  if (node === null) return null;
  const test = (text: string): boolean => new Search([...text]).finds(node);
  const sample = (minLength: number, maxLength: number): string | null => {
    // Open repeats run as seldom as they may at first, then as often as the length asks.
    for (const repeats of [0, 1, minLength]) {
      const found = sampleOf(node, Math.min(repeats, MAX_REPEATS));
      for (const text of [found, found.padEnd(minLength, 'a')]) {
        if (text.length >= minLength && text.length <= maxLength && test(text)) return text;
      }
    }
    return null;
  };
  return { test, sample };
}

function sampleOf(node: Node, repeats: number): string {
  switch (node.kind) {
    case 'char':
      return node.sample;
    case 'sequence':
      return node.nodes.map((each) => sampleOf(each, repeats)).join('');
    case 'choice':
      return node.nodes[0] === undefined ? '' : sampleOf(node.nodes[0], repeats);
    case 'repeat': {
      const count = Math.min(node.most, Math.max(node.least, repeats));
      const once = sampleOf(node.node, repeats);
      // Nested repeats multiply; a sample that would grow beyond any text that is tested stays short.
      return once.length * count > MAX_TEXT_CHARS ? once.repeat(node.least) : once.repeat(count);
    }
    case 'edge':
    case 'look':
      return '';
  }
}

type Next = (at: number) => boolean;

class Search {
  private readonly text: readonly string[];
  private steps = 0;

  constructor(text: readonly string[]) {
    this.text = text;
  }

  finds(node: Node): boolean {
    if (this.text.length > MAX_TEXT_CHARS) return false;
    for (let start = 0; start <= this.text.length; start += 1) {
      if (this.match(node, start, () => true)) return true;
    }
    return false;
  }

  private match(node: Node, at: number, next: Next): boolean {
    this.steps += 1;
    if (this.steps > MAX_STEPS) return false;
    switch (node.kind) {
      case 'char': {
        const char = this.text[at];
        if (char === undefined) return false;
        return (
          (node.accepts === null ? char === node.sample : node.accepts.test(char)) && next(at + 1)
        );
      }
      case 'sequence':
        return this.sequence(node.nodes, 0, at, next);
      case 'choice':
        return node.nodes.some((each) => this.match(each, at, next));
      case 'repeat':
        return this.repeat(node, 0, at, next);
      case 'edge':
        return this.isEdge(node.at, at) && next(at);
      case 'look':
        return this.match(node.node, at, () => true) !== node.isNegative && next(at);
    }
  }

  private sequence(nodes: readonly Node[], index: number, at: number, next: Next): boolean {
    const node = nodes[index];
    if (node === undefined) return next(at);
    return this.match(node, at, (end) => this.sequence(nodes, index + 1, end, next));
  }

  private repeat(node: Node & { kind: 'repeat' }, count: number, at: number, next: Next): boolean {
    if (count < node.most) {
      // A round that moves nothing would go on for ever, so it only counts towards the least.
      const more: Next = (end) =>
        (end > at || count < node.least) && this.repeat(node, count + 1, end, next);
      if (this.match(node.node, at, more)) return true;
    }
    return count >= node.least && next(at);
  }

  private isEdge(kind: 'start' | 'end' | 'word' | 'not_word', at: number): boolean {
    if (kind === 'start') return at === 0;
    if (kind === 'end') return at === this.text.length;
    const isWord = (index: number): boolean => /\w/.test(this.text[index] ?? '');
    return (isWord(at - 1) !== isWord(at)) === (kind === 'word');
  }
}

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** The most readable member of a class is its sample. */
const SAMPLES = ['a', 'A', '1', '0', ...PRINTABLE];

/** A class of single characters by the platform's engine, which is quick at that. */
function charClass(source: string): Node | null {
  let accepts: RegExp;
  try {
    accepts = new RegExp(`^${source}$`, 'u');
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    return null;
  }
  // A class beyond ASCII names its members, or the first and last of them.
  const named = source.replace(/\\u\{?([\da-fA-F]{4,5})\}?/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
  const sample = [...SAMPLES, ...named].find((char) => accepts.test(char)) ?? 'a';
  return { kind: 'char', accepts, sample };
}

const literal = (char: string): Node => ({ kind: 'char', accepts: null, sample: char });
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' };

/** Reads by precedence: alternatives of sequences of repeated atoms. Null anywhere: not understood. */
class PatternReader {
  private readonly source: string;
  private at = 0;
  private depth = 0;

  constructor(source: string) {
    this.source = source;
  }

  read(): Node | null {
    const node = this.choice();
    return this.at === this.source.length ? node : null;
  }

  private take(expression: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(expression.source, 'uy');
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.source);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  private choice(): Node | null {
    const nodes: Node[] = [];
    do {
      const node = this.sequence();
      if (node === null) return null;
      nodes.push(node);
    } while (this.take(/\|/) !== null);
    return nodes.length === 1 ? (nodes[0] ?? null) : { kind: 'choice', nodes };
  }

  private sequence(): Node | null {
    const nodes: Node[] = [];
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at] ?? '')) {
      const atom = this.atom();
      const node = atom === null ? null : this.repeated(atom);
      if (node === null) return null;
      nodes.push(node);
    }
    return { kind: 'sequence', nodes };
  }

  private repeated(node: Node): Node | null {
    const match = this.take(/(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/);
    if (match === null) return node;
    const [, sign, low, comma, high] = match;
    if (sign === '?') return { kind: 'repeat', node, least: 0, most: 1 };
    if (sign !== undefined)
      return { kind: 'repeat', node, least: sign === '+' ? 1 : 0, most: Infinity };
    const least = Number(low);
    const most = comma === '' ? least : high === '' ? Infinity : Number(high);
    return { kind: 'repeat', node, least, most };
  }

  private atom(): Node | null {
    if (this.take(/\^/) !== null) return { kind: 'edge', at: 'start' };
    if (this.take(/\$/) !== null) return { kind: 'edge', at: 'end' };
    if (this.take(/\./) !== null) return charClass('[^\\n\\r]');
    if (this.take(/\(/) !== null) return this.group();
    const members = this.take(/\[(?:\\[\s\S]|[^\]\\])*\]/);
    if (members !== null) return charClass(withoutNeedlessEscapes(members[0]));
    if (this.take(/\\/) !== null) return this.escape();
    const char = this.take(/[^*+?[]/);
    return char === null ? null : literal(char[0]);
  }

  private group(): Node | null {
    this.depth += 1;
    const look = this.take(/\?([=!])/);
    if (
      look === null &&
      this.take(/\?:|\?<[A-Za-z_]\w*>/) === null &&
      this.source[this.at] === '?'
    ) {
      return null;
    }
    const node = this.depth > MAX_NESTING ? null : this.choice();
    this.depth -= 1;
    if (node === null || this.take(/\)/) === null) return null;
    return look === null ? node : { kind: 'look', node, isNegative: look[1] === '!' };
  }

  private escape(): Node | null {
    if (this.take(/b/) !== null) return { kind: 'edge', at: 'word' };
    if (this.take(/B/) !== null) return { kind: 'edge', at: 'not_word' };
    const set = this.take(/[dDwWsS]|[pP]\{[^}]*\}/);
    if (set !== null) return charClass(`\\${set[0]}`);
    const code = this.take(/u\{([\da-fA-F]{1,5})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})/);
    if (code !== null) {
      return literal(
        String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '0', 16)),
      );
    }
    const char = this.take(/[^1-9]/)?.[0];
    if (char === undefined) return null;
    return literal(CONTROLS[char] ?? (char === '0' ? '\0' : char));
  }
}

/** Unicode mode forbids escaping what needs none (`[\_]`), though patterns in use do it. */
const withoutNeedlessEscapes = (source: string): string =>
  source.replace(/\\([^\p{L}\p{N}\\\]^[-])/gu, (_, char: string) =>
    '$()*+./?{|}'.includes(char) ? `\\${char}` : char,
  );
