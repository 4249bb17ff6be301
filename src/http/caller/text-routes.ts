/** Routes of text inference: chat completions, Messages, Responses and token counting. */
import { nextTurn } from '../../clock.ts';
import { LARGEST_REQUEST_BYTES } from '../../config/document/limit-settings.ts';
import { asJsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { readChatRequest } from '../../protocols/chat/request.ts';
import { chatDocument } from '../../protocols/chat/schema.ts';
import { type RequestSize, requestSize } from '../../protocols/inputs/request-size.ts';
import {
  type CountTokensRequest,
  readCountTokensRequest,
  readMessagesRequest,
} from '../../protocols/messages/request.ts';
import { countTokensDocument, messagesDocument } from '../../protocols/messages/schema.ts';
import { NO_QUIRKS } from '../../protocols/quirks.ts';
import { NO_PLAN } from '../../protocols/request-fields.ts';
import { readResponsesRequest } from '../../protocols/responses/request.ts';
import { isCodex } from '../../protocols/responses/response-stream.ts';
import { responsesDocument } from '../../protocols/responses/schema.ts';
import type { Seals } from '../../protocols/responses/seal.ts';
import { responsesToMessages } from '../../protocols/responses-to-chat/translator.ts';
import { type CountRules, countTokens } from '../../relay/count-tokens.ts';
import { type Shop, sell } from '../../relay/sell.ts';
import {
  chatEndpoint,
  messagesEndpoint,
  responsesEndpoint,
  type TextEndpoint,
} from '../../relay/text-endpoints.ts';
import { NO_HEADERS, type TextOrderTerms, textOrder } from '../../relay/text-goods.ts';
import { affinityOf } from '../../routing/affinity.ts';
import { MAX_PROMPT_BYTES, type PromptLog } from '../../telemetry/prompts/prompt-log.ts';
import type { Endpoint } from '../../telemetry/request-journal.ts';
import { isLong } from '../edge/body.ts';
import { idempotencyHeaders } from '../edge/idempotency.ts';
import type { KeyCall, Route, RouteDoc } from '../edge/route.ts';
import { type InferenceDeps, idempotentInference } from './idempotent-inference.ts';
import {
  CHAT_COMPLETION,
  INPUT_TOKENS,
  MESSAGE,
  RESPONSE,
  TOKEN_COUNT,
} from './inference-schemas.ts';

/** An arbitrary output limit, because a counting request has none, but Messages requires one. */
const ANY_LIMIT = { maxOutput: 64_000 } as const;
const JSON_OR_STREAM = ['application/json', 'text/event-stream'] as const;

/** The headers of the Messages protocol that are passed to the upstream. */
const MESSAGES_HEADERS = ['anthropic-version', 'anthropic-beta'] as const;

export type TextDeps = InferenceDeps & {
  readonly shop: Shop;
  readonly countRules: CountRules;
  readonly streamDefault: () => StreamDefault;
  /** The key with which the reasoning of translated Responses answers is signed. */
  readonly seals: Seals;
  readonly prompts: Pick<PromptLog, 'isOn' | 'watched'>;
};

const CREATES = { headers: idempotencyHeaders, mediaTypes: JSON_OR_STREAM } as const;
const CHAT_DOC: RouteDoc = {
  summary: 'Create a chat completion',
  tag: 'chat',
  request: chatDocument,
  response: CHAT_COMPLETION,
  ...CREATES,
};

export function textRoutes(deps: TextDeps): readonly Route[] {
  const codex = responsesEndpoint(deps.seals, true);
  const others = responsesEndpoint(deps.seals, false);
  // Every endpoint has one route under `/v2` and one under `/v1`.
  const both = (
    path: string,
    dialect: Route['dialect'],
    named: Endpoint,
    doc: Route['doc'],
    handle: (call: KeyCall) => Promise<Response>,
  ): readonly Route[] =>
    ['/v2', '/v1'].map((prefix) => ({
      method: 'POST',
      path: `${prefix}${path}`,
      auth: 'key',
      scope: 'inference',
      dialect,
      endpoint: named,
      maxBodyBytes: LARGEST_REQUEST_BYTES,
      doc,
      handle,
    }));
  return [
    ...both('/chat/completions', 'openai', 'chat', CHAT_DOC, (call) => chat(deps, call)),
    playground(deps),
    ...both(
      '/messages',
      'anthropic',
      'messages',
      {
        summary: 'Create a message',
        tag: 'messages',
        request: messagesDocument,
        response: MESSAGE,
        ...CREATES,
      },
      (call) => messages(deps, call),
    ),
    ...both(
      '/responses',
      'openai',
      'responses',
      {
        summary: 'Create a response',
        tag: 'responses',
        request: responsesDocument,
        response: RESPONSE,
        ...CREATES,
      },
      (call) => responses(deps, isCodex(call.request.headers) ? codex : others, call),
    ),
    ...both(
      '/responses/input_tokens',
      'openai',
      'count_tokens',
      {
        summary: 'Count the tokens of the input of a response',
        tag: 'responses',
        request: responsesDocument,
        response: INPUT_TOKENS,
      },
      (call) => countInput(deps, call),
    ),
    ...both(
      '/messages/count_tokens',
      'anthropic',
      'count_tokens',
      {
        summary: 'Count the tokens of a message',
        tag: 'messages',
        request: countTokensDocument,
        response: TOKEN_COUNT,
      },
      (call) => count(deps, call),
    ),
  ];
}

/** Returns the playground's chat route, for a signed-in person with their playground key. */
const playground = (deps: TextDeps): Route => ({
  method: 'POST',
  path: '/console/api/chat/completions',
  auth: 'playground',
  role: 'member',
  dialect: 'openai',
  endpoint: 'chat',
  maxBodyBytes: LARGEST_REQUEST_BYTES,
  doc: { ...CHAT_DOC, tag: 'console' },
  handle: (call) => chat(deps, call),
});

/** Reads a body with `read`. A long body is read in steps, between which other requests run. */
async function readBody<Request>(
  call: KeyCall,
  read: (view: Record<string, unknown>) => Request,
): Promise<{ readonly body: ScannedObject; readonly request: Request }> {
  const body = await call.readScanned();
  const view = body.view();
  if (isLong(body)) await nextTurn();
  const request = read(view);
  if (isLong(body)) await nextTurn();
  return { body, request };
}

async function chat(deps: TextDeps, call: KeyCall): Promise<Response> {
  const { body, request } = await readBody(call, readChatRequest);
  const { headers } = call.request;
  const stream = wantsStream(request.stream, deps.streamDefault(), headers);
  call.asks({ model: request.model, channel: request.channel, stream });
  const wanted = { endpoint: chatEndpoint, request, stream, headers: NO_HEADERS };
  return await sellText(deps, call, body, wanted);
}

async function messages(deps: TextDeps, call: KeyCall): Promise<Response> {
  const { body, request } = await readBody(call, readMessagesRequest);
  const { stream } = request;
  call.asks({ model: request.model, channel: request.channel, stream });
  const headers = messagesHeaders(call.request.headers);
  const wanted = { endpoint: messagesEndpoint, request, stream, headers };
  return await sellText(deps, call, body, wanted);
}

async function responses(deps: TextDeps, endpoint: TextEndpoint, call: KeyCall): Promise<Response> {
  const { body, request } = await readBody(call, readResponsesRequest);
  const { stream } = request;
  call.asks({ model: request.model, channel: request.channel, stream });
  return await sellText(deps, call, body, { endpoint, request, stream, headers: NO_HEADERS });
}

type Wanted = Pick<TextOrderTerms, 'endpoint' | 'request' | 'stream' | 'headers'>;

function sellText(
  deps: TextDeps,
  call: KeyCall,
  body: ScannedObject,
  wanted: Wanted,
): Promise<Response> {
  const size = requestSize(body, wanted.request.inputs);
  // The variables are passed as arguments, because a closure over them would slow every request.
  return isLong(body)
    ? sellInNextTurn(deps, call, body, size, wanted)
    : sellSized(deps, call, body, size, wanted);
}

async function sellInNextTurn(...sizedRequest: Parameters<typeof sellSized>): Promise<Response> {
  await nextTurn();
  return await sellSized(...sizedRequest);
}

function sellSized(
  deps: TextDeps,
  call: KeyCall,
  body: ScannedObject,
  size: RequestSize,
  wanted: Wanted,
): Promise<Response> {
  const { endpoint, request, stream, headers } = wanted;
  const { model } = request;
  const { requestId, trace, caller } = call;
  const order = textOrder({
    endpoint,
    request,
    stream,
    headers,
    body,
    size,
    accountId: caller.accountId,
    affinity: affinityFor(call, body),
    call,
  });
  const common = (kind: 'json' | 'stream') => call.headers(kind);
  const content = { endpoint: endpoint.name, model, body: body.bytes, stream, headers };
  const { prompts } = deps;
  // This is a copy, because the body's memory is released before the answer ends.
  const logged = prompts.isOn(caller) ? body.bytes.slice(0, MAX_PROMPT_BYTES + 1) : null;
  return idempotentInference(deps, call, content, (signal, onCharged) => {
    const buyer = { requestId, trace, caller, signal, headers: common, onCharged };
    const selling = sell(deps.shop, buyer, order);
    if (logged === null) return selling;
    return selling.then((answer) => prompts.watched(requestId, caller, logged, answer));
  });
}

async function count(deps: TextDeps, call: KeyCall): Promise<Response> {
  const { body, request } = await readBody(call, readCountTokensRequest);
  return await countOf(deps, call, body, request);
}

/** Counts a Responses request as Messages, because only Messages upstreams can count tokens. */
async function countInput(deps: TextDeps, call: KeyCall): Promise<Response> {
  const { body, request: asked } = await readBody(call, readResponsesRequest);
  const { model, channel } = asked;
  const asMessages = responsesToMessages(deps.seals).prepare(body, ANY_LIMIT, false);
  const plain = { model, quirks: NO_QUIRKS, clampedOutput: null, plan: NO_PLAN };
  const translated = await call.scanMade(asMessages.bodyFor(plain));
  const request = { ...readCountTokensRequest(translated.view()), channel };
  const counted = await countOf(deps, call, translated, request);
  const { input_tokens } = asJsonObject(await counted.json()) ?? {};
  const text = JSON.stringify({ object: 'response.input_tokens', input_tokens });
  return new Response(text, { headers: counted.headers });
}

async function countOf(
  { shop, countRules }: TextDeps,
  call: KeyCall,
  body: ScannedObject,
  request: CountTokensRequest,
): Promise<Response> {
  const { model, channel, inputs } = request;
  call.asks({ model, channel, stream: false });
  return await countTokens(shop, countRules, {
    requestId: call.requestId,
    caller: call.caller,
    signal: call.request.signal,
    request,
    body,
    inputs,
    headers: messagesHeaders(call.request.headers),
    affinity: affinityFor(call, body),
  });
}

function affinityFor({ caller, request }: KeyCall, body: ScannedObject): () => string | null {
  // Computes the affinity key only once, although it is requested for each priority and each
  // channel with several routes.
  let key: string | null | undefined;
  return () => {
    if (key === undefined)
      key = affinityOf({ accountId: caller.accountId, headers: request.headers, body });
    return key;
  };
}

function messagesHeaders(headers: Headers): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of MESSAGES_HEADERS) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  return passed;
}

/**
 * Whether a chat request without `stream` gets a stream. With `negotiate`, only command-line tools
 * and event-stream clients get one, because official client libraries omit `stream` when they
 * expect JSON.
 */
type StreamDefault = 'negotiate' | 'always' | 'never';

/** Command-line tools that people use. Any other client without `stream` may be a library. */
const HAND_TOOLS = /^(?:curl|wget|httpie|xh)\//i;

/** Whether the response is a stream. @param asked the request's `stream` field; null if omitted. */
export function wantsStream(
  asked: boolean | null,
  setting: StreamDefault,
  headers: Headers,
): boolean {
  if (asked !== null) return asked;
  if (setting !== 'negotiate') return setting === 'always';
  const accept = (headers.get('accept') ?? '').toLowerCase();
  if (accept.includes('text/event-stream')) return true;
  if (accept.includes('json')) return false;
  return HAND_TOOLS.test(headers.get('user-agent') ?? '');
}
