/**
 * `npm run bench -- translation`: measures how much more CPU a translated request takes than an
 * untranslated one, and how much more an untranslated Messages or Responses request takes than an
 * untranslated chat request. Runs in this process without a network, so that nothing else is
 * counted. Prints JSON lines.
 */

import { JsonScan } from '../src/json/scan.ts';
import { chatToChat } from '../src/protocols/chat/translator.ts';
import { chatToMessages } from '../src/protocols/chat-to-messages/translator.ts';
import type { TextFormat } from '../src/protocols/dialect.ts';
import { messagesToMessages } from '../src/protocols/messages/translator.ts';
import { messagesToChat } from '../src/protocols/messages-to-chat/translator.ts';
import { NO_QUIRKS } from '../src/protocols/quirks.ts';
import { NO_PLAN } from '../src/protocols/request-fields.ts';
import { Seals } from '../src/protocols/responses/seal.ts';
import { responsesToResponses } from '../src/protocols/responses/translator.ts';
import {
  responsesToChat,
  responsesToMessages,
} from '../src/protocols/responses-to-chat/translator.ts';
import type { StreamContext, Translator } from '../src/protocols/translator.ts';
import { MORE_CPU_US } from './budgets.ts';
import { cpuBetweenMs, readCpu } from './process-cost.ts';
import { spread } from './spread.ts';

const QUESTION =
  'How much more does a translated request cost than an untranslated one, and an untranslated request in Messages or Responses than in chat?';
const SKETCH =
  'A translated event is parsed, translated and written: 1 µs each, and a few allocations. An untranslated event ' +
  'takes 1 µs to recognize, so translation adds 4 to 6 µs. A short translated request is parsed and written ' +
  'twice: 20 to 40 µs more. Untranslated events of Messages and Responses have a name besides their data: 0.3 µs ' +
  'more than in chat. A Responses answer has many more fields: 10 µs more.';

const EVENTS = 2_000;
const STREAMS = 60;
const REQUESTS = 20_000;
const ROUNDS = 7;

const encoder = new TextEncoder();
const CONTEXT: StreamContext = {
  requestId: 'req_bench',
  createdSeconds: 1_790_000_000,
  quirks: NO_QUIRKS,
  model: 'gen',
  includeUsage: true,
  maxEventBytes: 1024 * 1024,
  estimatedInput: 100,
  response: null,
};
const TARGET = { model: 'there', quirks: NO_QUIRKS, clampedOutput: null, plan: NO_PLAN };
const COST = { usd: '0.1', exact: '0.100000000', currency: 'USD', estimated: null };
const FINISH = { model: 'gen', cost: COST };

const words = (at: number): string => `word${at % 97} `;

