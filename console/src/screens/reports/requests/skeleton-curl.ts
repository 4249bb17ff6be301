/**
 * A request that was made, as a command that makes one like it. What was said in it is not kept anywhere, so
 * the command says where to put the like.
 */
import { shellQuoted } from '../../../snippets/literal.ts';
import type { RequestRecord } from './request-query.ts';

type Told = Pick<
  RequestRecord,
  'endpoint' | 'model' | 'channel_requested' | 'streamed' | 'image_price'
>;

const PATHS = {
  chat: '/v2/chat/completions',
  messages: '/v1/messages',
  images: '/v2/images/generations',
} as const;
const YOUR_WORDS = 'YOUR PROMPT';
/** The Messages protocol takes no request without it. */
const MAX_TOKENS = 1024;

export function skeletonCurl(request: Told, baseUrl: string): string {
  const lines = [
    `curl ${request.streamed ? '-sSN' : '-sS'} ${baseUrl}${PATHS[request.endpoint]}`,
    '-H "Authorization: Bearer $MODELGATE_API_KEY"',
    "-H 'Content-Type: application/json'",
    ...(request.endpoint === 'messages' ? ["-H 'anthropic-version: 2023-06-01'"] : []),
    `-d ${shellQuoted(JSON.stringify(bodyOf(request), null, 2))}`,
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

function bodyOf(request: Told): object {
  const { endpoint, model, channel_requested: channel, streamed } = request;
  const provider = channel === null ? {} : { provider: { channel } };
  if (endpoint === 'images') {
    const [size, quality] = (request.image_price ?? '').split('/');
    const wanted = { ...(size ? { size } : {}), ...(quality === undefined ? {} : { quality }) };
    return { model, ...wanted, ...provider, prompt: YOUR_WORDS };
  }
  return {
    model,
    stream: streamed,
    ...(endpoint === 'messages' ? { max_tokens: MAX_TOKENS } : {}),
    ...provider,
    messages: [{ role: 'user', content: YOUR_WORDS }],
  };
}
