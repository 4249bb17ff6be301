/**
 * Computes values from the brand settings: the current announcement, the style sheet, and the
 * addresses of the logo and the pages.
 */
import { accentStyle } from './accent.ts';
import type { Announcement, Brand } from './brand-schema.ts';

/** The names of the public pages that an operator can write. URLs contain these names. */
export const BRAND_PAGES = ['terms', 'privacy'] as const;
export type BrandPage = (typeof BRAND_PAGES)[number];

export const LOGO_PATH = '/console/logo';

/** Returns the announcement; null if no announcement is shown at `nowMs`. */
export function announcementAt({ announcement }: Pick<Brand, 'announcement'>, nowMs: number) {
  if (announcement === null) return null;
  const { from, until } = announcement;
  const isEarly = from !== null && nowMs < Date.parse(from);
  const isLate = until !== null && nowMs >= Date.parse(until);
  return isEarly || isLate ? null : (announcement satisfies Announcement);
}

export const pagesIn = (brand: Pick<Brand, BrandPage>): readonly BrandPage[] =>
  BRAND_PAGES.filter((name) => brand[name] !== null);

/**
 * Returns the path of the logo, which contains the logo's version; null if the brand has no logo of
 * its own.
 */
export const logoPath = ({ logo }: Pick<Brand, 'logo'>): string | null =>
  logo === null ? null : `${LOGO_PATH}?v=${logo.version}`;

/** Returns the style sheet of the accent; null if the brand has no accent of its own. */
export const styleOf = ({ accent, accent_dark: dark }: Brand): string | null =>
  accent === null ? null : accentStyle(accent, dark ?? accent);

/**
 * The name, the color and the absolute URLs of a brand, for emails and other texts outside the
 * console.
 */
export type BrandWords = {
  readonly name: string;
  readonly accent: string | null;
  /** The URL of a PNG logo. Null for an SVG, because email programs do not display it. */
  readonly logoUrl: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
};

export function brandWords(brand: Brand, publicUrl: string): BrandWords {
  const page = (name: BrandPage) => (brand[name] === null ? null : `${publicUrl}/console/${name}`);
  return {
    name: brand.name,
    accent: brand.accent,
    logoUrl: brand.logo?.mediaType === 'image/png' ? `${publicUrl}${logoPath(brand)}` : null,
    supportUrl: brand.support_url,
    termsUrl: page('terms'),
    privacyUrl: page('privacy'),
  };
}
