/**
 * Serves the paths of Google's Gemini API: translates each request into a chat request, passes it
 * to the chat route, and translates the answer back.
 */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { type Asked, geminiAnswer } from '../../protocols/gemini-to-chat/answer.ts';
import { inGeminiTerms } from '../../protocols/gemini-to-chat/errors.ts';
import { readGemini } from '../../protocols/gemini-to-chat/request.ts';
import { GeminiStream } from '../../protocols/gemini-to-chat/stream.ts';
import { invalid } from '../../protocols/validation.ts';
import type { KeyCall, Route } from '../edge/route.ts';

const CHAT_PATH = '/v1/chat/completions';
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

/** Returns the routes of Gemini, which pass each request to the chat route in `routes`. */
export function geminiRoutes(
  routes: readonly Route[],
  limits: GeminiStreamLimits,
): readonly Route[] {
  return routes.flatMap((route): readonly Route[] => {
    if (route.path !== CHAT_PATH || route.auth !== 'key') return [];
    const { handle } = route;
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
      handle: (call: KeyCall) => generate(handle, call, limits),
    };
    // Newer versions of Google's libraries call /v1.
    return [beta, { ...beta, path: `/v1${path}`, isAlias: true }];
  });
}

type Handle = (call: KeyCall) => Promise<Response>;

async function generate(
  handle: Handle,
  call: KeyCall,
  { clock, maxEventBytes, keepAliveMs }: GeminiStreamLimits,
): Promise<Response> {
  const { model, isStream } = calledMethod(call);
  const readScanned = call.readScanned.bind(call);
  let asked: Asked = { showsThoughts: false, functionNames: new Map() };
  let isTranslated = false;
  call.readScanned = async () => {
    const request = readGemini(await readScanned(), model, isStream);
    const { showsThoughts, functionNames } = request;
    asked = { showsThoughts, functionNames };
    isTranslated = true;
    return await call.scanMade(request.bytes);
  };
  const response = await handle(call).catch((thrown: unknown) => {
    throw isTranslated && thrown instanceof GatewayError ? inGeminiTerms(thrown) : thrown;
  });
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
  readonly isStream: boolean;
} {
  const path = params['call'] ?? '';
  const colon = path.lastIndexOf(':');
  const [model, method] = [path.slice(0, Math.max(colon, 0)), path.slice(colon + 1)];
  if (model === '' || (method !== 'generateContent' && method !== 'streamGenerateContent'))
    throw new GatewayError(
      'unknown_url',
      'Use /v1beta/models/MODEL:generateContent or :streamGenerateContent; other methods of the Gemini API are not offered.',
    );
  const isStream = method === 'streamGenerateContent';
  if (isStream && url.searchParams.get('alt') !== 'sse')
    throw invalid('alt', 'must be sse: streams are server-sent events');
  return { model, isStream };
}
