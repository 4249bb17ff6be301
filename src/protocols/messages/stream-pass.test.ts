import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NO_USAGE } from '../../money/usage.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { FIXTURE_COST } from '../recorded-streams.fixture.ts';
import { eventText, passThrough } from './recorded-messages.fixture.ts';
import { openMessagesStream } from './stream-pass.ts';

const message = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'gen-opus-4-8',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 1 },
};
const start = { type: 'message_start', message };
const blockStart = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'text', text: '' },
};
const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } };
const blockStop = { type: 'content_block_stop', index: 0 };
const messageDelta = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage: { output_tokens: 6 },
};
const stop = { type: 'message_stop' };
const ping = { type: 'ping' };

const stream = (...events: readonly { readonly type: string }[]): string =>
  events.map(eventText).join('');
const whole = [start, blockStart, delta, blockStop, messageDelta, stop];
const pricedUsage =
  '"usage":{"output_tokens":6,"cost":0.0001234,"cost_exact":"0.000123400","cost_currency":"USD"}';

describe('the rules that break clients when ignored', () => {
  test('rule 4: never sends id, retry, an event without data or empty data', () => {
    const { text } = passThrough(
      'id: 1\n\nretry: 3\n\nevent: ping\n\ndata:\n\n',
      eventText(start).replace('event:', 'id: 7\nretry: 9\nevent:'),
      stream(blockStart, delta, blockStop, messageDelta, stop),
    );
    expect(text).not.toMatch(/^(id|retry)|^event: \w+\n\n|^data: ?\n/m);
    expect(text).toStartWith(eventText(start));
  });

  test('rule 5: removes a byte order mark, and ends the last event with a blank line', () => {
    const { text } = passThrough(`\ufeff${stream(...whole)}`);
    expect(text).toStartWith('event: message_start');
    expect(text).toEndWith('data: {"type":"message_stop"}\n\n');
  });

  test('rule 7: names every event after its JSON type', () => {
    const nameless = stream(...whole).replaceAll(/^event: .*\n/gm, '');
    const misnamed = stream(...whole).replaceAll(/^event: .*$/gm, 'event: message');
    const { text } = passThrough(stream(...whole));
    expect(passThrough(nameless).text).toBe(text);
    expect(passThrough(misnamed).text).toBe(text);
  });

  test("rule 7: drops chat's end mark, named or not", () => {
    const marked = passThrough(
      stream(...whole.slice(0, -1)),
      'data: [DONE]\n\nevent: done\ndata: [DONE]\n\n',
      eventText(stop),
    );
    expect(marked).toEqual(passThrough(stream(...whole)));
  });

  test('rule 10: adds missing usage and empty content to message_start', () => {
    const { usage, content, ...bare } = message;
    const { text } = passThrough(eventText({ type: 'message_start', message: bare } as never));
    const sent = JSON.parse(text.split('data: ')[1] ?? '');
    expect(sent.message).toEqual({
      ...bare,
      content,
      usage: { input_tokens: 0, output_tokens: 0 },
    });
    expect(usage).toBeDefined();
  });

  test('rule 10: adds the counts that clients sum to message_start', () => {
    const lacking = { ...message, usage: { input_tokens: null, cache_read_input_tokens: 4 } };
    const { text, facts } = passThrough(
      eventText({ type: 'message_start', message: lacking } as never),
    );
    expect(JSON.parse(text.split('data: ')[1] ?? '').message.usage).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 4,
    });
    expect(facts.usage).toMatchObject({ input: 0, cacheRead: 4 });
  });

  test('rule 10: adds usage to any message_delta without one', () => {
    const { usage, ...bare } = messageDelta;
    const { text } = passThrough(stream(start, bare, bare, stop));
    expect(text).toContain(eventText({ ...bare, usage: { output_tokens: 1 } } as never));
    expect(text).toContain('"usage":{"output_tokens":1,"cost":0.0001234,');
    expect(usage).toBeDefined();
  });

  test.each([
    ['text', 'text', ''],
    ['thinking', 'thinking', ''],
    ['tool_use', 'input', {}],
  ])('rule 10: the start of a %s block gets a missing %s', (type, name, empty) => {
    const block = { type: 'content_block_start', index: 0, content_block: { type, id: 'x' } };
    const { text } = passThrough(stream(start, block));
    const repaired = { ...block, content_block: { type, id: 'x', [name]: empty } };
    expect(text).toBe(stream(start, repaired));
  });
});

