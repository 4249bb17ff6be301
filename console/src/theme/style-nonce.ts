/**
 * The nonce under which style elements made by scripts are let in. The gateway draws one for each page it
 * sends and names it in the page's content security policy.
 */
import { setNonce } from 'get-nonce';

/** Empty where no gateway sent the page: while developing, without a policy. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** The scroll lock behind dialogs makes a style element of its own, and asks this library for its nonce. */
setNonce(styleNonce());
