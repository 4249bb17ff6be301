/**
 * For tests: finds the console's texts in a language by their English texts, which are read from
 * the sources of the screens. So a test in Chinese names the English texts, like a test in English,
 * and fails when a text is removed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEE_NAMES } from '../../../console/src/catalogue/fee-names.ts';
import { BUCKET_NAMES } from '../../../console/src/catalogue/usage-buckets.ts';
import type { Language } from './visit.ts';

const SOURCES = join(import.meta.dir, '../../../console/src');
const DEFINITION = 'defineTexts(';
/**
 * Matches a placeholder such as `{{name}}`, escaped for a regular expression. On a page, any text
 * may be in its place.
 */
const OPEN_PLACE = /\\\{\\\{.*?\\\}\\\}/g;

type Words = Readonly<Record<string, string>>;
type Definition = readonly [namespace: string, texts: Readonly<Record<Language, Words>>];

/**
 * Finds the translations of a console text in the test's language.
 * @param ending a text that must follow the translation. It is not translated itself.
 * @returns a pattern that matches each translation of the complete English text.
 */
export type Say = (english: string, ending?: string) => RegExp;

export function wordsOf(language: Language): Say {
  const translations = new Map<string, Set<string>>();
  for (const [, { en, [language]: own }] of definitions()) {
    for (const [key, english] of Object.entries(en)) {
      translations.set(english, (translations.get(english) ?? new Set()).add(own[key] ?? english));
    }
  }
  return (english, ending = '') => {
    const texts = translations.get(english);
    if (texts === undefined) throw new Error(`the console nowhere says "${english}"`);
    return new RegExp(`^(?:${[...texts].map(patternOf).join('|')})${patternOf(ending)}$`);
  };
}

const patternOf = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(OPEN_PLACE, '.+?');

function definitions(): readonly Definition[] {
  return [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SOURCES)].flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    return placesOf(text).map((at) => evaluated(argumentsAt(text, at), file));
  });
}

function placesOf(text: string): readonly number[] {
  const places: number[] = [];
  let at = text.indexOf(`= ${DEFINITION}`);
  while (at >= 0) {
    places.push(at + 2 + DEFINITION.length);
    at = text.indexOf(`= ${DEFINITION}`, at + 1);
  }
  return places;
}

/**
 * Returns the source code of a call's arguments. Ignores parentheses inside strings.
 * @param from the position after the call's opening parenthesis.
 */
function argumentsAt(text: string, from: number): string {
  let depth = 1;
  let quote: string | null = null;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (quote !== null) quote = character === quote ? null : quote;
    else if (`'"\``.includes(character)) quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  throw new Error('a definition of texts that does not end');
}

/**
 * Evaluates the source code of a table of texts. The code may contain only literals and references
 * to `BUCKET_NAMES` and `FEE_NAMES`.
 */
function evaluated(source: string, file: string): Definition {
  try {
    return new Function('BUCKET_NAMES', 'FEE_NAMES', `return [${source}]`)(BUCKET_NAMES, FEE_NAMES);
  } catch (thrown) {
    throw new Error(`the texts of ${file} are not written as literals`, { cause: thrown });
  }
}
