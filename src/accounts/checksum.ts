/**
 * Detects a mistyped key or code without a query: the low end of
 * a CRC-32, in the alphabet of the text.
 */
export function crcChecksum(text: string, alphabet: string, length: number): string {
  let rest: number = Bun.hash.crc32(text);
  let letters = '';
  for (let i = 0; i < length; i++) {
    letters = alphabet.charAt(rest % alphabet.length) + letters;
    rest = Math.floor(rest / alphabet.length);
  }
  return letters;
}
