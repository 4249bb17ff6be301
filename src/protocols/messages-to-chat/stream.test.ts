import { describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { NOTHING_SERVED } from '../../money/served.ts';
import { tokensOf } from '../../money/usage.ts';
import { quirksOf } from '../../upstreams/known-servers.ts';
import { recorded } from '../chat/recorded-chat.fixture.ts';
import { NO_PLAN } from '../request-fields.ts';
import { brokenRules } from './messages-rules.fixture.ts';
import {
  chatEvent,
  chatStream,
  context,
  eventsOf,
  passStream,
  prepared,
} from './request.fixture.ts';

const SEED = { seed: 20_261_121 };
const isFailure = (name: string): boolean => name.startsWith('error');
const whole = recorded.names().filter((name) => !isFailure(name));
const passRecorded = (name: string) => passStream([recorded.upstreamBytes(name)]);

/** Returns the message that the official client reads from a stream. */
const readWithClient = async (body: string): Promise<Anthropic.Message> => {
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  });
  return await client.messages
    .stream({ model: 'gen-v4-pro', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] })
    .finalMessage();
};

describe('every recorded stream', () => {
  for (const name of whole) {
    test(`${name}: follows the rules of Messages streams`, () => {
      const passed = passRecorded(name);
      expect(passed.ended).toBe(true);
      expect(passed.facts.error).toBeNull();
      expect(brokenRules(passed.text, true)).toEqual([]);
    });

    test(`${name}: the official client reads it to the end`, async () => {
      const { text, facts } = passRecorded(name);
      const message = await readWithClient(text);
      expect(message.model).toBe('gen-v4-pro');
      expect(message.stop_reason as string | null).toBe(facts.finishReason);
      if (facts.usage !== null)
        expect(message.usage.output_tokens).toBe(tokensOf(facts.usage, 'output'));
    });
  }

  for (const name of recorded.names()) {
    test(`${name}: gives the same cut anywhere`, () => {
      const bytes = recorded.upstreamBytes(name);
      const uncut = passStream([bytes]);
      const cuts = fc.uniqueArray(fc.nat(bytes.byteLength), { maxLength: 12 });
      fc.assert(
        fc.property(cuts, (at) => {
          const edges = [0, ...at.sort((a, b) => a - b), bytes.byteLength];
          const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
          expect(passStream(pieces)).toEqual(uncut);
        }),
        { ...SEED, numRuns: 30 },
      );
      expect(passStream(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(uncut);
    });

    test(`${name}: truncated anywhere it is never complete, and follows every rule`, () => {
      const bytes = recorded.upstreamBytes(name);
      const end = Buffer.from(bytes).indexOf('data: [DONE]');
      for (let at = 0; at < (end < 0 ? bytes.byteLength : end); at += 7) {
        const passed = passStream([bytes.subarray(0, at)]);
        expect(passed.ended).toBe(false);
        if (!isFailure(name)) expect(passed.facts.error).toBeNull();
        expect(brokenRules(passed.text, false)).toEqual([]);
      }
    });
  }

  test('the client assembles tool calls correctly', async () => {
    for (const name of ['parallel-tools', 'repeated-tool-ids']) {
      const { content } = await readWithClient(passRecorded(name).text);
      expect<unknown>(content).toEqual([
        { type: 'tool_use', id: 'call_a', name: 'get_time', input: { tz: 'UTC' } },
        { type: 'tool_use', id: 'call_b', name: 'ping', input: {} },
      ]);
    }
  });

  test('reasoning becomes thinking, and a refusal stays one', async () => {
    expect(await readWithClient(passRecorded('reasoning').text)).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Let me think.', signature: '' },
        { type: 'text', text: 'It is 4.' },
      ],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 6,
        output_tokens: 12,
        output_tokens_details: { thinking_tokens: 7 },
      },
    });
    expect(await readWithClient(passRecorded('refusal').text)).toMatchObject({
      content: [{ type: 'text', text: 'I cannot help.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: null },
    });
  });

  test('reports an error after what came before it', () => {
    const { facts, ended, text } = passRecorded('error');
    expect(facts.error).toEqual({
      type: 'server_error',
      code: 'server_error',
      message: 'The server had an error',
    });
    expect(ended).toBe(false);
    expect(brokenRules(text, false)).toEqual([]);
    expect(passRecorded('error-text').facts.error?.message).toBe('model crashed');
  });
});