describe('the event sequence', () => {
  test('rule 1: pings and unknown events before message_start are dropped', () => {
    const early = stream(ping, { type: 'from_the_future' });
    expect(passThrough(early, stream(...whole))).toEqual(passThrough(stream(...whole)));
  });

  test.each([blockStart, delta, blockStop, messageDelta, stop])(
    'rule 1: %p before message_start is a failure',
    (event) => {
      const { text, facts, ended } = passThrough(stream(event, ...whole));
      expect(text).toBe('');
      expect(ended).toBe(false);
      expect(facts.error?.message).toBe(`The upstream sent ${event.type} before message_start.`);
    },
  );

  test('rule 1: a second message_start is a failure', () => {
    const { text, facts } = passThrough(stream(start, start));
    expect(text).toBe(stream(start));
    expect(facts.error?.message).toContain('twice');
  });

  test('rule 3: later counts replace earlier ones unless they are null', () => {
    const usage = { input_tokens: null, cache_read_input_tokens: 40, output_tokens: 9 };
    const { facts } = passThrough(stream(start, { ...messageDelta, usage } as never));
    expect(facts.usage).toEqual({
      ...NO_USAGE,
      input: 12,
      cacheRead: 40,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 9,
    });
  });

  test('rule 7: message_stop without a stop reason is a failure', () => {
    const silent = { ...messageDelta, delta: { stop_reason: null } };
    const { ended, facts } = passThrough(stream(start, silent, stop));
    expect(ended).toBe(false);
    expect(facts.error?.message).toContain('without a stop reason');
  });

  test('rule 3: keeps a stop reason once it was sent', () => {
    const later = { ...messageDelta, delta: { stop_reason: null } };
    expect(passThrough(stream(start, messageDelta, later, stop)).facts.finishReason).toBe(
      'end_turn',
    );
  });

  test('rule 7: without message_stop the stream has not ended, and message_delta is held back', () => {
    const { text, ended } = passThrough(stream(...whole.slice(0, -1)));
    expect(ended).toBe(false);
    expect(text).toBe(stream(start, blockStart, delta, blockStop));
  });

  test('rule 7: message_stop without a message_delta is a failure, not a success', () => {
    const { ended, facts } = passThrough(stream(start, blockStart, delta, blockStop, stop));
    expect(ended).toBe(false);
    expect(facts.error?.message).toContain('without a stop reason');
  });

  test('rule 8: a ping may come anywhere, and does not delay the end', () => {
    const { text } = passThrough(stream(start, ping, blockStart, ping, delta, blockStop));
    expect(text).toBe(stream(start, ping, blockStart, ping, delta, blockStop));
    const closing = passThrough(stream(start, messageDelta, ping, stop)).closing;
    expect(closing).not.toContain('ping');
  });

  test('rule 9: sends an unknown event unchanged', () => {
    const odd = 'event: from_the_future\ndata: {"type":"from_the_future", "n": 1.0}\n\n';
    expect(passThrough(stream(start), odd).text).toBe(stream(start) + odd);
  });

  test('rule 10: reports an error as a fact, stops reading, and does not send it', () => {
    const error = {
      type: 'error',
      error: { type: 'api_error', message: 'Broke', details: { error_code: 'x1' } },
    };
    const { text, facts, ended } = passThrough(stream(start, error, delta, messageDelta, stop));
    expect(text).toBe(stream(start));
    expect(ended).toBe(false);
    expect(facts).toMatchObject({
      error: { type: 'api_error', code: 'x1', message: 'Broke' },
      outputBytes: 0,
    });
  });

  test('rule 10: reports an error without a name or a type', () => {
    const { facts } = passThrough(stream(start), 'data: {"error":{"message":"Broke"}}\n\n');
    expect(facts.error).toEqual({ type: null, code: null, message: 'Broke' });
  });
});

