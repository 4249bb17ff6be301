/** Determines how the person's region writes dates and numbers, in the language of the page. */
import { type Language, LOCALES, preferredLanguage } from './languages.ts';

/** Returns the browser's language tag, which includes the region. */
function browserTag(): string {
  try {
    return new Intl.Locale(globalThis.navigator.language).toString();
  } catch {
    return 'en-US';
  }
}

/**
 * Returns the language tag for dates: `en-GB` for a British browser, and `en-DE` for a German
 * browser that shows the console in English. The tag for Chinese contains the region only if the
 * browser uses the same script, simplified or traditional.
 */
export function dateLocaleOf(language: Language, wanted: string = browserTag()): string {
  const locale = LOCALES[language];
  const { language: name, script } = new Intl.Locale(locale).maximize();
  const browser = new Intl.Locale(wanted).maximize();
  const isSame = browser.language === name && browser.script === script;
  return isSame || language === 'en' ? `${name}-${browser.region ?? 'US'}` : locale;
}

/**
 * Returns the language tag for numbers. All amounts have a decimal point, as in the API and in
 * files. If the region uses another decimal sign, numbers follow the language alone.
 */
export function numberLocaleOf(language: Language, wanted?: string): string {
  const locale = dateLocaleOf(language, wanted);
  return new Intl.NumberFormat(locale).format(0.5) === '0.5' ? locale : LOCALES[language];
}

const groups = new Map<Language, Intl.NumberFormat>();

/** Formats a whole number of any size as the page shows it: 1,234,567 or 12,34,567. */
export function groupedDigits(whole: bigint): string {
  const language = preferredLanguage();
  const format = groups.get(language) ?? new Intl.NumberFormat(numberLocaleOf(language));
  groups.set(language, format);
  return format.format(whole);
}
