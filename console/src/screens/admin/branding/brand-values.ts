/** The fields of the branding form, and their conversion from and to the configuration. */
import { asObject, type JsonObject } from '#api/json.ts';
import { dayIn, lastSecondOf, startOfDay } from '#i18n/zoned-days.ts';

export type BrandValues = {
  readonly name: string;
  /** The logo: an SVG as text, or a PNG as a `data:` URL; empty for none. */
  readonly logo: string;
  readonly accent: string;
  readonly accent_dark: string;
  readonly support_url: string;
  readonly terms_en: string;
  readonly terms_zh: string;
  readonly privacy_en: string;
  readonly privacy_zh: string;
  readonly announcement_en: string;
  readonly announcement_zh: string;
  readonly level: string;
  /**
   * The first and the last day of the announcement in the person's time zone; empty for no limit.
   */
  readonly from: string;
  readonly until: string;
  readonly dismissible: boolean;
};

/** Maps the path of each setting to the field that shows its errors. */
const FIELDS: Readonly<Record<string, keyof BrandValues>> = {
  'announcement.text.en': 'announcement_en',
  'announcement.text.zh': 'announcement_zh',
  'announcement.level': 'level',
  'announcement.from': 'from',
  'announcement.until': 'until',
  'terms.en': 'terms_en',
  'terms.zh': 'terms_zh',
  'privacy.en': 'privacy_en',
  'privacy.zh': 'privacy_zh',
  name: 'name',
  logo: 'logo',
  accent: 'accent',
  accent_dark: 'accent_dark',
  support_url: 'support_url',
};

/** Returns the form field for a path such as `brand.terms.en`; null for other paths. */
export const fieldOf = (path: string): keyof BrandValues | null =>
  FIELDS[path.replace(/^brand\./, '')] ?? null;

/** Converts the configured brand to the form's fields. A null brand gives empty fields. */
export function valuesOf(brand: unknown, timeZone: string): BrandValues {
  const at = (...keys: readonly string[]): unknown =>
    keys.reduce<unknown>((value, key) => asObject(value)?.[key], brand);
  const text = (...keys: readonly string[]): string => {
    const value = at(...keys);
    return typeof value === 'string' ? value : '';
  };
  const day = (key: string): string => {
    const ms = Date.parse(text('announcement', key));
    return Number.isNaN(ms) ? '' : dayIn(timeZone, ms);
  };
  return {
    name: text('name'),
    logo: text('logo'),
    accent: text('accent'),
    accent_dark: text('accent_dark'),
    support_url: text('support_url'),
    terms_en: text('terms', 'en'),
    terms_zh: text('terms', 'zh'),
    privacy_en: text('privacy', 'en'),
    privacy_zh: text('privacy', 'zh'),
    announcement_en: text('announcement', 'text', 'en'),
    announcement_zh: text('announcement', 'text', 'zh'),
    level: text('announcement', 'level') || 'info',
    from: day('from'),
    until: day('until'),
    dismissible: at('announcement', 'dismissible') !== false,
  };
}

/**
 * Returns a merge patch that turns the configured brand into these values. Null removes a setting.
 * An unchanged day keeps its configured time of day.
 */
export function patchOf(brand: unknown, values: BrandValues, timeZone: string): JsonObject {
  const before = valuesOf(brand, timeZone);
  const isChanged = (...fields: readonly (keyof BrandValues)[]): boolean =>
    fields.some((field) => values[field] !== before[field]);
  const given = (text: string): string | null => (text.trim() === '' ? null : text);
  const translated = (en: string, zh: string) =>
    given(en) === null && given(zh) === null ? null : { en: en.trim(), zh: given(zh) };
  const single = ['name', 'logo', 'accent', 'accent_dark', 'support_url'] as const;
  const patch: JsonObject = Object.fromEntries(
    single.filter((field) => isChanged(field)).map((field) => [field, given(values[field].trim())]),
  );
  const pages = (['terms', 'privacy'] as const)
    .filter((page) => isChanged(`${page}_en`, `${page}_zh`))
    .map((page) => [page, translated(values[`${page}_en`], values[`${page}_zh`])]);
  return {
    brand: { ...patch, ...Object.fromEntries(pages), ...announcementPatch() },
  };

  function announcementPatch(): JsonObject {
    const ofIt = ['announcement_en', 'announcement_zh', 'level', 'from', 'until'] as const;
    if (!isChanged(...ofIt, 'dismissible')) return {};
    const text = translated(values.announcement_en, values.announcement_zh);
    if (text === null) return { announcement: null };
    const { level, from, until, dismissible } = values;
    return {
      announcement: {
        text,
        level,
        dismissible,
        ...(isChanged('from') ? { from: momentOf(from, startOf) } : {}),
        ...(isChanged('until') ? { until: momentOf(until, lastSecondOf) } : {}),
      },
    };
  }

  function momentOf(day: string, of: (zone: string, day: string) => string): string | null {
    return day === '' ? null : of(timeZone, day);
  }
}

const startOf = (timeZone: string, day: string): string =>
  new Date(startOfDay(timeZone, day)).toISOString();
