/**
 * Lays out a prompt as the title of its picture: removes unusable characters, wraps lines, and
 * truncates.
 */

const MAX_LINES = 4;
/** Maximum characters of a prompt that are used. More would not fit even in the smallest font. */
const MAX_CHARS = 400;
/** The font sizes to try, largest first. They suit a picture whose short side is 1000 units. */
const FONT_SIZES = [104, 84, 68, 54] as const;

export type Title = { readonly fontSize: number; readonly lines: readonly string[] };

/** @param width the width of a line, in the same unit as the font sizes. */
export function titleOf(prompt: string, width: number): Title {
  const text = cleaned(prompt);
  for (const fontSize of FONT_SIZES) {
    const lines = wrapped(text, width / fontSize);
    if (lines.length <= MAX_LINES) return { fontSize, lines };
  }
  const fontSize = FONT_SIZES[FONT_SIZES.length - 1] ?? 0;
  const lines = wrapped(text, width / fontSize).slice(0, MAX_LINES);
  return { fontSize, lines: lines.map((line, at) => (at === MAX_LINES - 1 ? cut(line) : line)) };
}

/**
 * Truncates a prompt. Replaces control and format characters with spaces, because XML forbids some
 * of them. Keeps joiners, which emoji and several scripts need.
 */
function cleaned(prompt: string): string {
  const text = prompt.slice(0, MAX_CHARS).toWellFormed();
  const spaced = text.replace(/[^\P{C}\u200c\u200d]/gu, ' ').replace(/\s+/g, ' ');
  return spaced.trim() + (prompt.length > MAX_CHARS ? '…' : '');
}

const cut = (line: string): string => `${line.replace(/.[\s\p{P}]*$/u, '')}…`;

/** Returns a character's approximate width in a bold sans-serif font of size 1. */
function widthOf(character: string): number {
  if (/[\p{M}\u200c\u200d]/u.test(character)) return 0;
  if (/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uff60]|[^\0-\uffff]/u.test(character))
    return 1;
  return /[\p{Lu}mwMW@%—…]/u.test(character) ? 0.9 : 0.68;
}

/**
 * Wraps a text. Lines break between words, after CJK characters, and inside words that are wider
 * than a line.
 */
function wrapped(text: string, maxWidth: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const breakLine = (): void => {
    lines.push(line.trimEnd());
    line = '';
    width = 0;
  };
  for (const [word] of text.matchAll(/[^\s\u2e80-\ud7ff]+\s?|[\u2e80-\ud7ff]\s?|\s/gu)) {
    const wordWidth = [...word.trimEnd()].reduce((sum, each) => sum + widthOf(each), 0);
    if (line !== '' && width + wordWidth > maxWidth) breakLine();
    for (const character of word) {
      const characterWidth = widthOf(character);
      if (line !== '' && character !== ' ' && width + characterWidth > maxWidth) breakLine();
      line += character;
      width += characterWidth;
    }
  }
  if (line !== '') breakLine();
  return lines;
}
