import { describe, expect, spyOn, test } from 'bun:test';
import type { StreamPass } from './dialect.ts';
import { NO_QUIRKS } from './quirks.ts';
import { openResponsesStream } from './responses/stream-pass.ts';
import { encodeEvent } from './sse.ts';

const CHUNK_BYTES = 16 * 1024;
const LIMITS = { model: 'm', maxEventBytes: 64_000_000, quirks: NO_QUIRKS } as const;

function begunPass(): StreamPass {
  const pass = openResponsesStream({ ...LIMITS, response: null, echo: new Map() });
  const created = { type: 'response.created', response: { id: 'r', output: [] } };
  pass.push(encodeEvent(created.type, JSON.stringify(created)));
  return pass;
}

/** Pushes an event without its blank line. Returns the length of each text that was parsed. */
function parsedLengths(pass: StreamPass, json: object, name: string): readonly number[] {
  const bytes = encodeEvent(name, JSON.stringify(json)).subarray(0, -2);
  const parse = spyOn(JSON, 'parse');
  try {
    for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES)
      pass.push(bytes.subarray(at, at + CHUNK_BYTES));
    return parse.mock.calls.map(([text]) => text.length);
  } finally {
    parse.mockRestore();
  }
}

const ending = (instructions: string) => ({
  type: 'response.completed',
  response: { id: 'r', status: 'completed', output: [], instructions },
});

describe('an unfinished event', () => {
  test.each(['response.in_progress', 'response.completed'])(
    'is parsed only when it may be whole: %s',
    (type) => {
      const pass = begunPass();
      const json = { ...ending('字'.repeat(1_400_000)), type };
      const isEnd = type === 'response.completed';
      expect(parsedLengths(pass, json, type)).toHaveLength(isEnd ? 1 : 0);
      expect(pass.ended).toBe(isEnd);
    },
  );

  test('that looks whole after every chunk is parsed in linear time', () => {
    const length = 4_000_000;
    const lengths = parsedLengths(begunPass(), ending('}'.repeat(length)), 'response.completed');
    expect(lengths.reduce((sum, each) => sum + each, 0)).toBeLessThan(7 * length);
  });

  test('ends the stream if its type is its last member', () => {
    const pass = begunPass();
    const { type, response } = ending('字'.repeat(100_000));
    pass.push(encodeEvent(null, JSON.stringify({ response, type })).subarray(0, -2));
    expect(pass.ended).toBe(true);
  });
});
