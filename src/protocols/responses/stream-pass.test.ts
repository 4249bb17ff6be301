import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { GatewayError } from '../../errors.ts';
import { NO_USAGE } from '../../money/usage.ts';
import type { StreamPass } from '../dialect.ts';
import { FIXTURE_COST as cost } from '../recorded-streams.fixture.ts';
import { eventText, openFixtureStream, passThrough } from './recorded-responses.fixture.ts';
import { NO_SETTINGS } from './response-object.ts';
import { ResponseStream } from './response-stream.ts';

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const response = {
  id: 'resp_1',
  created_at: 1_795_320_000,
  status: 'in_progress',
  model: 'up-sol',
  output: [],
  store: false,
  usage: null,
};
const created: Event = { type: 'response.created', sequence_number: 0, response };
const delta: Event = { type: 'response.output_text.delta', sequence_number: 1, delta: 'Hi' };
const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 11,
};
const ending = (members: Readonly<Record<string, unknown>> = {}, name = 'completed'): Event => ({
  type: `response.${name}`,
  sequence_number: 2,
  response: { ...response, status: name, usage, ...members },
});
const call = (members: Readonly<Record<string, unknown>>): Event => ({
  type: 'response.output_item.done',
  output_index: 0,
  item: { id: 'ws_1', type: 'web_search_call', status: 'completed', ...members },
});

const stream = (...events: readonly Event[]): string => events.map(eventText).join('');
const sent = (text: string): readonly Event[] =>
  text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
const typesIn = (text: string): readonly string[] => sent(text).map(({ type }) => type);

describe('the response object', () => {
  test('has the model and the field values of the caller, and says that nothing is stored', () => {
    const given = { prompt_cache_key: 'digest', store: true, instructions: 'Be "brief".' };
    const start = { ...created, response: { ...response, ...given } };
    const { text } = passThrough(stream(start, delta, ending(given)));
    for (const at of [0, 2]) {
      expect(sent(text)[at]?.['response']).toMatchObject({
        model: 'gen-6-sol',
        prompt_cache_key: 'thread-1',
        store: false,
        instructions: 'Be "brief".',
      });
    }
    expect(text).not.toContain('up-sol');
  });

  test('has usage and cost only at the end', () => {
    const early = { ...created, response: { ...response, usage: { cost: 4.2 } } };
    const { text } = passThrough(stream(early, delta, ending()));
    expect(sent(text)[0]?.['response']).toMatchObject({ usage: null });
    expect(sent(text)[2]?.['response']).toMatchObject({
      usage: { ...usage, cost: 0.0001234, cost_exact: '0.000123400', cost_currency: 'USD' },
    });
  });

  test('is written with the cost only when the answer was charged', () => {
    const pass = openFixtureStream();
    const before = pass.push(new TextEncoder().encode(stream(created, delta, ending())));
    expect(typesIn(Buffer.from(before).toString())).toEqual([created.type, delta.type]);
    expect(typesIn(Buffer.from(pass.finish(cost)).toString())).toEqual(['response.completed']);
  });
});

describe('the order of events', () => {
  test.each([
    ['content', [delta]],
    ['an end', [ending()]],
    ['a state', [{ type: 'response.in_progress', response }]],
  ])('%s before response.created is an error', (_, events) => {
    const { text, facts } = passThrough(stream(...events, created));
    expect(text).toBe('');
    expect(facts.error?.message).toContain('before response.created');
  });

  test('keep-alives before response.created are dropped', () => {
    const early = [{ type: 'keepalive', sequence_number: 0 }, { type: 'ping' }];
    const whole = stream(created, delta, ending());
    expect(passThrough(stream(...early) + whole)).toEqual(passThrough(whole));
  });

  test('the keep-alives of other servers are dropped, and the own ones are sent', () => {
    const keepAlive = { type: 'keepalive', sequence_number: 1 };
    const others = [{ type: 'response.keep_alive' }, { type: 'ping' }];
    const { text } = passThrough(stream(created, ...others, keepAlive, delta));
    expect(typesIn(text)).toEqual([created.type, 'keepalive', delta.type]);
  });

  test('a second response.created is an error', () => {
    expect(passThrough(stream(created, created)).facts.error?.message).toContain('twice');
  });

  test('nothing is read after the end', () => {
    const { facts } = passThrough(stream(created, ending(), ending({ usage: null }), created));
    expect(facts.error).toBeNull();
    expect(facts.usage).toEqual({ ...NO_USAGE, input: 9, output: 2 });
  });

  test('a keep-alive repeats the number of the last event', () => {
    const pass = openFixtureStream();
    pass.push(new TextEncoder().encode(stream(created, { ...delta, sequence_number: 17 })));
    expect(Buffer.from(pass.keepAlive?.() ?? '').toString()).toBe(
      'event: keepalive\ndata: {"type":"keepalive","sequence_number":17}\n\n',
    );
  });
});

