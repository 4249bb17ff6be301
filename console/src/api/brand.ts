/** The brand under which the console is shown, which the gateway writes into the page. */
import { useQuery } from '@tanstack/react-query';
import { type Session, sessionQuery } from './session.ts';

export const siteName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? 'Modelgate';

/** The address of the logo: the product's own, or that of the operator. */
export const logoAddress = (): string =>
  document.querySelector('link[rel="icon"]')?.getAttribute('href') ?? '';

/** What the operator adds to the console: links, and what is announced now. */
export const useBrand = (): Session['brand'] | undefined => useQuery(sessionQuery).data?.brand;
