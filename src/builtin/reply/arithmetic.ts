/** Simple sums in a request's words, worked out: `what is 12 * (3 + 4)?`, `3加5等于几`. */

/** Longer expressions are left alone; it also bounds how deep brackets can nest. */
const MAX_EXPRESSION_CHARS = 200;

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b|\band\b(?=\s*\d)|加上|加|＋/gi, '+'],
  [/\bminus\b|减去|减|−|–|－/gi, '-'],
  [/\btimes\b|\bmultiplied by\b|乘以|乘|×|·|(?<=\d\s?)x(?=\s?\d)/gi, '*'],
  [/\bdivided by\b|\bover\b|除以|÷/gi, '/'],
  [/\bto the power of\b|\*\*|的(?=\d+次方)/gi, '^'],
];

/** What marks a message as a sum, unless it is nothing but one. */
const CUE =
  /\bwhat(?:'s|’s| is| are)\b|\bcalculate\b|\bcompute\b|\bevaluate\b|\bhow much\b|\bequals?\b|\badd\b|=|等于|多少|计算|算/i;
const EXPRESSION = /(?<![\w.])[-(]*\d[\d\s.+\-*/^%()]*[\d)]/g;
const NOT_A_SUM = /^\d{4}-\d{1,2}-\d{1,2}$|^\d+(?:-\d+){2,}$|^\d+(?:\.\d+){2,}$/;

export type Sum = { readonly expression: string; readonly value: number };

/** The first sum of the text; null when it asks for none. */
export function findSum(text: string): Sum | null {
  if (text.length > MAX_EXPRESSION_CHARS) return null;
  let plain = text;
  for (const [word, sign] of WORDS) plain = plain.replace(word, sign);
  for (const [found] of plain.matchAll(EXPRESSION)) {
    const expression = found.trim().replace(/\s+/g, ' ');
    const isWhole = plain.replace(/[\s=?？]/g, '') === expression.replaceAll(' ', '');
    if (NOT_A_SUM.test(expression) || !/\d\s*[+\-*/^%]/.test(expression)) continue;
    if (!isWhole && !CUE.test(text)) continue;
    const value = new SumReader(expression.replaceAll(' ', '')).read();
    if (value !== null) return { expression: spaced(expression), value };
  }
  return null;
}

/** Signs set apart, as people write them: `2+2` becomes `2 + 2`. */
const spaced = (expression: string): string =>
  expression.replace(/(?<=[\d)])\s*([+\-*/^%])\s*/g, ' $1 ').replaceAll('*', '×');

/** The value in as many digits as a float has for sure. */
export const formatNumber = (value: number): string => String(Number(value.toPrecision(12)));

/** Reads by precedence: sums of products of powers of signed atoms. */
class SumReader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value; null when the text is no expression. Infinite when it divides by zero. */
  read(): number | null {
    const value = this.sum();
    return this.at === this.text.length && !Number.isNaN(value) ? value : null;
  }

  private takeOneOf(signs: string): string | null {
    const sign = this.text[this.at];
    if (sign === undefined || !signs.includes(sign)) return null;
    this.at += 1;
    return sign;
  }

  private sum(): number {
    let value = this.product();
    for (let sign = this.takeOneOf('+-'); sign !== null; sign = this.takeOneOf('+-')) {
      const next = this.product();
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  }

  private product(): number {
    let value = this.power();
    for (let sign = this.takeOneOf('*/%'); sign !== null; sign = this.takeOneOf('*/%')) {
      const next = this.power();
      value = sign === '*' ? value * next : sign === '/' ? value / next : value % next;
    }
    return value;
  }

  private power(): number {
    if (this.takeOneOf('-') !== null) return -this.power();
    const base = this.atom();
    return this.takeOneOf('^') === null ? base : base ** this.power();
  }

  private atom(): number {
    if (this.takeOneOf('(') !== null) {
      const value = this.sum();
      return this.takeOneOf(')') === null ? Number.NaN : value;
    }
    const digits = /^\d+(?:\.\d+)?/.exec(this.text.slice(this.at))?.[0];
    if (digits === undefined) return Number.NaN;
    this.at += digits.length;
    return Number(digits);
  }
}