describe('an unusable stream', () => {
  test.each([
    ['text', 'data: hello\n\n', 'not a JSON object'],
    ['created without a response', eventText({ type: 'response.created' }), 'without a response'],
    ['a key twice', 'data: {"type":"response.created","response":{"id":1,"id":2}}\n\n', 'twice'],
    [
      'a key of usage twice',
      'data: {"type":"response.created","response":{"usage":{"a":1,"a":2}}}\n\n',
      'twice',
    ],
    [
      'an end without a response',
      stream(created, { type: 'response.completed' }),
      'without a response',
    ],
  ])('is an error: %s', (_, text, message) => {
    const { facts, ended } = passThrough(text);
    expect(facts.error?.message).toContain(message);
    expect(ended).toBe(false);
  });

  test('an event beyond the size limit is an error of the provider', () => {
    expect(() => passThrough(`data: {"type":"${'x'.repeat(70_000)}`)).toThrow('more than 65536');
  });
});

describe('a failure', () => {
  const failure = { code: 'server_error', message: 'Broken.' };

  test.each([
    ['flat', { type: 'error', ...failure, param: null }, null],
    ['nested', { type: 'error', error: { type: 'server_error', ...failure } }, 'server_error'],
    ['failed', ending({ error: failure }, 'failed'), null],
    ['completed, but failed', ending({ status: 'failed', error: failure }), null],
  ])('is read in the form: %s', (_, event, type) => {
    const { text, facts } = passThrough(stream(created, delta, event));
    expect(facts.error).toEqual({ type, ...failure });
    expect(typesIn(text)).toEqual([created.type, delta.type]);
  });

  test('a canceled answer is a failure', () => {
    const { facts } = passThrough(stream(created, ending({}, 'cancelled')));
    expect(facts.error?.message).toContain('without a message');
  });

  test('its usage is read from the event that follows the error', () => {
    const error = { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.' };
    const { facts, ended } = passThrough(stream(created, delta, error, ending({}, 'failed')));
    expect(facts.error?.code).toBe('rate_limit_exceeded');
    expect(facts.usage).toEqual({ ...NO_USAGE, input: 9, output: 2 });
    expect(ended).toBe(true);
  });

  test('an answer that goes on after an error has failed', () => {
    const error = { type: 'error', ...failure };
    expect(passThrough(stream(created, error, delta, ending())).facts.error).toMatchObject(failure);
  });
});

describe('the end that the gateway writes for a stream that broke', () => {
  const opened = (...events: readonly Event[]) => {
    const pass = openFixtureStream();
    pass.push(new TextEncoder().encode(stream(...events)));
    return pass;
  };
  const endOf = (pass: StreamPass, error: GatewayError): readonly Event[] =>
    sent(Buffer.from(pass.errorEvents?.(error) ?? '').toString());
  const cut = new GatewayError('upstream_truncated', 'The connection broke.');

  test('repeats no more items than an event may be long', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(10_000) };
    const done = { type: 'response.output_item.done', output_index: 0, item };
    const [, failed] = endOf(opened(created, ...Array<Event>(100).fill(done)), cut);
    // Only six items fit into the fixture's limit of 64 KiB.
    expect(failed).toMatchObject({ response: { output: Array(6).fill(item) } });
  });

  test('is an error event and a failed response, with the next numbers', () => {
    const start = { ...created, response: { ...response, instructions: 'Be brief.' } };
    const [error, failed] = endOf(opened(start, { ...delta, sequence_number: 17 }), cut);
    expect(error).toMatchObject({
      type: 'error',
      sequence_number: 18,
      code: 'server_error',
      message: 'The connection broke.',
      param: null,
      error: { code: 'server_error', message: 'The connection broke.' },
    });
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: 19,
      response: {
        id: 'resp_1',
        status: 'failed',
        model: 'gen-6-sol',
        instructions: 'Be brief.',
        prompt_cache_key: 'thread-1',
        error: { code: 'server_error', message: 'The connection broke.' },
        output: [],
        usage: null,
      },
    });
  });

  test('repeats the items that were finished', () => {
    const item = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Hi' }] };
    const done = { type: 'response.output_item.done', sequence_number: 3, item };
    const [, failed] = endOf(opened(created, delta, done), cut);
    expect(failed?.['response']).toMatchObject({ output: [item] });
  });

  test('is an end that the official client reads as a failure', async () => {
    const bytes = Buffer.from(stream(created));
    const end = opened(created).errorEvents?.(cut) ?? new Uint8Array(0);
    const client = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async () =>
        new Response(Buffer.concat([bytes, end]), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    });
    const reading = client.responses.stream({ model: 'm', input: 'x' }).finalResponse();
    await expect(reading).rejects.toThrow('The connection broke.');
  });
});

