/**
 * The nonce that allows style elements created by scripts. The gateway generates one for each page
 * and names it in the content security policy.
 */
import { setNonce } from 'get-nonce';

/** Empty in development, where no policy applies. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** The scroll lock of dialogs adds a style element and asks this library for its nonce. */
setNonce(styleNonce());
