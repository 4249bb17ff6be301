/** Entity tags: a caller names the versions it has, and gets a 304 when one of them is current. */

/** Matches `If-None-Match` as RFC 9110 defines it: weak comparison, a list, or `*`. */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', weak(etag)].includes(weak(each.trim())));

const weak = (etag: string): string => etag.replace(/^W\//, '');
