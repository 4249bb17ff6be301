import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { JsonScan } from '../json/scan.ts';
import { type CardTerms, flatTerms } from '../money/card-terms.ts';
import { NO_RATES } from '../money/price.ts';
import { CHAT_FIELDS } from './chat/fields.ts';
import { readChatRequest } from './chat/request.ts';
import { ignoredFieldsHeader } from './field-names.ts';
import { MESSAGES_FIELDS } from './messages/fields.ts';
import { readMessagesRequest } from './messages/request.ts';
import {
  type FieldAsk,
  type FieldPlan,
  fieldList,
  planFields,
  withEdits,
} from './request-fields.ts';
import { RESPONSES_FIELDS } from './responses/fields.ts';

type Admitted = Partial<CardTerms['admits']>;
type Options = Partial<Pick<FieldAsk, 'isTranslated' | 'pass' | 'written' | 'accountId'>> & {
  readonly admits?: Admitted;
};

const LISTS = {
  chat: fieldList(CHAT_FIELDS.rules),
  messages: fieldList(MESSAGES_FIELDS.rules),
} as const;

const NEEDED = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  messages: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
} as const;

/** Returns the field plan for a body with these members. `admits`: what the price card allows. */
function planned(format: keyof typeof NEEDED, members: object, options: Options = {}): FieldPlan {
  const { admits, ...rest } = options;
  const bytes = new TextEncoder().encode(JSON.stringify({ ...NEEDED[format], ...members }));
  const body = new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
  const read = format === 'chat' ? readChatRequest : readMessagesRequest;
  const terms = flatTerms(NO_RATES);
  return planFields({
    body,
    claims: read(body.view()).claims,
    list: LISTS[format],
    written: [],
    pass: new Set(),
    imageDetail: null,
    isTranslated: false,
    accountId: 'acct_1',
    card: { model: 'gen-x', terms: { ...terms, admits: { ...terms.admits, ...admits } } },
    ...rest,
  });
}

const edits = (format: keyof typeof NEEDED, members: object, options: Options = {}): object =>
  Object.fromEntries(planned(format, members, options).edits);

const sent = ({ edits, ignored }: FieldPlan) => ({ edits, ignored });

