/**
 * Colours of program text. Grammars and themes are loaded when a first block of their language is shown;
 * what is loaded colours at once, so that a text which changes with each key press does not flicker.
 */
import type { HighlighterCore, LanguageRegistration, ThemedTokenWithVariants } from 'shiki/core';

type Grammar = { readonly default: LanguageRegistration[] };
const GRAMMARS = {
  bash: () => import('shiki/langs/bash.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} as const satisfies Record<string, () => Promise<Grammar>>;
export type CodeLanguage = keyof typeof GRAMMARS;

/** What people write behind three backticks. */
const ALIASES: ReadonlyMap<string, CodeLanguage> = new Map([
  ['javascript', 'typescript'],
  ['js', 'typescript'],
  ['jsx', 'typescript'],
  ['py', 'python'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['yml', 'yaml'],
  ['zsh', 'bash'],
]);

/** Null: a language that stays without colours. */
export function codeLanguageOf(name: string): CodeLanguage | null {
  const known = name.toLowerCase();
  return isCodeLanguage(known) ? known : (ALIASES.get(known) ?? null);
}

const isCodeLanguage = (name: string): name is CodeLanguage => Object.hasOwn(GRAMMARS, name);

/** A piece of a line; the colour is one that follows the theme, null where it is that of all text. */
export type CodeToken = { readonly text: string; readonly color: string | null };
/** By line. */
export type Highlight = (code: string) => readonly (readonly CodeToken[])[];

/** Colouring takes time by the length, and nobody reads this much of it. */
const MAX_CHARS = 50_000;
/** Both have contrasts of 7 to 1 and up. */
const THEMES = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;

let core: Promise<HighlighterCore> | null = null;
const loaded = new Map<CodeLanguage, Promise<Highlight>>();

/** @throws Error when a part of it cannot be loaded; the text is readable without. */
export function highlighterOf(language: CodeLanguage): Promise<Highlight> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  loaded.set(language, loading);
  loading.catch(() => loaded.delete(language));
  return loading;
}

async function load(language: CodeLanguage): Promise<Highlight> {
  core ??= loadCore();
  core.catch(() => {
    core = null;
  });
  const [shiki, grammar] = await Promise.all([core, GRAMMARS[language]()]);
  await shiki.loadLanguage(grammar.default);
  return (code) => {
    if (code.length > MAX_CHARS) return plain(code);
    return shiki
      .codeToTokensWithThemes(code, { lang: language, themes: THEMES })
      .map((line) => line.map(tokenOf));
  };
}

async function loadCore(): Promise<HighlighterCore> {
  const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, light, dark] =
    await Promise.all([
      import('shiki/core'),
      import('shiki/engine/javascript'),
      import('shiki/themes/github-light-high-contrast.mjs'),
      import('shiki/themes/github-dark-high-contrast.mjs'),
    ]);
  return await createHighlighterCore({
    themes: [light.default, dark.default],
    langs: [],
    // Old browsers lack a few patterns: those stay without colours.
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

function tokenOf({ content, variants }: ThemedTokenWithVariants): CodeToken {
  const light = variants['light']?.color;
  const dark = variants['dark']?.color;
  const color = light === undefined || dark === undefined ? null : `light-dark(${light}, ${dark})`;
  return { text: content, color };
}

export const plain: Highlight = (code) =>
  code.split('\n').map((line) => [{ text: line, color: null }]);
