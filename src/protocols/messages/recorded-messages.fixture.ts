/** Reads the streams in `fixtures/`, for the tests of this folder. */
import { NO_QUIRKS } from '../quirks.ts';
import { type Passed, passChunks, recordedStreams } from '../recorded-streams.fixture.ts';
import { openMessagesStream } from './stream-pass.ts';

export const FIXTURE_MODEL = 'gen-opus-4-8';
export const recorded = recordedStreams(new URL('./fixtures/', import.meta.url));

/** Sends the chunks through a stream pass, as the relay does. */
export function passThrough(...chunks: readonly (Uint8Array | string)[]): Passed {
  const pass = openMessagesStream({
    model: FIXTURE_MODEL,
    maxEventBytes: 64 * 1024,
    quirks: NO_QUIRKS,
  });
  return passChunks(pass, chunks);
}

/** Returns one event as a correct upstream sends it. */
export const eventText = (json: { readonly type: string }): string =>
  `event: ${json.type}\ndata: ${JSON.stringify(json)}\n\n`;
