/** Compares entity tags: a caller that already has the current version gets a 304. */

/** Whether `If-None-Match`, a list of tags or `*`, matches this tag weakly (RFC 9110). */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((each) => ['*', weak(etag)].includes(weak(each.trim())));

const weak = (etag: string): string => etag.replace(/^W\//, '');
