/**
 * Texts in both languages, defined beside the screen that shows them. A key that is missing in one
 * language does not compile. Plurals follow i18next: `t('requests', { count })` selects
 * `requests_one` or `requests_other`.
 */
import i18next from 'i18next';
import { useCallback } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import { keepLanguage, type Language, preferredLanguage } from './languages.ts';

type Words = Readonly<Record<string, string>>;
export type Texts<Key extends string = string> = {
  readonly namespace: string;
  readonly en: Readonly<Record<Key, string>>;
  readonly zh: Readonly<Record<Key, string>>;
};
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

const defined: Texts[] = [];

/**
 * Defines the texts of a screen.
 * @param namespace a unique name, such as that of the screen.
 */
export function defineTexts<const En extends Words>(
  namespace: string,
  { en, zh }: { readonly en: En; readonly zh: { readonly [Key in keyof En]: string } },
): Texts<keyof En & string> {
  i18n.addResourceBundle('en', namespace, en);
  i18n.addResourceBundle('zh', namespace, zh);
  defined.push({ namespace, en, zh });
  return { namespace, en, zh };
}

/** All texts defined so far, in load order. */
export const definedTexts = (): readonly Texts[] => defined;

/** Returns the function that reads `texts` in the current language. */
export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const { t } = useTranslation(texts.namespace, { i18n });
  return useCallback((key, values = {}) => t(key, values), [t]);
}

/** The current language, and a function that changes it. */
export function useLanguage(): readonly [Language, (language: Language) => void] {
  const { i18n: shown } = useTranslation(undefined, { i18n });
  const change = (language: Language): void => {
    keepLanguage(language);
    void shown.changeLanguage(language);
  };
  return [shown.language === 'zh' ? 'zh' : 'en', change];
}
