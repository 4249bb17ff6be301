/** Reads and writes days as the person's region does: 11/22/2026, 22/11/2026 or 2026/11/22. */
import type { Language } from './languages.ts';
import { dateLocaleOf } from './region.ts';

export type EnteredDays = {
  /** The date format, shown in an empty field: mm/dd/yyyy, or 年/月/日. */
  readonly pattern: string;
  /** Formats a day such as 2026-11-22. */
  readonly write: (day: string) => string;
  /**
   * Parses a typed day in the order of the region, or with the year first, with any separators.
   * Returns null for a text that is not a day of this century.
   */
  readonly read: (text: string) => string | null;
};

type Part = 'year' | 'month' | 'day';
const isPart = (type: string): type is Part => ['year', 'month', 'day'].includes(type);
const NAMES = {
  en: { year: 'yyyy', month: 'mm', day: 'dd' },
  zh: { year: '年', month: '月', day: '日' },
} as const;
const YEAR_FIRST: readonly Part[] = ['year', 'month', 'day'];
const CENTURY = '20';
const DAY = /^20\d\d-\d\d-\d\d$/;

/** Whether a text is a day of this century in ISO 8601. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** @param tag the language of the browser, with its region. */
export function enteredDays(language: Language, tag?: string): EnteredDays {
  const format = new Intl.DateTimeFormat(dateLocaleOf(language, tag), {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' },
  });
  const parts = format.formatToParts(0);
  const order = parts.map(({ type }) => type).filter(isPart);
  const names = NAMES[language === 'en' ? 'en' : 'zh'];
  return {
    pattern: parts.map(({ type, value }) => (isPart(type) ? names[type] : value)).join(''),
    write: (day) => format.format(Date.parse(day)),
    read: (text) => {
      const groups = text.normalize('NFKC').match(/\d+/g) ?? [];
      const [only = '', ...others] = groups;
      const digits = others.length === 0 ? cut(only, order) : groups;
      const wanted = digits[0]?.length === 4 ? YEAR_FIRST : order;
      if (digits.length !== wanted.length) return null;
      const value = (part: Part): string => (digits[wanted.indexOf(part)] ?? '').padStart(2, '0');
      const year = value('year');
      const day = [year.length === 2 ? CENTURY + year : year, value('month'), value('day')].join(
        '-',
      );
      return isDay(day) ? day : null;
    },
  };
}

/**
 * Splits eight digits without separators into year, month and day. Returns an empty array for
 * another number of digits.
 */
function cut(digits: string, order: readonly Part[]): readonly string[] {
  if (digits.length !== 8) return [];
  const parts = digits.startsWith(CENTURY) ? YEAR_FIRST : order;
  let at = 0;
  return parts.map((part) => {
    const length = part === 'year' ? 4 : 2;
    at += length;
    return digits.slice(at - length, at);
  });
}
