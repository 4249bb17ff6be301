/**
 * Compares entity tags. A caller lists the versions that it has, and gets a 304 if one is current.
 */

/**
 * Whether `If-None-Match` matches this tag, as RFC 9110 defines it: weak comparison, a list, or
 * `*`.
 */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', weak(etag)].includes(weak(each.trim())));

const weak = (etag: string): string => etag.replace(/^W\//, '');
