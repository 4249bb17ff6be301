/**
 * For tests: an upstream on the loopback address that returns scripted answers and records the
 * requests that it receives.
 */
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { shippedConfig } from '../gateways/gateway-process.ts';

/** The key and the organization of the upstream. Callers and logs must never see them. */
export const CANARY_KEY = 'sk-canary-upstream-key-5f2a9c71';
export const CANARY_ORG = 'org-canary7d41b9';

export type UpstreamCall = {
  readonly path: string;
  readonly headers: Headers;
  /** The parsed body: JSON, or a `FormData` for a form; null if the body is empty. */
  readonly body: unknown;
  /** Resolves when the gateway disconnects before the end of the answer. */
  readonly aborted: Promise<void>;
};

export type ScriptedUpstream = {
  /** The host and port of the upstream. */
  readonly host: string;
  readonly calls: readonly UpstreamCall[];
  /** Sets the script that answers the following requests. */
  readonly script: (answer: (call: UpstreamCall) => Response | Promise<Response>) => void;
  /**
   * Returns the shipped configuration with two additional models on this upstream: `scripted-chat`
   * and `scripted-messages`.
   */
  readonly config: (edits?: Readonly<Record<string, string>>) => string;
  readonly stop: () => void;
};

export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const calls: UpstreamCall[] = [];
  let answer: (call: UpstreamCall) => Response | Promise<Response> = () =>
    new Response('no script', { status: 500 });
  const server = createServer(async (request, response) => {
    const aborted = new Promise<void>((resolve) =>
      response.on('close', () => {
        if (!response.writableFinished) resolve();
      }),
    );
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    );
    const body = await bodyIn(headers, await buffer(request));
    const call = { path: request.url ?? '', headers, body, aborted };
    calls.push(call);
    await send(await answer(call), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    calls,
    script: (next) => {
      answer = next;
    },
    config: (edits) => scriptedConfig(host, edits),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Returns the shipped configuration with two additional models on the upstream `host`:
 * `scripted-chat` and `scripted-messages`.
 */
export const scriptedConfig = (
  host: string,
  edits: Readonly<Record<string, string>> = {},
): string =>
  shippedConfig({
    '\nupstreams:\n': `\nupstreams:\n${upstreams(host)}`,
    '\nmodels:\n': `\nmodels:\n${model('scripted-chat', 'openai')}${model('scripted-messages', 'anthropic')}`,
    ...edits,
  });

/** Parses a body as JSON, or as `FormData` if it is a form. Returns null for an empty body. */
async function bodyIn(headers: Headers, bytes: Buffer<ArrayBuffer>): Promise<unknown> {
  const type = headers.get('content-type') ?? '';
  if (bytes.length === 0) return null;
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString());
  return await new Response(bytes, { headers: { 'content-type': type } }).formData();
}

/**
 * Sends the headers at once, and each chunk when it is available. Breaks the connection if the body
 * fails.
 */
async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  try {
    for await (const piece of answer.body ?? []) {
      if (response.destroyed) return;
      await new Promise((resolve) => response.write(piece, resolve));
    }
    response.end();
  } catch {
    // The script made the body fail on purpose, so the connection is broken.
    response.destroy();
  }
}

const upstreams = (host: string): string => `
  scripted-openai: { protocol: openai, base_url: "http://${host}/v1", api_key: "${CANARY_KEY}", allow_private: true, quirks: { on_disconnect: abort } }
  scripted-anthropic: { protocol: anthropic, base_url: "http://${host}", api_key: "${CANARY_KEY}", allow_private: true, quirks: { on_disconnect: abort } }
`;

const model = (id: string, protocol: string): string => `
  ${id}:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    input: [text, image, file]
    default_channel: direct
    channels:
      direct:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: scripted-${protocol}, model: upstream-model }]
`;

/**
 * Returns an event stream that sends these texts and then runs `then`. By default, `then` ends the
 * stream.
 */
export function eventStream(
  pieces: readonly string[],
  then: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void> = (
    controller,
  ) => controller.close(),
): Response {
  const encoder = new TextEncoder();
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = left.shift();
        if (piece === undefined) await then(controller);
        else controller.enqueue(encoder.encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Returns one chunk of a chat stream: a `data:` line and a blank line. */
export function chatChunk(
  delta: Readonly<Record<string, unknown>>,
  finish: string | null = null,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const chunk = {
    id: 'chatcmpl-up',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'upstream-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

export const chatUsage = (prompt: number, completion: number): string =>
  chatChunk({}, null, {
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  });

/** Returns the chunks of a complete chat stream with this text. */
export const chatStream = (text: string): readonly string[] => [
  chatChunk({ role: 'assistant', content: '' }),
  chatChunk({ content: text }),
  chatChunk({}, 'stop'),
  chatUsage(10, 5),
  'data: [DONE]\n\n',
];

/** Returns one event of a Messages stream. Events of Responses streams have the same format. */
export const messagesEvent = (type: string, rest: Readonly<Record<string, unknown>>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

export const messageStart = messagesEvent('message_start', {
  message: {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'upstream-model',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 0 },
  },
});

/** Returns the events that start a text block and send its first text delta. */
export const messageWords = (text: string): string =>
  messagesEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
  messagesEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });

export const messageEnd =
  messagesEvent('content_block_stop', { index: 0 }) +
  messagesEvent('message_delta', {
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  }) +
  messagesEvent('message_stop', {});
