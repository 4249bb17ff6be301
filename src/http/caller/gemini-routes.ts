/**
 * Serves the paths of Google's Gemini API: translates each request into one of another protocol,
 * passes it to the route of that protocol, and translates the answer back.
 */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { memberText, replaceMembers } from '../../json/edit.ts';
import { asJsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { chatToMessages } from '../../protocols/chat-to-messages/translator.ts';
import { type Asked, geminiAnswer } from '../../protocols/gemini-to-chat/answer.ts';
import {
  geminiEmbeddings,
  readGeminiEmbeddings,
} from '../../protocols/gemini-to-chat/embeddings.ts';
import { inGeminiTerms } from '../../protocols/gemini-to-chat/errors.ts';
import { readGemini } from '../../protocols/gemini-to-chat/request.ts';
import { GeminiStream } from '../../protocols/gemini-to-chat/stream.ts';
import { NO_QUIRKS } from '../../protocols/quirks.ts';
import { NO_PLAN } from '../../protocols/request-fields.ts';
import { invalid } from '../../protocols/validation.ts';
import type { Endpoint } from '../../telemetry/request-journal.ts';
import type { KeyCall, Route } from '../edge/route.ts';

const CHAT_PATH = '/v1/chat/completions';
const EMBEDDINGS_PATH = '/v1/embeddings';
const COUNT_PATH = '/v1/messages/count_tokens';
/** Maximum bytes that the gateway adds to an event of an upstream: names, usage and cost. */
const ADDED_BYTES = 64 * 1024;

const GEMINI_REQUEST = {
  type: 'object',
  required: ['contents'],
  properties: {
    contents: { type: 'array', minItems: 1, items: { type: 'object' } },
    systemInstruction: { type: 'object' },
    tools: { type: 'array', items: { type: 'object' } },
    toolConfig: { type: 'object' },
    generationConfig: { type: 'object' },
  },
};

export type GeminiStreamLimits = {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The maximum size of an upstream's event. */
  readonly maxEventBytes: number;
  /** The time without bytes to the caller after which an event without text is sent. */
  readonly keepAliveMs: number;
};

type Handle = (call: KeyCall) => Promise<Response>;
type Translate = (
  body: ScannedObject,
) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;

const METHODS = [
  ...['generateContent', 'streamGenerateContent', 'countTokens'],
  ...['embedContent', 'batchEmbedContents'],
];

/** Returns the routes of Gemini, which pass each request to a route in `routes`. */
export function geminiRoutes(
  routes: readonly Route[],
  limits: GeminiStreamLimits,
): readonly Route[] {
  const handles = new Map(
    routes.flatMap((route): readonly [string, Handle][] =>
      route.auth === 'key' ? [[route.path, route.handle]] : [],
    ),
  );
  return routes.flatMap((route): readonly Route[] => {
    if (route.path !== CHAT_PATH || route.auth !== 'key') return [];
    const path = '/models/:call{.+}';
    const beta: Route = {
      ...route,
      path: `/v1beta${path}`,
      dialect: 'google',
      doc: {
        ...route.doc,
        summary: 'Generate content as the Gemini API does',
        request: GEMINI_REQUEST,
        response: {
          type: 'object',
          properties: { candidates: { type: 'array', items: { type: 'object' } } },
        },
      },
      handle: (call: KeyCall) => answerMethod(route.handle, handles, call, limits),
    };
    // Newer versions of Google's libraries call /v1.
    return [beta, { ...beta, path: `/v1${path}`, isAlias: true }];
  });
}

async function answerMethod(
  chat: Handle,
  others: ReadonlyMap<string, Handle>,
  call: KeyCall,
  limits: GeminiStreamLimits,
): Promise<Response> {
  const { model, method } = calledMethod(call);
  const isBatch = method === 'batchEmbedContents';
  const embeddings = others.get(EMBEDDINGS_PATH);
  if (embeddings !== undefined && (isBatch || method === 'embedContent'))
    return await embed(embeddings, call, model, isBatch);
  const count = others.get(COUNT_PATH);
  if (count !== undefined && method === 'countTokens') return await countTokens(count, call, model);
  const isStream = method === 'streamGenerateContent';
  return await generate(chat, call, { model, isStream }, limits);
}

/** Answers with `handle`, which gets the translated body. `inTerms` translates its errors. */
async function passTo(
  handle: Handle,
  call: KeyCall,
  translate: Translate,
  inTerms = (error: GatewayError): GatewayError => inGeminiTerms(error),
): Promise<Response> {
  const readScanned = call.readScanned.bind(call);
  let isTranslated = false;
  call.readScanned = async () => {
    const bytes = await translate(await readScanned());
    isTranslated = true;
    return await call.scanMade(bytes);
  };
  return await handle(call).catch((thrown: unknown) => {
    throw isTranslated && thrown instanceof GatewayError ? inTerms(thrown) : thrown;
  });
}

/** Sets the endpoint that the log and the metrics show, since the route is that of chat. */
function logAs(call: KeyCall, endpoint: Endpoint): void {
  const asks = call.asks.bind(call);
  call.asks = (asked) => asks({ ...asked, endpoint });
}

async function embed(
  handle: Handle,
  call: KeyCall,
  model: string,
  isBatch: boolean,
): Promise<Response> {
  logAs(call, 'embeddings');
  const answer = await passTo(handle, call, (body) => readGeminiEmbeddings(body, model, isBatch));
  const { headers } = answer;
  return new Response(geminiEmbeddings(await answer.text(), isBatch), { headers });
}

/** An arbitrary output limit, which the translation needs, although counting has none. */
const ANY_LIMIT = { maxOutput: 64_000 } as const;

/** Removes the options of the answer, which some models refuse, although they add no tokens. */
const WITHOUT_OPTIONS = new Map(
  ['generationConfig', 'generation_config', 'toolConfig', 'tool_config'].map(
    (name) => [name, null] as const,
  ),
);

/** Counts the tokens as Messages, because only Messages upstreams can count tokens. */
async function countTokens(handle: Handle, call: KeyCall, model: string): Promise<Response> {
  logAs(call, 'count_tokens');
  const counted = await passTo(handle, call, async (body) => {
    const { members } = body;
    const whole = members.get('generateContentRequest') ?? members.get('generate_content_request');
    const asked =
      whole === undefined ? body : await call.scanMade(body.bytes.slice(whole.start, whole.end));
    const prompt = await call.scanMade(replaceMembers(asked, WITHOUT_OPTIONS));
    const chat = await call.scanMade(readGemini(prompt, model, false, 'as text').bytes);
    const target = { model, quirks: NO_QUIRKS, clampedOutput: null, plan: NO_PLAN };
    const messages = chatToMessages.prepare(chat, ANY_LIMIT, false).bodyFor(target);
    const provider = memberText(chat, 'provider');
    const edits = new Map([
      ['max_tokens', null],
      ['provider', provider],
    ]);
    return replaceMembers(await call.scanMade(messages), edits);
  });
  const { input_tokens: totalTokens } = asJsonObject(await counted.json()) ?? {};
  return new Response(JSON.stringify({ totalTokens }), { headers: counted.headers });
}

async function generate(
  handle: Handle,
  call: KeyCall,
  { model, isStream }: { readonly model: string; readonly isStream: boolean },
  { clock, maxEventBytes, keepAliveMs }: GeminiStreamLimits,
): Promise<Response> {
  let asked: Asked = { showsThoughts: false, functionNames: new Map() };
  let paths: readonly string[] = [];
  const translate = (body: ScannedObject) => {
    const { bytes, functionPaths, ...rest } = readGemini(body, model, isStream);
    asked = rest;
    paths = functionPaths;
    return bytes;
  };
  const inTerms = (error: GatewayError) => inGeminiTerms(error, paths);
  const response = await passTo(handle, call, translate, inTerms);
  const { body, headers, status } = response;
  if (!isStream || body === null)
    return new Response(geminiAnswer(await response.text(), model, asked), {
      ...{ headers, status },
    });
  const stream = new GeminiStream(model, asked, maxEventBytes + ADDED_BYTES);
  let lastWriteMs = clock.monotonicMs();
  const written = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      const nowMs = clock.monotonicMs();
      const events = stream.push(bytes, nowMs - lastWriteMs > keepAliveMs);
      if (events.byteLength === 0) return;
      lastWriteMs = nowMs;
      controller.enqueue(events);
    },
  });
  return new Response(body.pipeThrough(written), { headers, status });
}

/**
 * Reads the model and the method at the end of the path, such as `gen-x:streamGenerateContent`.
 * @throws GatewayError `unknown_url`, or `invalid_value` for a stream that is not `alt=sse`.
 */
function calledMethod({ params, url }: KeyCall): {
  readonly model: string;
  readonly method: string;
} {
  const path = params['call'] ?? '';
  const colon = path.lastIndexOf(':');
  const [model, method] = [path.slice(0, Math.max(colon, 0)), path.slice(colon + 1)];
  if (model === '' || !METHODS.includes(method))
    throw new GatewayError(
      'unknown_url',
      `Use /v1beta/models/MODEL:METHOD with one of the methods ${METHODS.join(', ')}; others are not offered.`,
    );
  if (method === 'streamGenerateContent' && url.searchParams.get('alt') !== 'sse')
    throw invalid('alt', 'must be sse: streams are server-sent events');
  return { model, method };
}
