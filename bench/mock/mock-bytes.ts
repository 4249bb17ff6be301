/**
 * The mock upstream's prepared answers: complete HTTP/1.1 responses, and streams split into pieces.
 */
import { BLANK_STAMP } from '../load/stamps.ts';

export type Dialect = 'chat' | 'messages';

const STREAM_HEAD = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n' +
    'x-request-id: req_bench\r\ntransfer-encoding: chunked\r\n\r\n',
);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** The text of one flood event, long enough that framing adds little to the size of a flood. */
const FLOOD_EVENT_TEXT = 'sixteen letters '.repeat(240);

const ANSWER_TEXT =
  'A gateway stands between callers and models. It checks who asks, holds what the answer may cost, ' +
  'passes the question on, meters the answer as it goes by, settles the true price, and gives back ' +
  'the part of the hold that was not used.';

const CHAT_FRAME = {
  id: 'chatcmpl-bench0123456789abcdefghijklmn',
  object: 'chat.completion.chunk',
  created: 1_790_000_000,
  model: 'bench-upstream',
  service_tier: 'default',
  system_fingerprint: 'fp_bench01234',
};

const CHAT_USAGE = {
  prompt_tokens: 60,
  completion_tokens: 100,
  total_tokens: 160,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};

const MESSAGES_USAGE = {
  input_tokens: 60,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 100,
};

/** Returns the JSON answer of a protocol as a complete HTTP response. */
export function jsonResponse(dialect: Dialect): Buffer {
  const body = Buffer.from(JSON.stringify(dialect === 'chat' ? CHAT_ANSWER : MESSAGES_ANSWER));
  const head =
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_bench\r\n' +
    `content-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/**
 * Returns a plain-text error response with this status, for requests that the mock does not
 * support.
 */
export function refusal(status: string, text: string): Buffer {
  return Buffer.from(`HTTP/1.1 ${status}\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
}

/**
 * Returns the pieces of a stream of `events` events. The first piece includes the headers, and the
 * last piece includes the end of the body. Each event is its own HTTP chunk.
 */
export function streamPieces(dialect: Dialect, events: number): readonly Buffer[] {
  const frames = dialect === 'chat' ? chatFrames(events) : messagesFrames(events);
  return frames.map((frame, at) => {
    const pieces = [httpChunk(Buffer.from(frame))];
    if (at === 0) pieces.unshift(STREAM_HEAD);
    if (at === frames.length - 1) pieces.push(LAST_CHUNK);
    return Buffer.concat(pieces);
  });
}

/** Returns an upstream error with a body that fits both protocols. */
export function failure(): Buffer {
  const error = { type: 'server_error', message: 'The server had an error.', code: null };
  const body = JSON.stringify({ error });
  const head = 'HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\n';
  return Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`);
}

/** Returns the headers and first events of a stream that then stays open. */
export function openStream(dialect: Dialect): Buffer {
  const frame = dialect === 'chat' ? chatChunk({ role: 'assistant', content: '' }) : messageStart();
  return Buffer.concat([STREAM_HEAD, httpChunk(Buffer.from(frame))]);
}

/** Returns one event with a blank stamp as an HTTP chunk; `stampAt` is the stamp's offset in it. */
export function stampedPiece(dialect: Dialect): {
  readonly bytes: Buffer;
  readonly stampAt: number;
} {
  const frame =
    dialect === 'chat' ? chatChunk({ content: BLANK_STAMP }) : messageDelta(BLANK_STAMP);
  const bytes = httpChunk(Buffer.from(frame));
  return { bytes, stampAt: bytes.indexOf(BLANK_STAMP) };
}

/** Returns one long event as an HTTP chunk, which a flood repeats. */
export function floodPiece(dialect: Dialect): Buffer {
  const frame =
    dialect === 'chat' ? chatChunk({ content: FLOOD_EVENT_TEXT }) : messageDelta(FLOOD_EVENT_TEXT);
  return httpChunk(Buffer.from(frame));
}

const CHAT_ANSWER = {
  ...CHAT_FRAME,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: ANSWER_TEXT, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: CHAT_USAGE,
};

const MESSAGES_ANSWER = {
  id: 'msg_bench0123456789abcdefgh',
  type: 'message',
  role: 'assistant',
  model: 'bench-upstream',
  content: [{ type: 'text', text: ANSWER_TEXT }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: MESSAGES_USAGE,
};

function chatFrames(events: number): readonly string[] {
  const words = events - 4;
  return [
    chatChunk({ role: 'assistant', content: '' }),
    ...Array.from({ length: words }, (_, at) => chatChunk({ content: ` word${at}` })),
    chatChunk({}, 'stop'),
    data({ ...CHAT_FRAME, choices: [], usage: CHAT_USAGE }),
    'data: [DONE]\n\n',
  ];
}

function chatChunk(delta: object, finishReason: string | null = null): string {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  return data({ ...CHAT_FRAME, choices: [choice], usage: null });
}

function messagesFrames(events: number): readonly string[] {
  const words = events - 4;
  return [
    messageStart(),
    ...Array.from({ length: words }, (_, at) => messageDelta(` word${at}`)),
    named({ type: 'content_block_stop', index: 0 }),
    named({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 100 },
    }),
    named({ type: 'message_stop' }),
  ];
}

/**
 * Returns the shortest valid beginning of a Messages stream: the events that start the message and
 * its text block.
 */
function messageStart(): string {
  const usage = { ...MESSAGES_USAGE, output_tokens: 1 };
  const message = { ...MESSAGES_ANSWER, content: [], stop_reason: null, usage };
  const block = { type: 'text', text: '' };
  return (
    named({ type: 'message_start', message }) +
    named({ type: 'content_block_start', index: 0, content_block: block })
  );
}

function messageDelta(text: string): string {
  return named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

type NamedEvent = { readonly type: string; readonly [field: string]: unknown };

const named = (event: NamedEvent): string => `event: ${event.type}\n${data(event)}`;

function httpChunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
}
