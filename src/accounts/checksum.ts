/**
 * Returns the last `length` digits of the text's CRC-32, written in the given alphabet. The
 * checksum in a key or code detects typos without a query.
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
