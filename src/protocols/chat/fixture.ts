/** The streams in `fixtures/`, for the tests of this room. */
import { readdirSync, readFileSync } from 'node:fs';
import type { AnswerFacts, CostFields } from '../dialect.ts';
import { openChatStream } from './stream-pass.ts';

const FOLDER = new URL('./fixtures/', import.meta.url);

export const FIXTURE_MODEL = 'gen-v4-pro';
export const FIXTURE_COST: CostFields = { usd: '0.0001234', exact: '0.000123400', currency: 'USD' };

export const fixtureNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.out.sse'))
    .map((file) => file.slice(0, -'.out.sse'.length))
    .sort();

/** What the upstream sent. */
export const upstreamBytes = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`${name}.sse`, FOLDER)));

/** What a caller who asked for usage must get. */
export const callerBytes = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`${name}.out.sse`, FOLDER)));

export type Passed = {
  /** Everything that went out, closing events included. */
  readonly text: string;
  /** What `finish` added to it. */
  readonly closing: string;
  readonly facts: AnswerFacts;
  readonly ended: boolean;
};

/** Sends the chunks through a stream pass, as the relay does. */
export function passThrough(
  chunks: readonly (Uint8Array | string)[],
  { includeUsage = true }: { readonly includeUsage?: boolean } = {},
): Passed {
  const pass = openChatStream({ model: FIXTURE_MODEL, includeUsage, maxEventBytes: 64 * 1024 });
  const pieces = chunks.map((chunk) => {
    const own = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk.slice();
    const out = pass.push(own).slice();
    // Whoever owns the chunk may use its memory again.
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

/** The JSON of each event in a stream as it is sent, the end mark as a string. */
export const chunksOf = (text: string): readonly unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
