/** Entity tags: a caller names the copies it has, and is told when one of them still holds. */

/** Compares as RFC 9110 says for `If-None-Match`: weakly, in a list, or with any. */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', weak(etag)].includes(weak(each.trim())));

const weak = (etag: string): string => etag.replace(/^W\//, '');
