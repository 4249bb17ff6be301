/**
 * For tests: the client libraries that are tested with the gateway, and the scenarios that fail
 * with each library. `docs/clients.md` is generated from this table. Each row has a test.
 */

import type { UpstreamDialect } from '../upstreams/scripted-turns.ts';
import type { TextEndpointName } from '../upstreams/stream-grammar.ts';

/**
 * The scenarios that are tested with each client, and their column headings in `docs/clients.md`.
 */
export const SCENARIOS = {
  plain: 'Plain',
  stream: 'Stream',
  thinking: 'Thinking',
  tools: 'Tools',
  parallel: 'Parallel tools',
  schema: 'JSON schema',
  image: 'Image',
  file: 'PDF',
  limit: 'Token limit',
  loop: 'Reasoning loop',
  errors: 'Errors',
  cut: 'Cut stream',
} as const;
export type Scenario = keyof typeof SCENARIOS;

/** A scenario that fails because of a limitation of the client. */
type Exception = {
  /** The sentence that describes the failure in `docs/clients.md`. */
  readonly note: string;
  /** The upstream protocols with which the scenario fails. Default: all. */
  readonly over?: readonly UpstreamDialect[];
};

export type ClientRow = {
  readonly endpoint: TextEndpointName;
  readonly package: string;
  readonly pinned: 'package.json' | 'test/clients/package.json' | 'test/clients/requirements.txt';
  readonly test: string;
  /**
   * Whether the client uses the input token count at the start of a Messages stream instead of the
   * final count. With a chat completions upstream, the first count is an estimate, because chat
   * reports usage only at the end.
   */
  readonly keepsFirstCount?: true;
  readonly exceptions?: { readonly [S in Scenario]?: Exception };
};

const HIDES_REASONING = {
  note: 'The library ignores the field of chat completions that carries reasoning.',
};

const INCOMPLETE_IS_AN_ERROR = {
  note: 'The Agents SDK raises an error when an answer ends at its token limit.',
};

export const CLIENTS = {
  'openai 7': {
    endpoint: 'chat',
    package: 'openai',
    pinned: 'package.json',
    test: 'test/translated-openai.test.ts',
    exceptions: {
      loop: { note: 'Its tool runner omits the fields that carry reasoning from the history.' },
    },
  },
  'openai 4': {
    endpoint: 'chat',
    package: 'openai-4',
    pinned: 'package.json',
    test: 'test/translated-openai.test.ts',
    exceptions: {
      loop: {
        note: 'Its stream helper keeps only the last piece of `reasoning_content`.',
        over: ['chat'],
      },
    },
  },
  '@ai-sdk/openai-compatible': {
    endpoint: 'chat',
    package: '@ai-sdk/openai-compatible',
    pinned: 'package.json',
    test: 'test/translated-ai-sdk.test.ts',
  },
  '@ai-sdk/openai, chat': {
    endpoint: 'chat',
    package: '@ai-sdk/openai',
    pinned: 'package.json',
    test: 'test/translated-ai-sdk.test.ts',
    exceptions: { thinking: HIDES_REASONING, loop: HIDES_REASONING },
  },
  'LangChain ChatOpenAI': {
    endpoint: 'chat',
    package: '@langchain/openai',
    pinned: 'package.json',
    test: 'test/translated-langchain.test.ts',
    exceptions: { thinking: HIDES_REASONING, loop: HIDES_REASONING },
  },
  '@anthropic-ai/sdk 1': {
    endpoint: 'messages',
    package: '@anthropic-ai/sdk',
    pinned: 'package.json',
    test: 'test/translated-anthropic.test.ts',
  },
  '@anthropic-ai/sdk 0.39': {
    endpoint: 'messages',
    package: 'anthropic-sdk-0',
    pinned: 'package.json',
    test: 'test/translated-anthropic.test.ts',
    keepsFirstCount: true,
  },
  '@ai-sdk/anthropic': {
    endpoint: 'messages',
    package: '@ai-sdk/anthropic',
    pinned: 'package.json',
    test: 'test/translated-ai-sdk.test.ts',
    exceptions: {
      loop: {
        note: 'It sends back only thinking with a signature, and thinking of a chat upstream has no signature.',
        over: ['chat'],
      },
    },
  },
  'LangChain ChatAnthropic': {
    endpoint: 'messages',
    package: '@langchain/anthropic',
    pinned: 'package.json',
    test: 'test/translated-langchain.test.ts',
    keepsFirstCount: true,
  },
  'openai 7, responses': {
    endpoint: 'responses',
    package: 'openai',
    pinned: 'package.json',
    test: 'test/responses-clients.test.ts',
  },
  '@ai-sdk/openai': {
    endpoint: 'responses',
    package: '@ai-sdk/openai',
    pinned: 'package.json',
    test: 'test/responses-clients.test.ts',
  },
  'LangChain ChatOpenAI, useResponsesApi': {
    endpoint: 'responses',
    package: '@langchain/openai',
    pinned: 'package.json',
    test: 'test/responses-clients.test.ts',
  },
  '@ai-sdk/open-responses': {
    endpoint: 'responses',
    package: '@ai-sdk/open-responses',
    pinned: 'test/clients/package.json',
    test: 'test/clients/node.test.ts',
  },
  '@openai/agents': {
    endpoint: 'responses',
    package: '@openai/agents',
    pinned: 'test/clients/package.json',
    test: 'test/clients/node.test.ts',
    exceptions: { limit: INCOMPLETE_IS_AN_ERROR },
  },
  'Python openai': {
    endpoint: 'responses',
    package: 'openai',
    pinned: 'test/clients/requirements.txt',
    test: 'test/clients/python.test.ts',
  },
  'Python openai-agents': {
    endpoint: 'responses',
    package: 'openai-agents',
    pinned: 'test/clients/requirements.txt',
    test: 'test/clients/python.test.ts',
    exceptions: { limit: INCOMPLETE_IS_AN_ERROR },
  },
  Codex: {
    endpoint: 'responses',
    package: '@openai/codex',
    pinned: 'test/clients/package.json',
    test: 'test/clients/codex.test.ts',
    exceptions: {
      plain: { note: 'It always streams.' },
      file: { note: 'It sends images, but no other files.' },
      limit: { note: 'It sets no limit.' },
      errors: { note: 'For a 429, it shows the status and the id of the request, but no message.' },
    },
  },
} as const satisfies Readonly<Record<string, ClientRow>>;
export type ClientName = keyof typeof CLIENTS;

export const clientRow = (name: ClientName): ClientRow => CLIENTS[name];

/** Returns the upstream protocols that can serve the requests of an endpoint. */
export const reachedFrom = (endpoint: TextEndpointName): readonly UpstreamDialect[] =>
  endpoint === 'responses' ? ['chat', 'messages', 'responses'] : ['chat', 'messages'];

/**
 * Returns the note about the failure if this scenario fails with this client and upstream;
 * otherwise null.
 */
export function exceptionOf(
  name: ClientName,
  scenario: Scenario,
  upstream: UpstreamDialect,
): string | null {
  const found = clientRow(name).exceptions?.[scenario];
  if (found === undefined) return null;
  return found.over === undefined || found.over.includes(upstream) ? found.note : null;
}
