/** Returns the low digits of a CRC-32 in the given alphabet, which detect typos without a query. */
export function crcChecksum(text: string, alphabet: string, length: number): string {
  let rest: number = Bun.hash.crc32(text);
  let letters = '';
  for (let i = 0; i < length; i++) {
    letters = alphabet.charAt(rest % alphabet.length) + letters;
    rest = Math.floor(rest / alphabet.length);
  }
  return letters;
}
