/** Reads the streams in `fixtures/`, for the tests of this folder. */
import { NO_QUIRKS } from '../quirks.ts';
import { type Passed, passChunks, recordedStreams } from '../recorded-streams.fixture.ts';
import type { ResponseStream } from './response-stream.ts';
import { openResponsesStream } from './stream-pass.ts';

export const FIXTURE_MODEL = 'gen-6-sol';
export const FIXTURE_ECHO = new Map([['prompt_cache_key', '"thread-1"']]);
export const recorded = recordedStreams(new URL('./fixtures/', import.meta.url));

export const openFixtureStream = (response: ResponseStream | null = null) =>
  openResponsesStream({
    response,
    model: FIXTURE_MODEL,
    maxEventBytes: 64 * 1024,
    quirks: NO_QUIRKS,
    echo: FIXTURE_ECHO,
  });

/** Sends the chunks through a stream pass, as the relay does. */
export const passThrough = (...chunks: readonly (Uint8Array | string)[]): Passed =>
  passChunks(openFixtureStream(), chunks);

/** Returns one event as a correct upstream sends it. */
export const eventText = (json: { readonly type: string }): string =>
  `event: ${json.type}\ndata: ${JSON.stringify(json)}\n\n`;