describe('a caller that repeats filtered answers at its own cost', () => {
  const endFor = (retries: boolean, last: Event): Event | undefined => {
    const pass = openFixtureStream(new ResponseStream(NO_SETTINGS, retries));
    pass.push(new TextEncoder().encode(stream(created, last)));
    return sent(Buffer.from(pass.finish(cost)).toString())[0];
  };
  const filtered = ending({ incomplete_details: { reason: 'content_filter' } }, 'incomplete');
  const content = [{ type: 'refusal', refusal: 'I cannot help.' }];
  const refused = ending({ output: [{ type: 'message', content }] });

  test.each([
    ['a filter', filtered, 'A content filter stopped this answer.'],
    ['a refusal', refused, 'I cannot help.'],
  ])('gets a failure that stops it after %s, with the cost', (_, last, message) => {
    const end = endFor(true, last);
    expect(end).toMatchObject({
      type: 'response.failed',
      sequence_number: 2,
      response: {
        status: 'failed',
        error: { code: 'invalid_prompt', message },
        incomplete_details: null,
        usage: { cost: 0.0001234 },
      },
    });
    expect(endFor(false, last)?.type).toBe(last.type);
  });

  test('gets any other end as it is', () => {
    const cutOff = ending({ incomplete_details: { reason: 'max_output_tokens' } }, 'incomplete');
    expect(endFor(true, cutOff)?.type).toBe('response.incomplete');
    expect(endFor(true, ending())?.type).toBe('response.completed');
  });
});

describe('the output', () => {
  const tool = { type: 'response.function_call_arguments.delta', delta: '{"é":1}' };
  test.each([
    ['text', delta, 2],
    ['padding', { ...delta, obfuscation: 'x7Kp2mQ9' }, 2],
    ['arguments', tool, 8],
    ['reasoning', { type: 'response.reasoning_summary_text.delta', delta: 'abc' }, 3],
    ['a refusal', { type: 'response.refusal.delta', delta: 'No.' }, 3],
    ['a repeated text', { type: 'response.output_text.done', text: 'Hi' }, 0],
  ])('is counted in bytes: %s', (_, event, bytes) => {
    expect(passThrough(stream(created, event)).facts.outputBytes).toBe(bytes);
  });

  test('is counted once, in deltas and items', () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };
    const done = { type: 'response.output_item.done', item };
    for (const events of [[delta, done], [done], [delta]])
      expect(passThrough(stream(created, ...events)).facts.outputBytes).toBe(2);
    const last = ending({ output: [item] });
    expect(passThrough(stream(created, delta, done, last)).facts.outputBytes).toBe(2);
  });

  test('encrypted reasoning does not count', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
    const done = { type: 'response.output_item.done', item };
    expect(passThrough(stream(created, done)).facts.outputBytes).toBe(0);
  });
});

