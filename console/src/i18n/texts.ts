/**
 * Texts in English and Chinese, defined beside the screen that shows them. A key that is missing in
 * one language does not compile. `t('requests', { count })` selects `requests_one` or
 * `requests_other` by the plural rules of the language, and replaces `{{count}}` with the value.
 * The build moves the texts into a file per language and area of screens (`texts-plugin.ts`), so a
 * browser loads only the texts that it shows.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { keepLanguage, type Language, preferredLanguage } from './languages.ts';

type Words = Readonly<Record<string, string>>;
type Tables = Readonly<Record<string, Words>>;
type BothLanguages = { readonly en: Words; readonly zh: Words };
export type Texts<Key extends string = string> = {
  readonly namespace: string;
  /** Never set. It makes the types of tables with different keys incompatible. */
  readonly keys?: (key: Key) => Key;
};
/** The keys of a text table, including plural suffixes such as `_one`. */
export type TextKey<Table> = Table extends Texts<infer Key> ? Key : never;
/** The keys of a text table without plural suffixes. */
type BaseKey<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key;
export type Translate<Key extends string> = (
  key: BaseKey<Key>,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** The loaded texts by language and namespace. */
const loaded: Readonly<Record<Language, Record<string, Words>>> = { en: {}, zh: {}, 'zh-TW': {} };
const defined: { readonly namespace: string; readonly texts: BothLanguages }[] = [];

/**
 * Defines the texts of a screen.
 * @param namespace a unique name, such as that of the screen.
 * @param texts the texts; absent in a build, which moves them to the files that `loadTexts` loads.
 */
export function defineTexts<const En extends Words>(
  namespace: string,
  texts?: { readonly en: En; readonly zh: { readonly [Key in keyof En]: string } },
): Texts<keyof En & string> {
  if (texts !== undefined) {
    loaded.en[namespace] = texts.en;
    loaded.zh[namespace] = texts.zh;
    defined.push({ namespace, texts });
  }
  return { namespace };
}

/** Returns all texts defined so far, in load order, for the build. */
export const definedTexts = (): typeof defined => defined;

/** The groups of screens whose texts load together; `shared` has the texts of all other screens. */
export type TextArea =
  | 'shared'
  | 'account'
  | 'admin'
  | 'playground'
  | 'public'
  | 'reports'
  | 'settings'
  | 'sign-in';

/**
 * The loader of each file of texts, such as `en/shared`. `texts-plugin.ts` writes the loaders into
 * this object.
 */
const FILES: Readonly<Record<string, () => Promise<{ readonly default: Tables }>>> = {};

let language = preferredLanguage();
const listeners = new Set<() => void>();
/** The areas whose screens have been opened. */
const wanted = new Set<TextArea>();

/**
 * Loads the texts of an area in the current language, and later in each language that is chosen.
 * @throws TypeError when the file cannot be loaded.
 */
export async function loadTexts(area: TextArea): Promise<void> {
  wanted.add(area);
  await load(language, area);
}

async function load(of: Language, area: TextArea): Promise<void> {
  const file = await FILES[`${of}/${area}`]?.();
  Object.assign(loaded[of], file?.default);
}

async function show(chosen: Language): Promise<void> {
  // The loop includes areas that are added to `wanted` while it waits for another area.
  for (const area of wanted) await load(chosen, area);
  keepLanguage(chosen);
  language = chosen;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const shownLanguage = (): Language => language;
const useShownLanguage = () => useSyncExternalStore(listen, shownLanguage, shownLanguage);

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const plurals = new Map<Language, Intl.PluralRules>();

function pluralOf(of: Language, count: number): Intl.LDMLPluralRule {
  const rules = plurals.get(of) ?? new Intl.PluralRules(of);
  plurals.set(of, rules);
  return rules.select(count);
}

/** Returns the function that reads `texts` in the current language. */
export function useTexts<Key extends string>({ namespace }: Texts<Key>): Translate<Key> {
  const shown = useShownLanguage();
  return useCallback(
    (key, values = {}) => {
      const words = loaded[shown][namespace] ?? {};
      const { count } = values;
      const plural = typeof count === 'number' ? words[`${key}_${pluralOf(shown, count)}`] : null;
      const text = plural ?? words[key] ?? key;
      return text.replace(PLACEHOLDER, (_, name: string) => String(values[name] ?? ''));
    },
    [namespace, shown],
  );
}

/** Whether a table of texts has a text for `key`; false until the texts are loaded. */
export const hasText = <Key extends string>({ namespace }: Texts<Key>, key: string): key is Key =>
  Object.hasOwn(loaded[language][namespace] ?? {}, key);

/** Returns all keys of a table; empty until the texts are loaded. */
export const keysOf = <Key extends string>(texts: Texts<Key>): readonly Key[] =>
  Object.keys(loaded[language][texts.namespace] ?? {}).filter((key) => hasText(texts, key));

/**
 * The current language, and a function that loads and shows another.
 * @throws TypeError when the texts cannot be loaded; the language then stays the same.
 */
export const useLanguage = (): readonly [Language, (language: Language) => Promise<void>] => [
  useShownLanguage(),
  show,
];
