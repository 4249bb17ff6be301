/** Link targets that an answer may use. Model output is untrusted. */

const SCHEMES = ['http:', 'https:', 'mailto:'] as const;

/** @returns the address when it is an absolute web or e-mail address, otherwise null. */
export function linkTarget(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && SCHEMES.some((scheme) => scheme === url.protocol) ? url.href : null;
}
