import { expect, test } from 'bun:test';
import { skeletonCurl } from './skeleton-curl.ts';

const REQUEST: Parameters<typeof skeletonCurl>[0] = {
  ...{ endpoint: 'chat', model: 'gen-x', channel_requested: null, streamed: false },
  image_price: null,
};

/** Parses the JSON request body of a curl command, after it undoes the shell quoting. */
const bodyOf = (command: string): unknown =>
  JSON.parse(/-d '([\s\S]*)'\n$/.exec(command)?.[1]?.replaceAll("'\\''", "'") ?? '');

test('the command repeats a request without its content', () => {
  const command = skeletonCurl(REQUEST, 'https://gate.example');
  expect(command).toStartWith('curl -sS https://gate.example/v2/chat/completions \\\n');
  expect(bodyOf(command)).toEqual({
    ...{ model: 'gen-x', stream: false },
    messages: [{ role: 'user', content: 'YOUR PROMPT' }],
  });
});

test('the command keeps channel, protocol and size', () => {
  const messages = skeletonCurl(
    { ...REQUEST, endpoint: 'messages', channel_requested: "it's", streamed: true },
    'https://gate.example',
  );
  expect(messages).toContain('curl -sSN https://gate.example/v1/messages');
  expect(bodyOf(messages)).toMatchObject({ max_tokens: 1024, provider: { channel: "it's" } });
  const responses = skeletonCurl({ ...REQUEST, endpoint: 'responses' }, 'https://gate.example');
  expect(responses).toStartWith('curl -sS https://gate.example/v1/responses \\\n');
  expect(bodyOf(responses)).toEqual({ model: 'gen-x', stream: false, input: 'YOUR PROMPT' });
  const embedding = skeletonCurl({ ...REQUEST, endpoint: 'embeddings' }, 'https://gate.example');
  expect(embedding).toStartWith('curl -sS https://gate.example/v2/embeddings \\\n');
  expect(bodyOf(embedding)).toEqual({ model: 'gen-x', input: 'YOUR TEXT' });
  const image = { ...REQUEST, endpoint: 'images', image_price: '1024x1024/hd' } as const;
  expect(bodyOf(skeletonCurl(image, ''))).toEqual({
    ...{ model: 'gen-x', size: '1024x1024', quality: 'hd', prompt: 'YOUR PROMPT' },
  });
});
