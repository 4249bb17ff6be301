/**
 * Decodes base64 in place: writes the result over the encoded text, so that memory has no second
 * copy of a large image.
 */

/** The number of characters that are decoded at a time, a multiple of four. */
const CHUNK_CHARACTERS = 64 * 1024;
const COMMA = 0x2c;

/**
 * Decodes the base64 of a data URL in a JSON string, in which slashes may be escaped. Returns a
 * view of the same memory, or null if the base64 is invalid. The given bytes are overwritten in
 * both cases.
 */
export function base64InPlace(url: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (!(url.buffer instanceof ArrayBuffer)) throw new Error('the bytes are in shared memory');
  const bytes = new Uint8Array(url.buffer, url.byteOffset, url.byteLength);
  const text = Buffer.from(url.buffer, url.byteOffset, url.byteLength);
  let read = text.indexOf(COMMA) + 1;
  let written = 0;
  // The end of a chunk that is decoded with the next one: an incomplete group of four characters,
  // or half an escaped slash.
  let rest = '';
  while (read < text.byteLength) {
    const end = Math.min(read + CHUNK_CHARACTERS, text.byteLength);
    const characters = (rest + text.toString('latin1', read, end)).replaceAll('\\/', '/');
    const isLast = end === text.byteLength;
    const whole = isLast ? characters.length : characters.length - 4 - (characters.length % 4);
    rest = characters.slice(whole);
    const size = decodeInto(bytes.subarray(written, end), characters.slice(0, whole));
    if (size === null) return null;
    written += size;
    read = end;
  }
  return bytes.subarray(0, written);
}

function decodeInto(target: Uint8Array<ArrayBuffer>, base64: string): number | null {
  try {
    const { read, written } = target.setFromBase64(base64);
    return read === base64.length ? written : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
