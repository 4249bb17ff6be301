/** Calculates the maximum duration of audio from its size and header. */

/** The lowest bit rate of speech in any format in use, in bytes per second: 6 kbit/s. */
const MIN_BYTES_PER_SECOND = 750;
const WAV_HEADER_BYTES = 12;

/** Returns the maximum duration, in seconds, of a file of `totalBytes` that begins with `bytes`. */
export const audioSeconds = (bytes: Buffer, totalBytes: number): number =>
  Math.ceil(totalBytes / (wavBytesPerSecond(bytes) ?? MIN_BYTES_PER_SECOND));

/**
 * Returns the byte rate of a WAV; null if it is not PCM. Of the rate in the header and the rate
 * calculated from the samples, the lower counts, because it gives the longer duration.
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