function chatEvents(): readonly Uint8Array[] {
  const chunk = (delta: object, finish: string | null, more: object = {}): Uint8Array =>
    encoder.encode(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'there', choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...more })}\n\n`,
    );
  const usage = { prompt_tokens: 9, completion_tokens: EVENTS, total_tokens: EVENTS + 9 };
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...Array.from({ length: EVENTS }, (_, at) => chunk({ content: words(at) }, null)),
    chunk({}, 'stop'),
    chunk({}, null, { choices: [], usage }),
    encoder.encode('data: [DONE]\n\n'),
  ];
}

function messagesEvents(): readonly Uint8Array[] {
  const event = (type: string, rest: object): Uint8Array =>
    encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  const usage = { input_tokens: 9, output_tokens: 0 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'there',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    event('message_start', { message }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: EVENTS }, (_, at) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words(at) } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: EVENTS },
    }),
    event('message_stop', {}),
  ];
}

const MESSAGE_ITEM = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };

const responseOf = (status: string, rest: object): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: 100,
  model: 'there',
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  ...rest,
});

const finishedText = (text: string): object => ({
  output: [{ ...MESSAGE_ITEM, content: [{ type: 'output_text', annotations: [], text }] }],
  usage: {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 90,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 99,
  },
});

function responsesEvents(): readonly Uint8Array[] {
  const event = (type: string, rest: object, sequence_number: number): Uint8Array =>
    encoder.encode(
      `event: ${type}\ndata: ${JSON.stringify({ type, ...rest, sequence_number })}\n\n`,
    );
  const begun = { response: responseOf('in_progress', { output: [], usage: null }) };
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const text = Array.from({ length: EVENTS }, (_, at) => words(at)).join('');
  const part = { type: 'output_text', annotations: [], text: '' };
  const item = { ...MESSAGE_ITEM, status: 'in_progress', content: [] };
  return [
    event('response.created', begun, 0),
    event('response.in_progress', begun, 1),
    event('response.output_item.added', { output_index: 0, item }, 2),
    event('response.content_part.added', { ...place, part }, 3),
    ...Array.from({ length: EVENTS }, (_, at) => {
      const delta = { delta: words(at), logprobs: [], obfuscation: 'aG9sZQ' };
      return event('response.output_text.delta', { ...place, ...delta }, at + 4);
    }),
    event('response.output_text.done', { ...place, text, logprobs: [] }, EVENTS + 4),
    event(
      'response.completed',
      { response: responseOf('completed', finishedText(text)) },
      EVENTS + 5,
    ),
  ];
}

const QUESTION_ASKED = { role: 'user', content: 'What is a gateway? '.repeat(12) };
const MESSAGES_ASKED = { model: 'gen', max_tokens: 100, messages: [QUESTION_ASKED] };
const ASKED: Readonly<Record<TextFormat, object>> = {
  chat: MESSAGES_ASKED,
  messages: MESSAGES_ASKED,
  responses: { model: 'gen', max_output_tokens: 100, input: [QUESTION_ASKED] },
};
const ANSWER = 'A gateway stands between callers and models. '.repeat(8);
const ANSWERS = {
  chat: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'there',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: ANSWER, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 90, total_tokens: 99 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'there',
    content: [{ type: 'text', text: ANSWER }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 90 },
  },
  responses: responseOf('completed', finishedText(ANSWER)),
} as const;
type Measured = Translator<TextFormat, TextFormat>;
const STREAMS_OF = {
  chat: chatEvents(),
  messages: messagesEvents(),
  responses: responsesEvents(),
} as const;

const scanned = ({ caller }: Measured) => {
  const bytes = encoder.encode(JSON.stringify(ASKED[caller]));
  return new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
};

/** Returns the CPU of one event in microseconds. @throws Error when a stream has not ended. */
function eventCost(translator: Measured): number {
  const events = STREAMS_OF[translator.upstream];
  const prepared = translator.prepare(scanned(translator), { maxOutput: 4096 }, true);
  const before = readCpu(process.pid);
  for (let stream = 0; stream < STREAMS; stream++) {
    const pass = prepared.openStream(CONTEXT);
    for (const event of events) pass.push(event);
    if (!pass.ended)
      throw new Error(`${translator.caller} over ${translator.upstream} has not ended`);
    pass.finish(FINISH.cost);
  }
  return (cpuBetweenMs(before, readCpu(process.pid)) * 1000) / (STREAMS * events.length);
}

/**
 * Returns the CPU of one short request in microseconds. Its scan is not counted, because
 * untranslated requests need the same scan.
 */
function requestCost(translator: Measured): number {
  const answer = encoder.encode(JSON.stringify(ANSWERS[translator.upstream]));
  const body = scanned(translator);
  const before = readCpu(process.pid);
  for (let request = 0; request < REQUESTS; request++) {
    const prepared = translator.prepare(body, { maxOutput: 4096 }, false);
    prepared.bodyFor(TARGET);
    prepared.readAnswer(answer, CONTEXT).write(FINISH);
  }
  return (cpuBetweenMs(before, readCpu(process.pid)) * 1000) / REQUESTS;
}

const SEALS = new Seals('the secret of this installation');
const PAIRS: readonly {
  readonly measured: Measured;
  readonly base: Measured;
  readonly budgets: Readonly<Record<'event' | 'request', number>>;
}[] = [
  { measured: chatToMessages, base: chatToChat, budgets: MORE_CPU_US.translated },
  { measured: messagesToChat, base: messagesToMessages, budgets: MORE_CPU_US.translated },
  { measured: responsesToChat(SEALS), base: chatToChat, budgets: MORE_CPU_US.translated },
  {
    measured: responsesToMessages(SEALS),
    base: messagesToMessages,
    budgets: MORE_CPU_US.translated,
  },
  { measured: messagesToMessages, base: chatToChat, budgets: MORE_CPU_US.passed },
  { measured: responsesToResponses, base: chatToChat, budgets: MORE_CPU_US.passed },
];

const nameOf = ({ caller, upstream }: Measured): string => `${caller} over ${upstream}`;

/**
 * Measures each translator and its baseline side by side in several rounds. The first round is a
 * warm-up and does not count.
 */
export function benchTranslation(): void {
  console.log(JSON.stringify({ question: QUESTION, sketch: SKETCH }));
  for (const { measured, base, budgets } of PAIRS) {
    for (const [figure, cost] of [
      ['event', eventCost],
      ['request', requestCost],
    ] as const) {
      const rounds = Array.from({ length: ROUNDS + 1 }, () => ({
        base: cost(base),
        measured: cost(measured),
      })).slice(1);
      const more = spread(rounds.map((round) => round.measured - round.base));
      const median = (of: 'base' | 'measured') => spread(rounds.map((round) => round[of])).median;
      console.log(
        JSON.stringify({
          direction: nameOf(measured),
          base: nameOf(base),
          figure: `CPU per ${figure}, µs`,
          median: median('measured'),
          ofBase: median('base'),
          more: more.median,
          least: more.least,
          most: more.most,
          atMost: budgets[figure],
          met: more.median <= budgets[figure],
        }),
      );
    }
  }
}
