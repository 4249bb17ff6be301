/**
 * Writes a curl command that makes a similar request. The content of requests is never stored, so
 * the command has placeholders instead.
 */
import type { RequestRecord } from '#requests/request-columns.tsx';
import { curlCommand, KEY_HEADER } from '#snippets/curl.ts';

type MadeRequest = Pick<
  RequestRecord,
  'endpoint' | 'model' | 'channel_requested' | 'streamed' | 'image_price'
>;

const PATHS = {
  chat: '/v2/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  images: '/v2/images/generations',
  embeddings: '/v2/embeddings',
} as const satisfies Record<MadeRequest['endpoint'], string>;
const YOUR_WORDS = 'YOUR PROMPT';
/** The `max_tokens` of the command. The Messages protocol requires this field. */
const MAX_TOKENS = 1024;

export function skeletonCurl(request: MadeRequest, baseUrl: string): string {
  const version = request.endpoint === 'messages' ? ["'anthropic-version: 2023-06-01'"] : [];
  return curlCommand(
    `${request.streamed ? '-sSN' : '-sS'} ${baseUrl}${PATHS[request.endpoint]}`,
    [KEY_HEADER, ...version],
    JSON.stringify(bodyOf(request), null, 2),
  );
}

function bodyOf(request: MadeRequest): object {
  const { endpoint, model, channel_requested: channel, streamed } = request;
  const provider = channel === null ? {} : { provider: { channel } };
  if (endpoint === 'images') {
    const [size, quality] = (request.image_price ?? '').split('/');
    const wanted = { ...(size ? { size } : {}), ...(quality === undefined ? {} : { quality }) };
    return { model, ...wanted, ...provider, prompt: YOUR_WORDS };
  }
  if (endpoint === 'responses') return { model, stream: streamed, ...provider, input: YOUR_WORDS };
  if (endpoint === 'embeddings') return { model, ...provider, input: 'YOUR TEXT' };
  return {
    model,
    stream: streamed,
    ...(endpoint === 'messages' ? { max_tokens: MAX_TOKENS } : {}),
    ...provider,
    messages: [{ role: 'user', content: YOUR_WORDS }],
  };
}
