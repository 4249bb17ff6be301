/**
 * The nonce that allows style elements created by scripts. The gateway generates one for each page
 * and names it in the content security policy.
 */
import { setNonce } from 'get-nonce';

/** The nonce. It is empty in development, where no content security policy applies. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Dialogs lock scrolling with a style element, which gets its nonce from `get-nonce`. */
setNonce(styleNonce());
