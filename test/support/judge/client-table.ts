/**
 * For tests: the clients that are held against the gateway, and what each of them cannot do.
 * `docs/clients.md` is written from this table. A judge or a test of its own runs every row.
 */

import type { UpstreamDialect } from '../upstreams/scripted-turns.ts';
import type { TextEndpointName } from '../upstreams/stream-grammar.ts';

/** What every client is asked to do, and the heading of its column. */
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

/** A scenario that ends otherwise than it should, because of the client. */
type Exception = {
  /** A sentence of the page. */
  readonly note: string;
  /** The upstream protocols where it happens; default: all. */
  readonly over?: readonly UpstreamDialect[];
};

export type ClientRow = {
  readonly endpoint: TextEndpointName;
  /** The package and the version that is tested, from the file that pins it. */
  readonly package: string;
  readonly pinned: 'package.json' | 'test/clients/package.json' | 'test/clients/requirements.txt';
  /** The test file that runs it. */
  readonly test: string;
  /**
   * Whether it keeps the input tokens from the start of a Messages stream. With a chat completions
   * upstream they are an estimate, because it reports usage only at the end.
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
      loop: { note: 'Its tool runner leaves the fields that carry reasoning out of the history.' },
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
        note: 'It sends back only thinking with a signature, which a chat upstream does not give.',
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
      errors: { note: 'Of a 429 it shows the status and the id of the request, but no message.' },
    },
  },
} as const satisfies Readonly<Record<string, ClientRow>>;
export type ClientName = keyof typeof CLIENTS;

export const clientRow = (name: ClientName): ClientRow => CLIENTS[name];

/** The protocols of upstreams that an endpoint reaches. */
export const reachedFrom = (endpoint: TextEndpointName): readonly UpstreamDialect[] =>
  endpoint === 'responses' ? ['chat', 'messages', 'responses'] : ['chat', 'messages'];

/** The note of a scenario that ends otherwise with this client and upstream; null if none does. */
export function exceptionOf(
  name: ClientName,
  scenario: Scenario,
  upstream: UpstreamDialect,
): string | null {
  const found = clientRow(name).exceptions?.[scenario];
  if (found === undefined) return null;
  return found.over === undefined || found.over.includes(upstream) ? found.note : null;
}
