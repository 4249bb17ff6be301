/** Checks the link targets of an answer, since model output is untrusted. */

const SCHEMES = ['http:', 'https:', 'mailto:'] as const;

/** Returns an address if it is an absolute web or email address, otherwise null. */
export function linkTarget(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && SCHEMES.some((scheme) => scheme === url.protocol) ? url.href : null;
}