describe('what the gateway sets', () => {
  test("sets the caller's model name and keeps the rest of message_start", () => {
    const other = { ...start, message: { ...message, model: 'claude-opus-4-8', container: null } };
    const { text } = passThrough(stream(other));
    const repaired = { ...start, message: { ...other.message, model: 'gen-opus-4-8' } };
    expect(text).toBe(stream(repaired));
  });

  test('leaves later events unchanged when a model name has the same length', () => {
    const other = { ...start, message: { ...message, model: 'old-opus-4-8' } };
    expect(passThrough(stream(other, blockStart, delta)).text).toBe(
      stream(start, blockStart, delta),
    );
  });

  test('holds the last message_delta and message_stop until the cost is known', () => {
    const { text, closing } = passThrough(stream(...whole));
    expect(text).toBe(stream(start, blockStart, delta, blockStop) + closing);
    const { usage, ...rest } = messageDelta;
    const priced = `${JSON.stringify(rest).slice(0, -1)},${pricedUsage}}`;
    expect(closing).toBe(`event: message_delta\ndata: ${priced}\n\n${eventText(stop)}`);
    expect(usage).toBeDefined();
  });

  test("keeps the digits of the cost, and replaces an upstream's own", () => {
    const pass = openMessagesStream({
      model: 'gen-opus-4-8',
      maxEventBytes: 4096,
      quirks: NO_QUIRKS,
    });
    const usage = { output_tokens: 6, cost: 9 };
    pass.push(new TextEncoder().encode(stream(start, { ...messageDelta, usage } as never, stop)));
    const closing = Buffer.from(pass.finish({ ...FIXTURE_COST, usd: '0.00000000120' })).toString();
    expect(closing).toContain('"usage":{"output_tokens":6,"cost":0.00000000120,"cost_exact"');
    expect(closing).not.toContain('9');
  });

  test("sends the operator's cost in no event", () => {
    const costs = { cost: 9.75, cost_details: { upstream: 9.75 }, cost_in_usd_ticks: 975 };
    const priced = (event: { type: string; usage: object }) => ({
      ...event,
      usage: { ...event.usage, ...costs },
    });
    const first = { ...start, message: { ...message, usage: { ...message.usage, ...costs } } };
    const early = { ...messageDelta, usage: { output_tokens: 3 } };
    const { text, closing } = passThrough(stream(first, priced(early), priced(messageDelta), stop));
    expect(text).toBe(stream(start, early) + closing);
    expect(closing).toContain(pricedUsage);
    expect(text).not.toContain('975');
  });

  test('adds the cost to the last of several message_deltas, in order', () => {
    const early = { ...messageDelta, usage: { output_tokens: 3 } };
    const odd = { type: 'from_the_future' };
    const { text, closing } = passThrough(
      stream(start, early, odd, delta, messageDelta, odd, stop),
    );
    expect(text).toBe(stream(start, early, odd, delta) + closing);
    expect(closing.match(/^event: .*$/gm)).toEqual([
      'event: message_delta',
      'event: from_the_future',
      'event: message_stop',
    ]);
    expect(closing).toContain(pricedUsage);
  });
});

test('knows after the first event how the message is served, and the cache it writes', () => {
  const usage = {
    ...message.usage,
    cache_creation_input_tokens: 9,
    cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
    service_tier: 'priority',
    speed: 'fast',
    inference_geo: 'us',
  };
  const started = { type: 'message_start', message: { ...message, usage } };
  const served = { tier: 'priority', speed: 'fast', geo: 'us', responseId: 'msg_01' };
  expect(passThrough(eventText(started)).facts).toMatchObject({
    usage: { input: 12, cacheWrite5m: 4, cacheWrite1h: 5, output: 1 },
    served,
  });
  // The later event repeats neither the input tokens nor the split of cache writes, so the values
  // of the earlier event remain.
  const later = { ...messageDelta, usage: { cache_creation_input_tokens: 9, output_tokens: 6 } };
  expect(passThrough(stream(started, later)).facts).toMatchObject({
    usage: { input: 12, cacheWrite5m: 4, cacheWrite1h: 5, output: 6 },
    served,
  });
});

