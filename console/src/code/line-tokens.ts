/**
 * Code as coloured words, line by line. Code that grows at its end is read on from the last whole line, so
 * that a streamed block costs no more than one that came at once.
 */

/** What a word is, by the names of the colours in `code-block.module.css`. */
export const TOKEN_KINDS = [
  'comment',
  'constant',
  'function',
  'keyword',
  'link',
  'parameter',
  'punctuation',
  'string',
  'string-expression',
  'inserted',
  'deleted',
  'changed',
] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export type Token = {
  readonly text: string;
  /** Null: plain. */
  readonly kind: TokenKind | null;
};
export type Line = readonly Token[];

/** Reads lines on from a state that it made before; null: from the start. */
export type Tokenize<State> = (
  code: string,
  state: State | null,
) => { readonly lines: readonly Line[]; readonly state: State | null };

/** As many as a computer of some years ago reads within a frame. */
export const LINES_A_STEP = 60;

export class LineTokens<State> {
  readonly #tokenize: Tokenize<State>;
  /** Whole lines that were read, as text. */
  #done = '';
  #state: State | null = null;
  #lines: readonly Line[] = [];

  constructor(tokenize: Tokenize<State>) {
    this.#tokenize = tokenize;
  }

  /**
   * Reads some more of the whole lines of `code`; starts anew when it is not what was there, grown.
   * @returns whether there is more to read.
   */
  step(code: string): boolean {
    if (!code.startsWith(this.#done)) this.#forget();
    const end = endOfLines(code, this.#done.length, LINES_A_STEP);
    if (end === this.#done.length) return false;
    const { lines, state } = this.#tokenize(code.slice(this.#done.length, end - 1), this.#state);
    this.#lines = [...this.#lines, ...lines];
    this.#state = state;
    this.#done = code.slice(0, end);
    return code.indexOf('\n', end) >= 0;
  }

  /** Whether a step would read anything. */
  mayStep(code: string): boolean {
    return !code.startsWith(this.#done) || code.indexOf('\n', this.#done.length) >= 0;
  }

  /** All lines of `code`: those that were read in colour, the others plain. */
  linesOf(code: string): readonly Line[] {
    if (!code.startsWith(this.#done)) return plainLines(code);
    return [...this.#lines, ...plainLines(code.slice(this.#done.length))];
  }

  #forget(): void {
    this.#done = '';
    this.#state = null;
    this.#lines = [];
  }
}

export const plainLines = (code: string): readonly Line[] =>
  code.split('\n').map((text) => [{ text, kind: null }]);

/** Behind the last of at most `count` line breaks from `start` on. */
function endOfLines(code: string, start: number, count: number): number {
  let end = start;
  for (let line = 0; line < count; line += 1) {
    const next = code.indexOf('\n', end);
    if (next < 0) break;
    end = next + 1;
  }
  return end;
}
