/** Reads the recorded streams in `fixtures/`, for the tests of this folder. */
import { NO_QUIRKS } from '../quirks.ts';
import { type Passed, passChunks, recordedStreams } from '../recorded-streams.fixture.ts';
import { openChatStream } from './stream-pass.ts';

export const FIXTURE_MODEL = 'gen-v4-pro';
export const recorded = recordedStreams(new URL('./fixtures/', import.meta.url));

/**
 * Rewrites the chunks of an upstream's stream for a caller, with the same stream pass that the
 * relay uses.
 */
export function passThrough(
  chunks: readonly (Uint8Array | string)[],
  { includeUsage = true }: { readonly includeUsage?: boolean } = {},
): Passed {
  const pass = openChatStream({
    requestId: 'req_01X',
    createdSeconds: 1_790_000_000,
    model: FIXTURE_MODEL,
    includeUsage,
    maxEventBytes: 64 * 1024,
    quirks: NO_QUIRKS,
  });
  return passChunks(pass, chunks);
}

/** Returns the parsed JSON of each event in a stream. The end mark is returned as a string. */
export const chunksOf = (text: string): readonly unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
