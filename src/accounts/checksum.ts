/**
 * The letters that tell a misspelt key or code from an unknown one: the low end of a CRC-32, written in
 * the alphabet of what it checks, so that no store is asked for junk.
 */
export function checkLetters(text: string, alphabet: string, length: number): string {
  let rest: number = Bun.hash.crc32(text);
  let letters = '';
  for (let i = 0; i < length; i++) {
    letters = alphabet.charAt(rest % alphabet.length) + letters;
    rest = Math.floor(rest / alphabet.length);
  }
  return letters;
}