function refusal(format: keyof typeof NEEDED, members: object, options: Options = {}): string {
  try {
    planned(format, members, options);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.code} at ${thrown.param}`;
    throw thrown;
  }
  return 'accepted';
}

const says = (content: unknown, role = 'user') => ({ messages: [{ role, content }] });

test('the tables have sources and the day on which they were read', () => {
  for (const { sources, checked } of [CHAT_FIELDS, MESSAGES_FIELDS, RESPONSES_FIELDS]) {
    for (const source of sources) expect(new URL(source).protocol).toBe('https:');
    expect(checked).toMatch(/^2026-\d\d-\d\d$/);
  }
});

describe('an unknown field', () => {
  test('is not sent, and named', () => {
    const body = { models: ['dear'], plugins: [{ id: 'web' }], best_of: 20, api_base: 'https://x' };
    for (const format of ['chat', 'messages'] as const) {
      expect(sent(planned(format, body))).toEqual({
        edits: new Map(Object.keys(body).map((name) => [name, null])),
        ignored: Object.keys(body),
      });
    }
  });

  test('is sent where the operator passes it, or everything', () => {
    const body = { best_of: 2, use_beam_search: true };
    expect(planned('chat', body, { pass: new Set(['best_of']) }).ignored).toEqual([
      'use_beam_search',
    ]);
    expect(sent(planned('chat', body, { pass: 'all' }))).toEqual({ edits: new Map(), ignored: [] });
  });

  test('is named although a translator leaves it out by itself', () => {
    expect(sent(planned('chat', { best_of: 2 }, { isTranslated: true, pass: 'all' }))).toEqual({
      edits: new Map([['service_tier', null]]),
      ignored: ['best_of'],
    });
  });
});

describe('a case variant of a known name', () => {
  test.each([
    ['chat', 'Model'],
    ['chat', 'MAX_TOKENS'],
    ['chat', 'Stream_Options'],
    ['chat', '\u017ftream'],
    ['chat', 'top_\u212a'],
    ['messages', 'Fallbacks'],
  ] as const)('of %s is refused: %s', (format, name) => {
    expect(refusal(format, { [name]: 1 })).toBe(`unsupported_parameter at ${name}`);
    expect(refusal(format, { [name]: 1 }, { pass: 'all' })).toBe(
      `unsupported_parameter at ${name}`,
    );
  });

  test.each([
    ['chat', { tools: [{ Type: 'web_search', type: 'function', function: { name: 'f' } }] }],
    ['chat', says([{ type: 'text', text: 'x', Image_URL: { url: 'https://x/a.png' } }])],
    ['chat', says([{ type: 'file', file: { file_data: 'data:,x', File_ID: 'file-1' } }])],
    ['messages', { tools: [{ name: 'f', input_schema: {}, Model: 'dear' }] }],
    ['messages', says([{ type: 'text', text: 'x', Cache_Control: { type: 'ephemeral' } }])],
    [
      'messages',
      says([{ type: 'image', source: { type: 'url', url: 'https://x', File_ID: 'f' } }]),
    ],
  ] as const)('is refused below the top level of %s', (format, body) => {
    expect(refusal(format, body)).toStartWith('unsupported_parameter at ');
  });

  test('is accepted in what the caller defines', () => {
    const schema = { type: 'object', properties: { Model: {}, URL: {}, Type: {} } };
    const tool = { type: 'function', function: { name: 'f', parameters: schema } };
    expect(refusal('chat', { tools: [tool] })).toBe('accepted');
    expect(refusal('messages', { tools: [{ name: 'f', input_schema: schema }] })).toBe('accepted');
    const use = { type: 'tool_use', id: 't', name: 'f', input: { Type: 1, Model: 'x' } };
    expect(refusal('messages', says([use], 'assistant'))).toBe('accepted');
  });
});

describe('a priced field', () => {
  const FIELDS = [
    ['chat', 'service_tier', 'priority', 'tier', 'default'],
    ['chat', 'service_tier', 'flex', 'tier', 'auto'],
    ['messages', 'service_tier', 'priority', 'tier', 'auto'],
    ['messages', 'speed', 'fast', 'speed', 'standard'],
  ] as const;

  test.each(FIELDS)('of %s is refused: %s %s', (format, field, value) => {
    expect(refusal(format, { [field]: value })).toBe(`unsupported_value at ${field}`);
  });

  test.each(FIELDS)('of %s passes if the card admits it: %s %s', (format, field, value, by) => {
    expect(edits(format, { [field]: value }, { admits: { [by]: [value] } })).toEqual({});
  });

  test.each(FIELDS)('of %s is left out if it asks for the usual: %s', (...row) => {
    const [format, field, , , usual] = row;
    expect(sent(planned(format, { [field]: usual }))).toEqual({
      edits: new Map([[field, null]]),
      ignored: [],
    });
  });

  test('says what is sold', () => {
    expect(() =>
      planned('chat', { service_tier: 'flex' }, { admits: { tier: ['priority'] } }),
    ).toThrow(
      'service_tier: gen-x is not sold with "flex"; send auto or default or priority, or omit it.',
    );
  });

  test('is admitted by the name of its price', () => {
    const bytes = new TextEncoder().encode('{"service_tier":"fast"}');
    const body = new JsonScan({ maxDepth: 4 }).finish(bytes, bytes.byteLength);
    const terms = flatTerms(NO_RATES);
    const names = { ...terms.names, tier: new Map([['fast', 'priority']]) };
    const ask: FieldAsk = {
      ...{ body, claims: [], list: LISTS.chat, written: [], pass: new Set<string>() },
      imageDetail: null,
      ...{ isTranslated: false, accountId: 'a' },
      card: {
        model: 'm',
        terms: { ...terms, names, admits: { ...terms.admits, tier: ['priority'] } },
      },
    };
    expect(planFields(ask).edits.size).toBe(0);
  });

  test('inference_geo: the usual place is sent, another needs a price', () => {
    expect(edits('messages', { inference_geo: 'global' })).toEqual({});
    expect(refusal('messages', { inference_geo: 'us' })).toBe('unsupported_value at inference_geo');
    expect(edits('messages', { inference_geo: 'us' }, { admits: { geo: ['us'] } })).toEqual({});
  });

  test('a cache of one hour is refused where the card does not admit it', () => {
    const body = says([
      { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
    expect(refusal('messages', body)).toBe('accepted');
    expect(refusal('messages', body, { admits: { cacheTtl: ['5m'] } })).toBe(
      'unsupported_value at messages[0].content[0].cache_control.ttl',
    );
    expect(refusal('chat', body)).toBe(
      'unsupported_value at messages[0].content[0].cache_control.ttl',
    );
    expect(refusal('chat', body, { isTranslated: true })).toBe('accepted');
  });

  test('the original resolution of an image needs a price', () => {
    const body = (detail: string) =>
      says([{ type: 'image_url', image_url: { url: 'https://x/a.png', detail } }]);
    for (const detail of ['low', 'high', 'auto'])
      expect(refusal('chat', body(detail))).toBe('accepted');
    expect(refusal('chat', body('original'))).toBe(
      'unsupported_value at messages[0].content[0].image_url.detail',
    );
    expect(refusal('chat', body('original'), { admits: { imageDetail: ['original'] } })).toBe(
      'accepted',
    );
  });
});

describe('foreign fields and fields of other models', () => {
  const image = (source: object) => says([{ type: 'image', source }]);
  test.each([
    ['chat', { web_search_options: {} }, 'web_search_options'],
    ['chat', { moderation: { model: 'm' } }, 'moderation'],
    [
      'chat',
      says([{ type: 'file', file: { file_id: 'file-1' } }]),
      'messages[0].content[0].file.file_id',
    ],
    ['chat', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }, 'messages[0].audio.id'],
    ['chat', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    ['chat', { tools: [{ type: 'mcp', server_url: 'https://x' }] }, 'tools[0].type'],
    ['chat', says([{ type: 'hologram' }]), 'messages[0].content[0].type'],
    ['messages', { fallbacks: [{ model: 'dear' }] }, 'fallbacks'],
    ['messages', { fallbacks: 'default' }, 'fallbacks'],
    ['messages', { container: 'c' }, 'container'],
    ['messages', { container: { id: 'c', skills: [] } }, 'container'],
    ['messages', { mcp_servers: [{ url: 'https://x' }] }, 'mcp_servers'],
    ['messages', { fallback_credit_token: 't' }, 'fallback_credit_token'],
    ['messages', { billing_policy: {} }, 'billing_policy'],
    ['messages', image({ type: 'file', file_id: 'f' }), 'messages[0].content[0].source.file_id'],
    ['messages', says([{ type: 'container_upload', file_id: 'f' }]), 'messages[0].content[0].type'],
    ['messages', says([{ type: 'hologram' }]), 'messages[0].content[0].type'],
    ['messages', { tools: [{ type: 'web_search_20260318', name: 'w' }] }, 'tools[0].type'],
    ['messages', { tools: [{ type: 'advisor_20260301', name: 'a', model: 'd' }] }, 'tools[0].type'],
    ['messages', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }] }, 'tools[0].type'],
    ['messages', { tools: [{ type: 'new_2031', name: 'x' }] }, 'tools[0].type'],
    ['messages', { tools: [{ name: 'x', input_schema: {}, model: 'd' }] }, 'tools[0].model'],
  ] as const)('of %s are refused: %j', (format, body, param) => {
    expect(refusal(format, body)).toMatch(/^unsupported_(?:value|parameter) at /);
    expect(refusal(format, body)).toEndWith(` at ${param}`);
    const [root = ''] = param.split(/[.[]/);
    expect(refusal(format, body, { pass: new Set([root]) })).toBe('accepted');
    expect(refusal(format, body, { pass: 'all' })).toBe('accepted');
  });

  test('are refused in documents, tool results and tools that are added later', () => {
    const file = { type: 'document', source: { type: 'file', file_id: 'f' } };
    const within = { type: 'tool_result', tool_use_id: 't', content: [file] };
    expect(refusal('messages', says([within]))).toBe(
      'unsupported_value at messages[0].content[0].content[0].source.file_id',
    );
    const wrapped = { type: 'document', source: { type: 'content', content: [file] } };
    expect(refusal('messages', says([wrapped]))).toBe(
      'unsupported_value at messages[0].content[0].source.content[0].source.file_id',
    );
    const definition = { type: 'web_search_20260318', name: 'w' };
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
    expect(refusal('messages', says([added], 'system'))).toBe(
      'unsupported_value at messages[0].content[0].tool.definition.type',
    );
    const inline = { messages: [{ role: 'user', content: 'x', tools: [definition] }] };
    expect(refusal('messages', inline)).toBe('unsupported_value at messages[0].tools[0].type');
  });

  test('are left out if they ask for nothing', () => {
    const idle = { fallbacks: [], container: null, mcp_servers: [], speed: null };
    expect(sent(planned('messages', idle))).toEqual({
      edits: new Map(Object.keys(idle).map((name) => [name, null])),
      ignored: [],
    });
  });

  test("a provider's tool passes if the card has a price for it", () => {
    const tools = [{ type: 'web_search_20260318', name: 'w' }];
    expect(refusal('messages', { tools }, { admits: { tools: ['web_search'] } })).toBe('accepted');
    expect(() => planned('messages', { tools }, { admits: { tools: ['maps'] } })).toThrow(
      'tools[0].type: "web_search_20260318" runs at the provider for a fee and is not sold with ' +
        'gen-x (tools that are sold with this model: maps); remove it, or define a tool of your own.',
    );
  });

  test("the caller's own tools pass", () => {
    const client = [
      'bash_20250124',
      'text_editor_20250728',
      'memory_20250818',
      'computer_20251124',
    ];
    const tools = client.map((type) => ({ type, name: type }));
    expect(refusal('messages', { tools })).toBe('accepted');
  });
});

test('store and labels of stock clients are accepted and not sent', () => {
  const members = { store: true, metadata: { job: 'a' }, user: null };
  expect(sent(planned('chat', members))).toEqual({
    edits: new Map(Object.keys(members).map((name) => [name, null])),
    ignored: ['store', 'metadata'],
  });
  expect(planned('chat', { store: false }).ignored).toEqual([]);
});

describe('identities', () => {
  test('are sent as digests that differ between accounts', () => {
    const body = { user: 'u', safety_identifier: 's', prompt_cache_key: 'k' };
    const one = edits('chat', body);
    const other = edits('chat', body, { accountId: 'acct_2' });
    expect(Object.keys(one)).toEqual(Object.keys(body));
    const texts = [...Object.values(one), ...Object.values(other)];
    expect(new Set(texts).size).toBe(6);
    for (const text of texts) expect(text).toMatch(/^"[0-9a-f]{32}"$/);
    expect(edits('chat', body)).toEqual(one);
  });

  test('keep their place in a translated request', () => {
    const user = (members: object) =>
      edits('chat', members, { isTranslated: true }) as Record<string, string>;
    const [both, id] = [
      user({ user: 'u', safety_identifier: 's' }),
      user({ safety_identifier: 's' }),
    ];
    expect(both['metadata']).toBe(id['metadata'] ?? '');
    expect(JSON.parse(user({ user: 'u' })['metadata'] ?? '').user_id).toHaveLength(32);
    const chat = edits('messages', { metadata: { user_id: 'u' } }, { isTranslated: true });
    expect(chat).toHaveProperty('user');
  });

  test('metadata is sent with the user alone', () => {
    const { metadata } = edits('messages', { metadata: { user_id: 'u', org: 'x' } }) as {
      readonly metadata: string;
    };
    expect(Object.keys(JSON.parse(metadata))).toEqual(['user_id']);
    expect(edits('messages', { metadata: { org: 'x' } })).toEqual({ metadata: null });
  });
});

describe('what the gateway writes', () => {
  const written = [
    { name: 'service_tier', text: '"default"', condition: 'tier' },
    { name: 'store', text: 'false', condition: null },
  ] as const;

  test('stands in every request', () => {
    const all = { service_tier: '"default"', store: 'false' };
    expect(edits('chat', {}, { written })).toEqual(all);
    expect(edits('chat', { service_tier: 'auto', store: true }, { written })).toEqual(all);
  });

  test('gives way to what the card admits and what the operator passes', () => {
    const admits = { tier: ['flex'] };
    expect(edits('chat', { service_tier: 'flex' }, { written, admits })).toEqual({
      store: 'false',
    });
    const pass = new Set(['store']);
    expect(edits('chat', { store: true }, { written, pass })).toEqual({
      service_tier: '"default"',
    });
    expect(edits('chat', {}, { written, pass })).toHaveProperty('store');
  });
});

test('edits remove and write members', () => {
  const edited = withEdits(
    { a: 1, b: 2 },
    new Map([
      ['a', null],
      ['b', '[3]'],
      ['c', '"d"'],
    ]),
  );
  expect(edited).toEqual({ b: [3], c: 'd' });
});

test('the header names at most sixteen printable names', () => {
  expect(ignoredFieldsHeader([])).toBeNull();
  expect(ignoredFieldsHeader(['a', 'b-c'])).toBe('a, b-c');
  expect(ignoredFieldsHeader(['a', 'x\r\ny', 'ü', 'z'.repeat(65)])).toBe('a, and 3 more');
  const many = Array.from({ length: 300 }, (_, index) => `f${index}`);
  expect(ignoredFieldsHeader(many)).toEndWith(', f15, and 284 more');
});
