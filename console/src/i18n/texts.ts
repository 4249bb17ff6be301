/**
 * Texts in both languages, defined beside the screen that shows them. A key that is missing in one
 * language does not compile. Plurals follow i18next: `t('requests', { count })` selects
 * `requests_one` or `requests_other`. The build moves the texts into one file per language
 * (`build/texts-plugin.ts`), of which a browser loads only its own.
 */
import i18next from 'i18next';
import { useCallback } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import { isLanguage, keepLanguage, type Language, preferredLanguage } from './languages.ts';

type Words = Readonly<Record<string, string>>;
type BothLanguages = { readonly en: Words; readonly zh: Words };
export type Texts<Key extends string = string> = {
  readonly namespace: string;
  /** Exists only in the type: tables with other keys are not interchangeable. */
  readonly keys?: (key: Key) => Key;
};
/** The keys of a text table, with plural suffixes. */
export type TextKey<Table> = Table extends Texts<infer Key> ? Key : never;
/** The keys of a text table without plural suffixes. */
type BaseKey<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key;
export type Translate<Key extends string> = (
  key: BaseKey<Key>,
  values?: Readonly<Record<string, string | number>>,
) => string;

const i18n = i18next.createInstance();
void i18n.use(initReactI18next).init({
  lng: preferredLanguage(),
  fallbackLng: false,
  resources: {},
  // Escaping is off because React escapes output itself.
  interpolation: { escapeValue: false },
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
});

const defined: { readonly namespace: string; readonly texts: BothLanguages }[] = [];

/**
 * Defines the texts of a screen.
 * @param namespace a unique name, such as that of the screen.
 * @param texts removed by the build, after which `loadTexts` adds them.
 */
export function defineTexts<const En extends Words>(
  namespace: string,
  texts?: { readonly en: En; readonly zh: { readonly [Key in keyof En]: string } },
): Texts<keyof En & string> {
  if (texts !== undefined) {
    i18n.addResourceBundle('en', namespace, texts.en);
    i18n.addResourceBundle('zh', namespace, texts.zh);
    defined.push({ namespace, texts });
  }
  return { namespace };
}

/** All texts defined so far, in load order. The build gathers them. */
export const definedTexts = (): typeof defined => defined;

/** The files that the build makes. During development they only have what is not defined here. */
const FILES: Readonly<
  Record<Language, () => Promise<{ readonly default: Readonly<Record<string, Words>> }>>
> = {
  en: () => import('virtual:texts/en'),
  zh: () => import('virtual:texts/zh'),
  'zh-TW': () => import('virtual:texts/zh-TW'),
};

/**
 * Loads the texts of a language.
 * @throws TypeError when the file cannot be loaded.
 */
export async function loadTexts(language: Language): Promise<void> {
  const { default: texts } = await FILES[language]();
  for (const [namespace, words] of Object.entries(texts)) {
    i18n.addResourceBundle(language, namespace, words);
  }
}

/** Returns the function that reads `texts` in the current language. */
export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const { t } = useTranslation(texts.namespace, { i18n });
  return useCallback((key, values = {}) => t(key, values), [t]);
}

/** Whether a table has a text for `key`, once the texts are loaded. */
export const hasText = <Key extends string>({ namespace }: Texts<Key>, key: string): key is Key =>
  i18n.exists(key, { ns: namespace });

/** All keys of a table, once the texts are loaded. */
export const keysOf = <Key extends string>(texts: Texts<Key>): readonly Key[] =>
  Object.keys(i18n.getResourceBundle(i18n.language, texts.namespace)).filter((key) =>
    hasText(texts, key),
  );

/**
 * The current language, and a function that loads and shows another.
 * @throws TypeError when the texts cannot be loaded; the language then stays the same.
 */
export function useLanguage(): readonly [Language, (language: Language) => Promise<void>] {
  const { i18n: shown } = useTranslation(undefined, { i18n });
  const change = async (language: Language): Promise<void> => {
    await loadTexts(language);
    keepLanguage(language);
    await shown.changeLanguage(language);
  };
  return [isLanguage(shown.language) ? shown.language : 'en', change];
}
