/** Where somebody is led after signing in: only ever to a page of the console. */

/**
 * `next` when it is a path inside of the console, such as `/requests?model=gen-v4`; else the overview. An
 * address in a link may be anybody's, and browsers read `//host` and `/\host` as another site.
 */
export function ownPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : '/';
}
