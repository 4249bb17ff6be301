/**
 * Highlights code line by line. When code grows, only the part after its last tokenized line is
 * tokenized, so streamed code costs no more than code that arrives at once.
 */

/** The kinds of tokens, named as the colors in `code-block.module.css`. */
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
  /** The kind of the token; null for plain text. */
  readonly kind: TokenKind | null;
};
export type Line = readonly Token[];

/**
 * Tokenizes lines, starting from a state that an earlier call returned, or from null at the start
 * of the code.
 */
export type Tokenize<State> = (
  code: string,
  state: State | null,
) => { readonly lines: readonly Line[]; readonly state: State | null };

/** The number of lines that an older computer can tokenize within one frame. */
export const LINES_A_STEP = 60;

export class LineTokens<State> {
  readonly #tokenize: Tokenize<State>;
  /** The text of the complete lines tokenized so far. */
  #done = '';
  #state: State | null = null;
  #lines: readonly Line[] = [];

  constructor(tokenize: Tokenize<State>) {
    this.#tokenize = tokenize;
  }

  /**
   * Tokenizes the next complete lines of `code`. Starts over when `code` does not extend the
   * previous text.
   * @returns whether more lines are left.
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

  /** Whether `step` would tokenize anything. */
  mayStep(code: string): boolean {
    return !code.startsWith(this.#done) || code.indexOf('\n', this.#done.length) >= 0;
  }

  /** Returns all lines of `code`: highlighted if tokenized, otherwise plain. */
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

/** Returns the index after at most `count` line breaks from `start`. */
function endOfLines(code: string, start: number, count: number): number {
  let end = start;
  for (let line = 0; line < count; line += 1) {
    const next = code.indexOf('\n', end);
    if (next < 0) break;
    end = next + 1;
  }
  return end;
}
