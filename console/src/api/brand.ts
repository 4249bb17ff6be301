/** The console's brand: the product's or the operator's. The gateway writes it into the page. */
import { useQuery } from '@tanstack/react-query';
import { type Session, sessionQuery } from './session.ts';

export const siteName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? 'Modelgate';

/** The URL of the logo: the product's own, or the operator's. */
export const logoAddress = (): string =>
  document.querySelector('link[rel="icon"]')?.getAttribute('href') ?? '';

/** The operator's additions to the console: links and current announcements. */
export const useBrand = (): Session['brand'] | undefined => useQuery(sessionQuery).data?.brand;
