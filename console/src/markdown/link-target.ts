/** Where a link in an answer may lead: what a model writes is not to be trusted with more. */

const SCHEMES = ['http:', 'https:', 'mailto:'] as const;

/** @returns the address when it is a whole one of the web or a mailbox, else null. */
export function linkTarget(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && SCHEMES.some((scheme) => scheme === url.protocol) ? url.href : null;
}
