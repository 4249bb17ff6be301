/** Determines the page to open after the sign-in. Only pages of the console are allowed. */

/**
 * Returns `next` if it is a path of the console, such as `/requests?model=gen-v4`, otherwise the
 * overview. `next` is untrusted, because anyone can send a link with it. A path may not begin with
 * `//` or `/\`, which browsers treat as another site.
 */
export function ownPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) ? next : '/';
}
