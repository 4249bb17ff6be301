/** Determines the page to open after the sign-in, which is always part of the console. */

/**
 * Returns `next` if it is a path of the console, such as `/requests?model=gen-v4`, otherwise the
 * overview. Anyone can put a URL in a link, and browsers treat `//host` and `/\host` as
 * another site.
 */
export function ownPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : '/';
}
