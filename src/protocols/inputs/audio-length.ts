/** Computes the maximum duration of audio from the size and header of the file. */

/** The lowest bit rate of speech in any common format, 6 kbit/s, in bytes per second. */
const MIN_BYTES_PER_SECOND = 750;
const WAV_HEADER_BYTES = 12;

/**
 * Returns the maximum duration in seconds of a file of `totalBytes`.
 * @param bytes the first bytes of the file.
 */
export const audioSeconds = (bytes: Buffer, totalBytes: number): number =>
  Math.ceil(totalBytes / (wavBytesPerSecond(bytes) ?? MIN_BYTES_PER_SECOND));

/**
 * Returns the bytes per second of a WAV file; null if it is not PCM. The header states this rate,
 * and also the sample rate, from which it can be computed. If the two differ, returns the lower
 * one, because it yields the longer duration.
 */
function wavBytesPerSecond(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') return null;
  for (let at = WAV_HEADER_BYTES; at + 24 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    if (name === 'fmt ') {
      const stated = bytes.readUInt32LE(at + 16);
      const samples = bytes.readUInt32LE(at + 12) * bytes.readUInt16LE(at + 20);
      const isPcm = [1, 3].includes(bytes.readUInt16LE(at + 8));
      return isPcm && stated > 0 && samples > 0 ? Math.min(stated, samples) : null;
    }
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2);
  }
  return null;
}