test('a short stream is exact', () => {
  const { text, closing } = passStream([
    chatEvent({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    chatEvent({ choices: [{ index: 0, delta: { content: 'H"i' }, finish_reason: 'length' }] }),
    chatEvent({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }),
    'data: [DONE]\n\n',
  ]);
  expect(text).toBe(
    'event: message_start\n' +
      'data: {"type":"message_start","message":{"id":"msg_01X","type":"message","role":"assistant",' +
      '"model":"gen-v4-pro","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,' +
      '"container":null,"diagnostics":null,"usage":{"input_tokens":7,"output_tokens":0,' +
      '"cache_creation_input_tokens":0,"cache_read_input_tokens":0}}}\n\n' +
      'event: content_block_start\n' +
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
      'event: content_block_delta\n' +
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"H\\"i"}}\n\n' +
      'event: content_block_stop\n' +
      'data: {"type":"content_block_stop","index":0}\n\n' +
      closing,
  );
  expect(closing).toBe(
    'event: message_delta\n' +
      'data: {"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null,' +
      '"stop_details":null,"container":null},"usage":{"input_tokens":5,"output_tokens":2,' +
      '"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{' +
      '"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens_details":{' +
      '"thinking_tokens":0},"server_tool_use":null,"service_tier":"standard","inference_geo":null,' +
      '"speed":"standard","cost":0.0001234,"cost_exact":"0.000123400","cost_currency":"USD"}}\n\n' +
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  );
});

describe('the end', () => {
  const words = { content: 'Hi' };

  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['model_length', 'max_tokens'],
    ['sensitive', 'refusal'],
    ['content_filter', 'refusal'],
    ['tool_calls', 'end_turn'],
    ['eos_token', 'end_turn'],
  ])('%s becomes %s', (finish, reason) => {
    const { facts, ended } = passStream([chatStream([words], finish)]);
    expect([facts.finishReason, ended]).toEqual([reason, true]);
  });

  test('is tool_use with tool calls, whatever the server says', () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };
    for (const finish of ['stop', 'tool_calls', 'function_call']) {
      expect(passStream([chatStream([call], finish)]).facts.finishReason).toBe('tool_use');
    }
    expect(passStream([chatStream([call], 'length')]).facts.finishReason).toBe('max_tokens');
  });

  test.each(['insufficient_system_resource', 'error', 'abort'])('%s is a failure', (finish) => {
    const { facts, ended, closing } = passStream([chatStream([words], finish)]);
    expect(facts.error?.message).toBe(`The upstream ended with the finish reason "${finish}".`);
    expect([ended, closing]).toEqual([false, '']);
  });

  test('fails without a finish reason, also with an end mark alone', () => {
    for (const stream of [chatStream([words], null), 'data: [DONE]\n\n']) {
      const { facts, ended } = passStream([stream]);
      expect(facts.error?.message).toBe('The upstream ended its answer without a finish reason.');
      expect(ended).toBe(false);
    }
  });

  test('is not reached by a finish reason without the end mark', () => {
    const { facts, ended } = passStream([chatStream([words]).replace('data: [DONE]\n\n', '')]);
    expect([facts.error, ended]).toEqual([null, false]);
  });

  test('needs no blank line, and nothing is read after it', () => {
    const stream = chatStream([words]);
    const plain = passStream([stream]);
    expect(passStream([stream.trimEnd()])).toEqual(plain);
    expect(passStream([`${stream}data: nonsense\n\n`, 'more'])).toEqual(plain);
  });

  test('leaves what was reported about the service, from any chunk', () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 5,
      cost: 0.007,
      server_tool_use_details: { web_search_requests: 2 },
    };
    const head = { id: 'gen-1', model: 'vendor', service_tier: 'flex' };
    const last = `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;
    const stream = chatStream([words]).replace('data: [DONE]\n\n', last);
    const openrouter = quirksOf('openrouter', {});
    expect(passStream([stream], {}, openrouter).facts.served).toEqual({
      ...NOTHING_SERVED,
      tier: 'flex',
      model: 'vendor',
      uses: { web_search: 2 },
      reportedCostPico: 7_000_000_000n,
      responseId: 'gen-1',
    });
  });

  test('fails on a chunk that is not a JSON object', () => {
    for (const data of ['<html>', '[]', '"x"']) {
      expect(passStream([`data: ${data}\n\n`]).facts.error).toEqual({
        type: null,
        code: null,
        message: 'The upstream sent a chunk that is not a JSON object.',
      });
    }
  });

  test('reports no usage without a count, but the bytes to estimate it from', () => {
    const { facts } = passStream([chatStream([{ content: 'x'.repeat(41) }])]);
    expect([facts.usage, facts.outputBytes]).toEqual([null, 41]);
  });
});

describe('options of the caller', () => {
  test('reports that no context was edited, if asked', () => {
    const edits = { context_management: { edits: [] } };
    expect(passStream([chatStream([])], edits).closing).toContain(
      '"context_management":{"applied_edits":[]},"usage"',
    );
    expect(passStream([chatStream([])]).closing).not.toContain('context_management');
  });

  test("restores the caller's tool names", () => {
    const name = 'clock/get.time';
    const request = { tools: [{ name, input_schema: { type: 'object' } }] };
    const written = JSON.parse(
      new TextDecoder().decode(
        prepared(request).bodyFor({
          model: 'm',
          quirks: context().quirks,
          clampedOutput: null,
          plan: NO_PLAN,
        }),
      ),
    );
    const mapped = written.tools[0].function.name;
    const call = {
      tool_calls: [{ index: 0, id: 'a', function: { name: mapped, arguments: '{}' } }],
    };
    expect(eventsOf(passStream([chatStream([call])], request).text)[1]).toMatchObject({
      content_block: { name },
    });
  });

  test('counts all output bytes, shown or not', () => {
    const deltas = [{ reasoning_content: 'é' }, { content: 'ab' }];
    const hidden = { thinking: { type: 'adaptive', display: 'omitted' } };
    expect(passStream([chatStream(deltas)], hidden).facts.outputBytes).toBe(4);
  });
});
