import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { blockSchemas, messagesSchema } from '../messages/schema.ts';
import { REQUEST_FIELDS, TOOL_FIELDS } from './accepted-fields.fixture.ts';
import { BLOCK_TYPES, type Fate, TYPED_TOOLS } from './field-table.ts';
import {
  assistant,
  chatText,
  refusalOf,
  system,
  target,
  text,
  toolResult,
  toolUse,
  user,
} from './request.fixture.ts';

const tool = { name: 'f', input_schema: { type: 'object' } };
const schema = { type: 'object', properties: {} };

/**
 * For each field, a value that would change the answer. `beside` has other members of the request
 * that this value requires.
 */
const FIELDS: Record<string, { value: unknown; beside?: JsonObject }> = {
  messages: { value: [user('Ho')] },
  system: { value: 'Be brief.' },
  max_tokens: { value: 5 },
  stop_sequences: { value: ['END'] },
  temperature: { value: 0.5 },
  top_p: { value: 0.5 },
  top_k: { value: 5 },
  tools: { value: [tool] },
  tool_choice: { value: { type: 'any' }, beside: { tools: [tool] } },
  thinking: { value: { type: 'enabled', budget_tokens: 4096 } },
  output_config: { value: { effort: 'low' } },
  output_format: { value: { type: 'json_schema', schema } },
  metadata: { value: { user_id: 'u1' } },
  service_tier: { value: 'standard_only' },
  cache_control: { value: { type: 'ephemeral' } },
  context_management: { value: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } },
  container: { value: 'container_1' },
  speed: { value: 'fast' },
  diagnostics: { value: { previous_message_id: 'msg_0' } },
  inference_geo: { value: 'us' },
  mcp_servers: { value: [{ type: 'url', name: 'a', url: 'https://example.com' }] },
  compaction: { value: { type: 'summarize' } },
  fallbacks: { value: [{ model: 'other' }] },
  thread: { value: 'thread_1' },
  provider: { value: { channel: 'direct' } },
};

/**
 * Fields that the relay sets. Their values depend on the route, and on whether the answer is
 * streamed.
 */
const SAID_BY_THE_RELAY = ['model', 'stream'];

describe('the table of fields', () => {
  test('has a row for every field of the Messages schema', () => {
    const rows = Object.keys(REQUEST_FIELDS);
    expect(Object.keys(messagesSchema().shape).filter((name) => !rows.includes(name))).toEqual([]);
    expect([...blockSchemas().keys()].filter((name) => !(name in BLOCK_TYPES))).toEqual([]);
  });

  for (const [field, row] of Object.entries(REQUEST_FIELDS)) {
    if (SAID_BY_THE_RELAY.includes(field)) continue;
    test(`${field} is ${row.fate}`, () => {
      const sample = FIELDS[field];
      if (sample === undefined) throw new Error(`no sample of ${field}`);
      expectFate(row, field, sample.beside ?? {}, { ...sample.beside, [field]: sample.value });
    });
  }

  test('the relay sets the model and the stream', () => {
    const said = chatText({}, { ...target(), model: 'other' }, true);
    expect(said).toStartWith('{"model":"other",');
    expect(said).toEndWith(',"stream":true,"stream_options":{"include_usage":true}}');
  });

  test('an unknown field is dropped', () => {
    expect(chatText({ extra: 1 })).toBe(chatText({}));
  });

  test('accepts a refused field with a harmless value', () => {
    const idle = { inference_geo: 'global', mcp_servers: [], compaction: null, fallbacks: [] };
    expect(chatText(idle)).toBe(chatText({}));
  });
});

