/** The languages of the console, and which one a browser gets. */

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '简体中文' };
/** What `Intl` and the `lang` attribute take. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/** Where the choice is kept; `index.html` reads it before the first paint. */
const STORAGE_KEY = 'modelgate.language';

/** What the person chose, else what their browser speaks. */
export function preferredLanguage(): Language {
  const wanted = keptLanguage() ?? navigator.language;
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

/** Null also in a browser that is set to keep nothing for us. */
function keptLanguage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
