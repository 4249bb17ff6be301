/** Formats dates, times and numbers for the person's language, region and time zone. */
import type { Language } from './languages.ts';
import { dateLocaleOf, numberLocaleOf } from './region.ts';
import { useLanguage } from './texts.ts';
import { useTimeZone } from './time-zone.ts';
import { dayIn, startOfDay } from './zoned-days.ts';

export type Formats = {
  /** Formats a list, such as Text, Image, File. */
  readonly list: (items: readonly string[]) => string;
  /** Joins a name and its value, such as Model: gpt-5. */
  readonly pair: (name: string, value: string) => string;
  /** Formats a number with all digits, such as 12,345 or −3. */
  readonly count: (value: number) => string;
  /** Formats a number in short form, such as 12.34K in every language. */
  readonly compact: (value: number) => string;
  /** Formats a fraction as a percentage: 0.123 becomes 12.3%. */
  readonly percent: (value: number) => string;
  /** Formats the date in the time zone, such as Nov 21, 2026. */
  readonly date: (iso: string) => string;
  /** Formats the date and the time to the second. */
  readonly time: (iso: string) => string;
  /** Formats the date and time to the minute, such as Nov 21, 05:43, in narrow columns. */
  readonly shortTime: (iso: string) => string;
  /** Formats a start and an end: Nov 21 – 22, 2026. Whole days are shown without times. */
  readonly span: (fromMs: number, toMs: number) => string;
  /** Formats the time relative to now, such as 3 minutes ago or in 2 days. */
  readonly ago: (iso: string) => string;
  /** Formats a duration, such as 850 ms, 1.24 s or 2 min 5 s. */
  readonly duration: (ms: number) => string;
};

const MINUS = '\u2212';
const CLOCK = { hourCycle: 'h23' } as const;
const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** @param timeZone the zone of the times. Default: the person's. */
export function useFormats(timeZone?: string): Formats {
  const [language] = useLanguage();
  const own = useTimeZone();
  return formatsOf(language, timeZone ?? own);
}

const made = new Map<string, Formats>();

/** Creates the formats of a language. @param tag the language of the browser, with its region. */
export function formatsOf(language: Language, timeZone: string, tag?: string): Formats {
  const name = [language, timeZone, tag].join();
  const known = made.get(name);
  if (known !== undefined) return known;
  const formats = { ...numberFormats(language, tag), ...timeFormats(language, timeZone, tag) };
  made.set(name, formats);
  return formats;
}

function numberFormats(language: Language, tag: string | undefined) {
  const number = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(numberLocaleOf(language, tag), options);
    return (value: number): string => format.format(value).replace('-', MINUS);
  };
  const count = number({});
  const decimals = number({ maximumFractionDigits: 2 });
  // The industry writes 128K and 16.98M in every language, so Chinese does not use 万 here.
  const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
  return {
    count,
    compact: (value: number) => compact.format(value),
    percent: number({ style: 'percent', maximumFractionDigits: 1 }),
    duration: (ms: number) => {
      // Rounds before choosing the unit, so that 60 s never appears.
      const whole = Math.round(ms);
      if (whole < 1000) return `${count(whole)} ms`;
      const hundredths = Math.round(ms / 10);
      if (hundredths < 6_000) return `${decimals(hundredths / 100)} s`;
      const seconds = Math.round(ms / 1000);
      return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    },
  };
}

function timeFormats(language: Language, timeZone: string, tag: string | undefined) {
  const locale = dateLocaleOf(language, tag);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  // In Chinese, the medium style (2026年11月22日) is too wide for a column; the short style is
  // 2026/11/22.
  const isZh = locale.startsWith('zh');
  const dateStyle = isZh ? 'short' : 'medium';
  const date = format({ dateStyle });
  const time = format({ dateStyle, timeStyle: 'medium', ...(isZh ? CLOCK : {}) });
  const dayAndMonth = isZh
    ? ({ month: '2-digit', day: '2-digit' } as const)
    : ({ month: 'short', day: 'numeric' } as const);
  const hours = { hour: '2-digit', minute: '2-digit', ...CLOCK } as const;
  const shortTime = format({ ...dayAndMonth, ...hours });
  const shortTimeOfYear = format({ ...dayAndMonth, ...hours, year: 'numeric' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const list = new Intl.ListFormat(locale, { style: 'narrow' });
  const yearOf = (ms: number): string => dayIn(timeZone, ms).slice(0, 4);
  return {
    list: (items: readonly string[]) => list.format(items),
    pair: (name: string, value: string) => `${name}${isZh ? '：' : ': '}${value}`,
    date: (iso: string) => date.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    // The year is shown only if it is not the current year.
    shortTime: (iso: string) => {
      const ms = Date.parse(iso);
      return (yearOf(ms) === yearOf(Date.now()) ? shortTime : shortTimeOfYear).format(ms);
    },
    span: (fromMs: number, toMs: number) => {
      const isDays = [fromMs, toMs].every((ms) => startOfDay(timeZone, dayIn(timeZone, ms)) === ms);
      return isDays
        ? date.formatRange(fromMs, toMs - 1)
        : shortTimeOfYear.formatRange(fromMs, toMs);
    },
    ago: (iso: string) => {
      const seconds = (Date.parse(iso) - Date.now()) / 1000;
      const index = STEPS.findIndex(([, step], at) => {
        const [, smaller] = STEPS[at + 1] ?? ['second', 1];
        return Math.round(Math.abs(seconds) / smaller) * smaller >= step;
      });
      const [unit, length] = STEPS[index] ?? ['second', 1];
      const text = relative.format(Math.round(seconds / length), unit);
      // Adds the space that the console puts between a number and a Chinese word.
      return isZh ? text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ') : text;
    },
  };
}
