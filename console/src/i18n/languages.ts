/** The console's languages, and the choice of a language for a browser. */

export const LANGUAGES = ['en', 'zh', 'zh-TW'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  zh: '简体中文',
  'zh-TW': '繁體中文',
};
/** The language tags for `Intl` and the `lang` attribute. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en',
  zh: 'zh-CN',
  'zh-TW': 'zh-TW',
};

/** The storage key of the saved language, which `index.html` reads before the first paint. */
const STORAGE_KEY = 'modelgate.language';

/**
 * Returns the language that `index.html` chose before the first paint: the saved language,
 * otherwise that of the browser.
 */
export function preferredLanguage(): Language {
  const shown = globalThis.document?.documentElement.lang;
  return LANGUAGES.find((language) => LOCALES[language] === shown) ?? 'en';
}

export function keepLanguage(language: Language): void {
  document.documentElement.lang = LOCALES[language];
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch (denied) {
    console.warn('the language is not saved, because this browser refuses storage', denied);
  }
}
