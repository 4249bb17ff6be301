/** The console's languages, and the choice of a language for a browser. */

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文' };
/** The language tags for `Intl` and the `lang` attribute. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/** The storage key of the saved language, which `index.html` reads before the first paint. */
const STORAGE_KEY = 'modelgate.language';

/** Returns the saved language, otherwise the browser's language. */
export function preferredLanguage(): Language {
  const wanted = savedLanguage() ?? navigator.language;
  return wanted.startsWith('zh') ? 'zh' : 'en';
}

export function keepLanguage(language: Language): void {
  document.documentElement.lang = LOCALES[language];
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch (denied) {
    console.warn('the language lasts until the page is left: this browser keeps nothing', denied);
  }
}

/** Returns the saved language; null when none is saved or the browser blocks storage. */
function savedLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
