/**
 * Tests an upstream that reports no usage. The gateway charges an estimate. The answer contains the
 * estimated usage and marks it as an estimate, in JSON and in streams, on chat and on Messages.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { nanoOf, receiptOf, wallet } from './support/history/ledger-views.ts';
import {
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { type Answer, ask, at, CHAT, MESSAGES, payloads } from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const WORDS = 'x'.repeat(400);
/**
 * The estimated output tokens of an answer of 400 bytes: one for every four bytes. The prompt is
 * estimated in the same way.
 */
const OUTPUT = 100;
const PROMPT = 'y'.repeat(4_000);

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: { readonly type: string }): string => `event: ${data.type}\n${event(data)}`;
const message = (content: readonly object[], stop_reason: string | null) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
  ...{ content, stop_reason, stop_sequence: null },
});
const SCRIPTS = {
  'scripted-chat': {
    json: () =>
      Response.json({
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
        choices: [
          { index: 0, message: { role: 'assistant', content: WORDS }, finish_reason: 'stop' },
        ],
      }),
    stream: () => {
      const chunk = (delta: object, finish_reason: string | null) =>
        event({
          ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
          choices: [{ index: 0, delta, finish_reason }],
        });
      return eventStream([
        chunk({ role: 'assistant', content: WORDS }, null),
        chunk({}, 'stop'),
        'data: [DONE]\n\n',
      ]);
    },
  },
  'scripted-messages': {
    json: () => Response.json(message([{ type: 'text', text: WORDS }], 'end_turn')),
    stream: () =>
      eventStream(
        [
          { type: 'message_start', message: message([], null) },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
          { type: 'message_stop' },
        ].map(named),
      ),
  },
} as const;

/** Returns the last `usage` object in an answer. */
function usageOf({ text }: Answer, stream: boolean): unknown {
  const all = stream ? payloads(text) : [JSON.parse(text)];
  return all.map((each) => at(each, 'usage')).findLast((usage) => Boolean(usage));
}

for (const model of ['scripted-chat', 'scripted-messages'] as const) {
  for (const path of [CHAT, MESSAGES]) {
    test(`${path} over ${model} states the estimate, in JSON and in a stream`, async () => {
      const stated: unknown[] = [];
      for (const stream of [false, true]) {
        upstream.script(SCRIPTS[model][stream ? 'stream' : 'json']);
        const before = (await wallet(gateway)).balance;
        const got = await ask(gateway, path, {
          ...{ model, stream, max_tokens: 500, messages: [{ role: 'user', content: PROMPT }] },
          ...(path === CHAT && stream ? { stream_options: { include_usage: true } } : {}),
        });
        expect(got.status).toBe(200);
        expect(got.headers.get('x-estimated')).toBe(stream ? null : 'true');
        const usage = usageOf(got, stream);
        const names =
          path === CHAT
            ? ['prompt_tokens', 'completion_tokens']
            : ['input_tokens', 'output_tokens'];
        const [input, output] = names.map((name) => at(usage, name));
        const receipt = await receiptOf(gateway, got.headers.get('x-request-id') ?? '');
        expect(receipt.at('data')).toMatchObject({
          cost_estimated: true,
          tokens_prompt: input,
          tokens_completion: output,
        });
        expect(output).toBe(OUTPUT);
        expect(input).toBeGreaterThanOrEqual(PROMPT.length / 4);
        // The prices are $1 and $2 per 1M tokens, that is 1,000 and 2,000 nano-USD per token.
        const charge = BigInt(Number(input) * 1_000 + OUTPUT * 2_000);
        expect(nanoOf(at(usage, 'cost_exact'))).toBe(charge);
        expect(before - (await wallet(gateway)).balance).toBe(charge);
        expect(at(usage, 'cost_estimated')).toBe(true);
        stated.push(usage);
      }
      expect(stated[1]).toEqual(stated[0]);
    });
  }
}

for (const path of [CHAT, MESSAGES]) {
  test(`${path} estimates the output if only message_start has a count of it`, async () => {
    const usage = { input_tokens: 300, cache_read_input_tokens: 700, output_tokens: 1 };
    upstream.script(() =>
      eventStream(
        [
          { type: 'message_start', message: { ...message([], null), usage } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
          { type: 'message_stop' },
        ].map(named),
      ),
    );
    const got = await ask(gateway, path, {
      ...{ model: 'scripted-messages', stream: true, max_tokens: 500 },
      messages: [{ role: 'user', content: PROMPT }],
      ...(path === CHAT ? { stream_options: { include_usage: true } } : {}),
    });
    const receipt = await receiptOf(gateway, got.headers.get('x-request-id') ?? '');
    expect(receipt.at('data')).toMatchObject({
      cost_estimated: true,
      tokens_prompt: 1_000,
      tokens_completion: OUTPUT,
    });
    const shown = usageOf(got, true);
    expect(at(shown, path === CHAT ? 'completion_tokens' : 'output_tokens')).toBe(OUTPUT);
    expect(at(shown, path === CHAT ? 'prompt_tokens' : 'cache_read_input_tokens')).toBe(
      path === CHAT ? 1_000 : 700,
    );
  });
}
