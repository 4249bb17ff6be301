/**
 * Highlights code. The engine and each grammar load when code in that language first appears. Code
 * in languages without a grammar stays plain.
 */
import type { GrammarState, LanguageInput, ThemedToken } from 'shiki/core';
import { TOKEN_KINDS, type Token, type Tokenize, type TokenKind } from './line-tokens.ts';

const GRAMMARS = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} as const satisfies Readonly<Record<string, LanguageInput>>;
export type CodeLanguage = keyof typeof GRAMMARS;
export const CODE_LANGUAGES = Object.keys(GRAMMARS).filter(isCodeLanguage);

/** Aliases that people and models use for languages in fenced code. */
const ALIASES: ReadonlyMap<string, CodeLanguage> = new Map([
  ['console', 'bash'],
  ['golang', 'go'],
  ['h', 'c'],
  ['htm', 'html'],
  ['javascript', 'typescript'],
  ['js', 'typescript'],
  ['json5', 'json'],
  ['jsonc', 'json'],
  ['jsonl', 'json'],
  ['jsx', 'tsx'],
  ['mjs', 'typescript'],
  ['patch', 'diff'],
  ['py', 'python'],
  ['python3', 'python'],
  ['rs', 'rust'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['shellscript', 'bash'],
  ['svg', 'html'],
  ['ts', 'typescript'],
  ['xml', 'html'],
  ['yml', 'yaml'],
  ['zsh', 'bash'],
]);

/** The grammar for a language name; null for a language without highlighting. */
export function codeLanguageOf(name: string): CodeLanguage | null {
  const known = name.toLowerCase();
  return isCodeLanguage(known) ? known : (ALIASES.get(known) ?? null);
}

function isCodeLanguage(name: string): name is CodeLanguage {
  return Object.hasOwn(GRAMMARS, name);
}

/** The maximum length of a highlighted line. Longer lines are data and would block the page. */
const MAX_LINE_CHARACTERS = 2_000;
/**
 * The name of a theme whose colors are CSS variables, one for each kind of token. The style sheet
 * defines the variables for both color schemes.
 */
const THEME = 'names';
const NAME = /^var\(--token-([a-z-]+)\)$/;

/**
 * The state of the grammar at the end of some code. The highlighting of the code that follows
 * starts from this state.
 */
export type CodeState = GrammarState;
type TokenizeCode = Tokenize<CodeState>;

const loaded = new Map<CodeLanguage, Promise<TokenizeCode>>();
let engine: ReturnType<typeof loadEngine> | null = null;

/**
 * Loads the tokenizer of a language. If a file fails to load, the promise rejects, and the next
 * call loads it again.
 */
export function tokenizerFor(language: CodeLanguage): Promise<TokenizeCode> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  loaded.set(language, loading);
  loading.catch(() => loaded.delete(language));
  return loading;
}

async function load(language: CodeLanguage): Promise<TokenizeCode> {
  engine ??= loadEngine();
  engine.catch(() => {
    engine = null;
  });
  const highlighter = await engine;
  await highlighter.loadLanguage(GRAMMARS[language]);
  return (code, state) => {
    const lines = highlighter.codeToTokensBase(code, {
      lang: language,
      theme: THEME,
      tokenizeMaxLineLength: MAX_LINE_CHARACTERS,
      // Zero disables the time limit. The default is too short for the first line, because the
      // regular expressions of the grammar are compiled while it is tokenized.
      tokenizeTimeLimit: 0,
      ...(state === null ? {} : { grammarState: state }),
    });
    return {
      lines: lines.map((line) => line.map(tokenOf)),
      state: highlighter.getLastGrammarState(lines) ?? null,
    };
  };
}

async function loadEngine() {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--' })],
    langs: [],
    // Skips the patterns of a grammar that use regular expression features which an old browser
    // lacks.
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

const tokenOf = ({ content, color }: ThemedToken): Token => ({
  text: content,
  kind: kindOf(NAME.exec(color ?? '')?.[1]),
});

const kindOf = (name: string | undefined): TokenKind | null =>
  TOKEN_KINDS.find((kind) => kind === name) ?? null;