describe('how it was served', () => {
  test('the tier is the one at the end, and `auto` is unknown', () => {
    const auto = { ...created, response: { ...response, service_tier: 'auto' } };
    expect(passThrough(stream(auto, delta)).facts.served.tier).toBeNull();
    const { facts } = passThrough(stream(auto, ending({ service_tier: 'priority' })));
    expect(facts.served).toMatchObject({
      tier: 'priority',
      model: 'up-sol',
      responseId: 'resp_1',
    });
  });

  test('searches are counted as they end, also if the last event repeats no items', () => {
    const search = call({ action: { type: 'search', query: 'x' } });
    const opened = call({ action: { type: 'open_page', url: 'https://x.example' } });
    const { facts } = passThrough(stream(created, search, opened, search));
    expect(facts.served.uses).toEqual({ web_search: 2 });
    expect(passThrough(stream(created, search, opened, ending())).facts.served.uses).toEqual({
      web_search: 1,
    });
  });
});

describe('deltas recognized by a template', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 12 });
  const name = fc.constantFrom('output_text', 'reasoning_summary_text', 'function_call_arguments');
  const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });

  test('are sent, counted and numbered as if each had been parsed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, word, number, word), { minLength: 1, maxLength: 30 }),
        (deltas) => {
          const events = deltas.map(([kind, text, sequence_number, obfuscation]) =>
            eventText({
              type: `response.${kind}.delta`,
              ...{ item_id: 'msg_1', delta: text, obfuscation, sequence_number },
            }),
          );
          const pass = openFixtureStream();
          const all = stream(created) + events.join('');
          const out = Buffer.from(pass.push(Buffer.from(all))).toString();
          expect(out.endsWith(events.join(''))).toBe(true);
          expect(pass.facts.outputBytes).toBe(
            Buffer.byteLength(deltas.map(([, text]) => text).join('')),
          );
          const last = deltas.at(-1)?.[2];
          const ping = Buffer.from(pass.keepAlive?.() ?? []).toString();
          expect(sent(ping)[0]?.['sequence_number']).toBe(last);
        },
      ),
      { seed: 20_261_123 },
    );
  });

  test.each([
    ['another name than its type', (text: string) => text.replace('_text', '_textual')],
    ['no name', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['an id line', (text: string) => `id: 7\n${text}`],
  ])('a delta with %s is corrected', (_what, broken) => {
    const { text } = passThrough(stream(created, delta, delta), broken(eventText(delta)));
    expect(text.endsWith(stream(delta, delta, delta))).toBe(true);
    expect(typesIn(text)).toHaveLength(4);
  });

  test.each([
    ['a word that is invalid JSON', '"delta":"Hi"', '"delta":"\\x"'],
    ['a number that is invalid JSON', '"sequence_number":1', '"sequence_number":01'],
  ])('%s is detected', (_what, valid, invalid) => {
    const { facts } = passThrough(
      stream(created, delta, delta),
      eventText(delta).replace(valid, invalid),
    );
    expect(facts.error?.message).toContain('not a JSON object');
  });

  test('nothing is sent before response.created, or after an error', () => {
    expect(passThrough(stream(delta, delta)).facts.error).not.toBeNull();
    const error: Event = { type: 'error', error: { message: 'm', type: 'server_error' } };
    const { text, facts } = passThrough(stream(created, delta, delta, error, delta, delta));
    expect(typesIn(text)).toEqual(['response.created', delta.type, delta.type]);
    expect(facts.error?.message).toBe('m');
  });
});
