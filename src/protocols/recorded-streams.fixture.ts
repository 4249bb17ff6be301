/**
 * Reads the streams in a dialect's `fixtures/`: what an upstream sent, and what a caller must get.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { AnswerFacts, CostFields, StreamPass } from './dialect.ts';
import { NO_QUIRKS } from './quirks.ts';
import type { AnswerContext, StreamContext } from './translator.ts';

export const FIXTURE_COST: CostFields = {
  usd: '0.0001234',
  exact: '0.000123400',
  currency: 'USD',
  estimated: null,
};

export const ANSWER_CONTEXT: AnswerContext = {
  requestId: 'req_01JD',
  createdSeconds: 1_790_000_000,
  quirks: NO_QUIRKS,
};

export const STREAM_CONTEXT: StreamContext = {
  ...ANSWER_CONTEXT,
  model: 'gen-opus-4-8',
  includeUsage: true,
  maxEventBytes: 64 * 1024,
  estimatedInput: 10,
  response: null,
};

export type RecordedStreams = {
  readonly names: () => readonly string[];
  /** Returns the bytes that the upstream sent. */
  readonly upstreamBytes: (name: string) => Uint8Array;
  /**
   * Returns the bytes that a caller must get. If usage is optional in the dialect, the caller has
   * requested it.
   */
  readonly callerBytes: (name: string) => Uint8Array;
};

export function recordedStreams(folder: URL): RecordedStreams {
  const read = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(file, folder)));
  return {
    names: () =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.out.sse'))
        .map((file) => file.slice(0, -'.out.sse'.length))
        .sort(),
    upstreamBytes: (name) => read(`${name}.sse`),
    callerBytes: (name) => read(`${name}.out.sse`),
  };
}

export type Passed = {
  /** Everything that was sent to the caller, closing events included. */
  readonly text: string;
  /** The part of `text` that `finish` added. */
  readonly closing: string;
  readonly facts: AnswerFacts;
  readonly ended: boolean;
};

/** Sends the chunks through a stream pass, as the relay does. */
export function passChunks(pass: StreamPass, chunks: readonly (Uint8Array | string)[]): Passed {
  const pieces = chunks.map((chunk) => {
    const own = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk.slice();
    const out = pass.push(own).slice();
    // Overwrites the chunk, since the network may reuse its memory after `push`.
    own.fill(0x58);
    return out;
  });
  const closing = pass.ended ? pass.finish(FIXTURE_COST) : new Uint8Array(0);
  return {
    text: Buffer.concat([...pieces, closing]).toString(),
    closing: Buffer.from(closing).toString(),
    facts: pass.facts,
    ended: pass.ended,
  };
}