describe('limits', () => {
  test('started becomes true with the first bytes sent', () => {
    const pass = openMessagesStream({
      model: 'gen-opus-4-8',
      maxEventBytes: 4096,
      quirks: NO_QUIRKS,
    });
    const encoder = new TextEncoder();
    pass.push(encoder.encode(eventText(ping)));
    expect(pass.started).toBe(false);
    pass.push(encoder.encode(eventText(start)));
    expect(pass.started).toBe(true);
  });

  test('fails on an event that is not a JSON object, after sending what came before', () => {
    const { text, facts } = passThrough(`${stream(start)}event: x\ndata: {"half\n\n`);
    expect(text).toBe(stream(start));
    expect(facts.error?.message).toBe('The upstream sent an event that is not a JSON object.');
  });

  test('throws upstream_failed for an event above the limit', () => {
    const pass = openMessagesStream({
      model: 'gen-opus-4-8',
      maxEventBytes: 1000,
      quirks: NO_QUIRKS,
    });
    const long = new TextEncoder().encode(`event: x\ndata: {"a":"${'x'.repeat(2000)}`);
    expect(() => pass.push(long)).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
  });

  test('limits what is held back after message_delta', () => {
    const odd = { type: 'from_the_future', padding: 'x'.repeat(10_000) };
    const { facts, ended } = passThrough(
      stream(start, messageDelta, odd, odd, odd, odd, odd, odd, odd, stop),
    );
    expect(ended).toBe(false);
    expect(facts.error?.message).toContain('more data after its message_delta');
  });

  test('reads nothing after message_stop', () => {
    expect(passThrough(stream(...whole), 'data: nonsense\n\n', stream(...whole))).toEqual(
      passThrough(stream(...whole)),
    );
  });
});

describe('deltas recognized by a template', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 });
  const part = fc.oneof(
    word.map((text) => ({ type: 'text_delta', text })),
    word.map((thinking) => ({ type: 'thinking_delta', thinking })),
    word.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    word.map((signature) => ({ type: 'signature_delta', signature })),
  );
  const eventOf = (index: number, each: object): string =>
    eventText({ type: 'content_block_delta', ...{ index, delta: each } });

  test('are sent and counted as if each had been parsed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(2), part), { minLength: 1, maxLength: 30 }),
        (deltas) => {
          const events = deltas.map(([index, each]) => eventOf(index, each)).join('');
          const { text, facts } = passThrough(stream(start), events);
          expect(text.endsWith(events)).toBe(true);
          const written = deltas.flatMap(([, each]) =>
            Object.entries(each).flatMap(([key, value]) =>
              key === 'type' || key === 'signature' ? [] : [value],
            ),
          );
          expect(facts.outputBytes).toBe(Buffer.byteLength(written.join('')));
        },
      ),
      { seed: 20_261_123 },
    );
  });

  test('a delta after message_delta waits for its place, and counts against the limit', () => {
    const events = stream(start, delta, delta, messageDelta);
    const { text } = passThrough(events, stream(delta, messageDelta, stop));
    expect(text.indexOf('message_delta')).toBeLessThan(text.lastIndexOf('Hi'));
    const flood = passThrough(events, ...Array<string>(2_000).fill(eventText(delta)));
    expect(flood.facts.error?.message).toContain('more data after its message_delta');
  });

  test('a delta with another name than its type is corrected, an invalid one detected', () => {
    const misnamed = eventText(delta).replace('event: content_block_delta', 'event: delta');
    const { text } = passThrough(stream(start, delta, delta), misnamed);
    expect(text.endsWith(stream(delta, delta, delta))).toBe(true);
    const invalid = eventText(delta).replace('"Hi"', '"\\x"');
    const { facts } = passThrough(stream(start, delta, delta), invalid);
    expect(facts.error?.message).toContain('not a JSON object');
  });
});
