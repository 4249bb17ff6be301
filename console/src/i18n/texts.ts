/**
 * Texts in both languages, beside the screen that shows them. A key that one language lacks does not
 * compile. Plurals are the library's: `requests_one` and `requests_other` are shown by `t('requests', { count })`.
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
/** Without the endings that plurals are told apart by. */
type Asked<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key;
export type Translate<Key extends string> = (
  key: Asked<Key>,
  values?: Readonly<Record<string, string | number>>,
) => string;

const i18n = i18next.createInstance();
void i18n.use(initReactI18next).init({
  lng: preferredLanguage(),
  fallbackLng: false,
  resources: {},
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
});

const defined: Texts[] = [];

/** @param namespace of its own, such as the name of the screen. */
export function defineTexts<const En extends Words>(
  namespace: string,
  { en, zh }: { readonly en: En; readonly zh: { readonly [Key in keyof En]: string } },
): Texts<keyof En & string> {
  i18n.addResourceBundle('en', namespace, en);
  i18n.addResourceBundle('zh', namespace, zh);
  defined.push({ namespace, en, zh });
  return { namespace, en, zh };
}

/** All that was defined so far, in the order of loading. */
export const definedTexts = (): readonly Texts[] => defined;

/** The words of `texts` in the language of the person. */
export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const { t } = useTranslation(texts.namespace, { i18n });
  return useCallback((key, values = {}) => t(key, values), [t]);
}

/** The language that is shown, and the way to show the other. */
export function useLanguage(): readonly [Language, (language: Language) => void] {
  const { i18n: shown } = useTranslation(undefined, { i18n });
  const change = (language: Language): void => {
    keepLanguage(language);
    void shown.changeLanguage(language);
  };
  return [shown.language === 'zh' ? 'zh' : 'en', change];
}