describe('the table of blocks', () => {
  const samples: Record<string, JsonObject> = {
    text: { text: 'more' },
    image: { source: { type: 'url', url: 'https://example.com/a.png' } },
    document: { source: { type: 'text', media_type: 'text/plain', data: 'a' } },
    search_result: { source: 'https://example.com', title: 'T', content: [text('c')] },
    tool_use: { id: 't1', name: 'f', input: {} },
    tool_result: { tool_use_id: 't0', content: 'x' },
    tool_reference: { tool_name: 'f' },
    thinking: { thinking: 'Hm', signature: 's' },
    redacted_thinking: { data: 'x' },
    server_tool_use: { id: 's1', name: 'web_search', input: { query: 'q' } },
    mcp_tool_use: { id: 's1', name: 'find', server_name: 's', input: {} },
    compaction: { content: 'So far.', encrypted_content: null },
  };
  const ofAnAssistant = /thinking|server_tool_use|mcp_tool|_tool_result|compaction|fallback/;
  const around = (type: string, block: JsonObject[]): JsonObject => {
    if (type === 'tool_use') {
      const results = block.map(() => toolResult('t1', 'x'));
      return {
        messages: [user('a'), assistant([text('b'), ...block]), user([...results, text('c')])],
      };
    }
    if (type === 'tool_result') {
      const uses = block.map(() => toolUse('t0'));
      return {
        messages: [user('a'), assistant([text('b'), ...uses]), user([...block, text('c')])],
      };
    }
    if (ofAnAssistant.test(type)) {
      return { messages: [user('a'), assistant([...block, text('b')]), user('c')] };
    }
    return { messages: [user([text('a'), ...block])] };
  };

  for (const [type, row] of Object.entries(BLOCK_TYPES)) {
    test(`${type} is ${row.fate}`, () => {
      const block = { type, ...samples[type] };
      expectFate(row, 'messages[0].content[1]', around(type, []), around(type, [block]));
    });
  }

  test('rejects an unknown block in any place', () => {
    const block = { type: 'hologram' };
    expect(refusalOf({ messages: [user([block])] })).toBe(
      'unsupported_value at messages[0].content[0]: messages[0].content[0]: a block of type "hologram" ' +
        'is not supported by this model; put its content into a text block.',
    );
    expect(refusalOf({ messages: [user('a'), assistant([block]), user('b')] })).toContain(
      'at messages[1].content[0]:',
    );
    expect(refusalOf({ messages: [user('a'), system([block])] })).toContain(
      'at messages[1].content[0]:',
    );
    expect(refusalOf({ system: [block] })).toContain('at system[0]:');
  });

  test('rejects a block in the wrong message', () => {
    expect(refusalOf({ messages: [user([toolUse('t1')])] })).toContain(
      'a block of type "tool_use" is not allowed here',
    );
  });
});

describe('the tables of tools', () => {
  const samples: Record<string, unknown> = {
    type: 'bash_20250124',
    name: 'g',
    description: 'Clock',
    input_schema: { type: 'object', properties: { tz: { type: 'string' } } },
    strict: true,
    input_examples: [{ tz: 'UTC' }],
    cache_control: { type: 'ephemeral' },
    defer_loading: true,
    eager_input_streaming: true,
    allowed_callers: ['code_execution_20260120'],
  };

  for (const [field, row] of Object.entries(TOOL_FIELDS)) {
    test(`${field} is ${row.fate}`, () => {
      const withIt = { tools: [{ ...tool, [field]: samples[field] }] };
      expectFate(row, `tools[0].${field}`, { tools: [tool] }, withIt);
    });
  }

  for (const [beginning, row] of Object.entries(TYPED_TOOLS)) {
    test(`a tool of type ${beginning}... is ${row.fate}`, () => {
      const typed = { type: `${beginning}20260801`, name: 'it' };
      expectFate(row, 'tools[0].type', {}, { tools: [typed] });
    });
  }

  test('rejects a server tool by name, with a remedy', () => {
    expect(refusalOf({ tools: [{ type: 'web_search_20260318', name: 'web_search' }] })).toBe(
      'unsupported_value at tools[0].type: tools[0].type: the tool "web_search" of type ' +
        '"web_search_20260318" runs on another provider\'s servers and is not available with this model; ' +
        'define a tool with name and input_schema instead.',
    );
  });
});

function expectFate(row: Fate, param: string, without: JsonObject, withIt: JsonObject): void {
  switch (row.fate) {
    case 'mapped':
      expect(chatText(withIt)).not.toBe(chatText(without));
      break;
    case 'dropped':
      expect(chatText(withIt)).toBe(chatText(without));
      break;
    case 'refused':
      expect(refusalOf(withIt)).toMatch(/^unsupported_(?:value|parameter) at /);
      expect(refusalOf(withIt)).toContain(`at ${param}: `);
      expect(refusalOf(withIt)).toContain(row.remedy);
      break;
  }
}
