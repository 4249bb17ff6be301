/**
 * The nonce that allows style elements created by scripts. The gateway generates one for each page
 * and names it in the content security policy.
 */
import { setNonce } from 'get-nonce';

/** The nonce; empty in development, where no policy applies. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** The scroll lock of dialogs adds a style element with the nonce that `get-nonce` stores. */
setNonce(styleNonce());
