/**
 * Images, documents and audio files for tests. They have a header with the values that a test
 * needs, but no content.
 */
import { deflateSync } from 'node:zlib';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(24);
  header.set(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'));
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, Buffer.alloc(600)]);
}

/** Makes a GIF. @param frames the sizes of its frames, if they differ from its screen. */
export function gif(
  width: number,
  height: number,
  frames: readonly (readonly [width: number, height: number])[] = [[width, height]],
): Buffer {
  const header = Buffer.concat([bytes('GIF89a'), Buffer.alloc(7 + 6)]);
  header.writeUInt16LE(width, 6);
  header.writeUInt16LE(height, 8);
  // The colors of the image: a table of two.
  header[10] = 0x80;
  const drawn = frames.map(([frameWidth, frameHeight]) => {
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0]);
    frame.writeUInt16LE(frameWidth, 5);
    frame.writeUInt16LE(frameHeight, 7);
    return frame;
  });
  const control = Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...drawn.flatMap((frame) => [control, frame]), bytes(';')]);
}

/**
 * Makes a JPEG.
 * @param before the number of bytes of metadata before the frame header, such as a thumbnail.
 */
export function jpeg(width: number, height: number, before = 0): Buffer {
  const segment = Buffer.alloc(4 + before);
  segment.set([0xff, 0xe1]);
  segment.writeUInt16BE(2 + before, 2);
  const frame = Buffer.alloc(19);
  frame.set([0xff, 0xc0, 0, 17, 8]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), segment, frame]);
}

export function webp(width: number, height: number): Buffer {
  const header = Buffer.concat([bytes('RIFF\0\0\0\0WEBPVP8X'), Buffer.alloc(14)]);
  header.writeUIntLE(width - 1, 24, 3);
  header.writeUIntLE(height - 1, 27, 3);
  return header;
}

/**
 * Makes a PDF.
 * @param objects the page tree as PDF objects.
 * @param compressed whether the objects are in an object stream.
 * @param entries the first entries of the object stream's dictionary.
 */
export function pdf(objects: string, compressed = false, entries = '/Type /ObjStm'): Buffer {
  if (!compressed) return bytes(`%PDF-1.4\n${objects}\ntrailer`);
  const content = deflateSync(bytes(objects)).toString('latin1');
  const stream = `1 0 obj\n<<${entries} /Filter /FlateDecode>>\nstream\n${content}\nendstream`;
  return bytes(`%PDF-1.7\n${stream}\ntrailer`);
}

/**
 * Makes a WAV file.
 * @param bytesPerSecond the byte rate in the header, which may contradict the sample rate.
 */
export function wav(sampleRate: number, seconds: number, bytesPerSecond = 2 * sampleRate): Buffer {
  const header = Buffer.concat([bytes('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(28)]);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(bytesPerSecond, 28);
  header.writeUInt16LE(2, 32);
  return Buffer.concat([header, Buffer.alloc(2 * sampleRate * seconds)]);
}
