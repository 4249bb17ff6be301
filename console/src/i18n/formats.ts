/** Formats dates, times and numbers for the person's language. */
import { LOCALES } from './languages.ts';
import { useLanguage } from './texts.ts';

export type Formats = {
  /** Formats a list, such as Text, Image, File. */
  readonly list: (items: readonly string[]) => string;
  /** Formats a number with all digits, such as 12,345. */
  readonly count: (value: number) => string;
  /** Formats a number in short form, such as 12.34K in every language. */
  readonly compact: (value: number) => string;
  /** Formats a fraction as a percentage: 0.123 becomes 12.3%. */
  readonly percent: (value: number) => string;
  /** Formats the local date, such as Nov 21, 2026. */
  readonly date: (iso: string) => string;
  /** Formats the local date and the time to the second. */
  readonly time: (iso: string) => string;
  /** Formats the local date and time to the minute, such as Nov 21, 05:43, in narrow columns. */
  readonly shortTime: (iso: string) => string;
  /** Formats the time relative to now, such as 3 minutes ago or in 2 days. */
  readonly ago: (iso: string) => string;
  /** Formats a duration, such as 850 ms, 1.24 s or 2 min 5 s. */
  readonly duration: (ms: number) => string;
};

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function useFormats(): Formats {
  const [language] = useLanguage();
  return formatsOf(LOCALES[language]);
}

const made = new Map<string, Formats>();

/**
 * Creates the formats of a language.
 * @param locale a language tag, such as `zh-CN`.
 */
export function formatsOf(locale: string): Formats {
  const known = made.get(locale);
  if (known !== undefined) return known;
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  const count = number({});
  // The industry writes 128K and 16.98M in every language, so Chinese does not use 万 here.
  const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
  const percent = number({ style: 'percent', maximumFractionDigits: 1 });
  const decimals = number({ maximumFractionDigits: 2 });
  // In Chinese, the medium style (2026年11月22日) is too wide for a column; the short style is
  // 2026/11/22.
  const isZh = locale.startsWith('zh');
  const dateStyle = isZh ? 'short' : 'medium';
  const date = new Intl.DateTimeFormat(locale, { dateStyle });
  const time = new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'medium' });
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const dayAndMonth = isZh
    ? ({ month: '2-digit', day: '2-digit' } as const)
    : ({ month: 'short', day: 'numeric' } as const);
  const shortTime = new Intl.DateTimeFormat(locale, { ...dayAndMonth, ...clock });
  const shortTimeOfYear = new Intl.DateTimeFormat(locale, {
    ...{ ...dayAndMonth, ...clock, year: 'numeric' },
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const list = new Intl.ListFormat(locale, { style: 'narrow' });
  const formats: Formats = {
    list: (items) => list.format(items),
    count: (value) => count.format(value),
    compact: (value) => compact.format(value),
    percent: (value) => percent.format(value).replace('-', '\u2212'),
    date: (iso) => date.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    // The year is shown only where it is not the present one.
    shortTime: (iso) => {
      const at = new Date(iso);
      const isNow = at.getFullYear() === new Date().getFullYear();
      return (isNow ? shortTime : shortTimeOfYear).format(at);
    },
    ago: (iso) => {
      const seconds = (Date.parse(iso) - Date.now()) / 1000;
      const at = STEPS.findIndex(([, length]) => Math.abs(seconds) >= length);
      const [unit, length] = STEPS[at] ?? ['second', 1];
      const rounded = Math.round(seconds / length);
      // What rounds to a whole larger unit is one of it: 59.9 minutes are an hour.
      const [larger, most] = STEPS[at === -1 ? STEPS.length - 1 : at - 1] ?? [unit, Infinity];
      return Math.abs(rounded) * length >= most
        ? relative.format(Math.sign(rounded), larger)
        : relative.format(rounded, unit);
    },
    duration: (ms) => {
      // Rounds before choosing the unit, so that 60 s never appears.
      const whole = Math.round(ms);
      if (whole < 1000) return `${count.format(whole)} ms`;
      const hundredths = Math.round(ms / 10);
      if (hundredths < 6_000) return `${decimals.format(hundredths / 100)} s`;
      const seconds = Math.round(ms / 1000);
      return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    },
  };
  made.set(locale, formats);
  return formats;
}
