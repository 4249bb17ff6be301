/** Tells the bytes of a picture or a file, which stand in JSON as base64, from prose. */
import type { Span } from '../json/scan.ts';

/** How much of a long string is looked at in each place, to tell a payload from prose. */
const SAMPLE_BYTES = 200;
const SPACE = 0x20;

/**
 * Beginning, middle and end must look like base64, and no space may stand in between: text that only
 * begins like a payload would be held for as one picture, and cost its operator the rest.
 */
export function isPayload(bytes: Uint8Array, { start, end }: Span): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const last = content.byteLength - SAMPLE_BYTES;
  const header = /^data:[\w.+-]+\/[\w.+-]+;base64,/.exec(sampleAt(content, 0))?.[0] ?? '';
  const first = Math.min(header.length, last);
  if (content.includes(SPACE)) return false;
  return [first, Math.floor((first + last) / 2), last].every((at) =>
    /^[A-Za-z0-9+/_=\\-]+$/.test(sampleAt(content, at)),
  );
}

const sampleAt = (content: Buffer, at: number): string =>
  content.toString('latin1', Math.max(0, at), Math.max(0, at) + SAMPLE_BYTES);
