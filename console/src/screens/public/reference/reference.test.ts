import { describe, expect, test } from 'bun:test';
import { curlOf, exampleRequest, pythonOf, typescriptOf } from './examples.ts';
import { foundOperations, referenceOf } from './openapi.ts';
import { fieldsOf, typeOf } from './schema-tree.ts';

const chat = {
  post: {
    ...{ summary: 'Answer a chat', tags: ['chat'], security: [{ apiKey: [] }, { xApiKey: [] }] },
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Chat' } } },
    },
    responses: {
      200: { description: 'Success', content: { 'text/event-stream': { schema: {} } } },
    },
  },
};
const DOCUMENT = {
  servers: [{ url: 'https://gate.example' }],
  paths: {
    '/v1/chat/completions': chat,
    '/v2/chat/completions': chat,
    '/admin/v1/accounts/{id}': {
      get: {
        ...{
          summary: 'One account',
          tags: ['admin'],
          security: [{ adminToken: [] }, { session: [] }],
        },
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
      },
    },
    '/odd': 7,
  },
  components: {
    schemas: {
      Chat: {
        type: 'object',
        required: ['model', 'messages'],
        properties: {
          model: { type: 'string', maxLength: 200, description: "Of the catalogue's." },
          messages: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Turn' } },
          temperature: { anyOf: [{ type: 'number' }, { type: 'null' }] },
          before: { $ref: '#/components/schemas/Chat' },
        },
      },
      Turn: {
        type: 'object',
        required: ['role', 'content'],
        properties: { role: { enum: ['user', 'system'] }, content: { type: 'string' } },
      },
    },
  },
};

const reference = referenceOf(DOCUMENT);
const [chatOperation, account] = reference.operations;

describe('the operations', () => {
  test('are listed once, whatever their prefixes', () => {
    expect(reference.operations.map(({ anchor, alsoAt }) => [anchor, alsoAt])).toEqual([
      ['post-v2-chat-completions', '/v1/chat/completions'],
      ['get-admin-v1-accounts-id', null],
    ]);
    expect(chatOperation?.auth).toEqual(['apiKey', 'xApiKey']);
  });

  test('are found by words in any field', () => {
    const found = (query: string) => foundOperations(reference.operations, query).length;
    expect([
      found(''),
      found('post ANSWER'),
      found('v1/chat'),
      found('account get'),
      found('x'),
    ]).toEqual([2, 1, 1, 1, 0]);
  });

  test('an invalid document has none', () => {
    expect(referenceOf(null)).toEqual({ baseUrl: '', operations: [], schemas: {} });
  });
});

describe('a schema', () => {
  const fields = fieldsOf({ $ref: '#/components/schemas/Chat' }, reference.schemas);

  test('lists fields with type, limits and description', () => {
    expect(fields.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['model', 'string', true],
      ['messages', 'array of Turn', true],
      ['temperature', 'number or null', false],
      ['before', 'Chat', false],
    ]);
    expect(fields[0]).toMatchObject({
      limits: ['at most 200 characters'],
      description: "Of the catalogue's.",
      inner: null,
    });
  });

  test('expands one level at a time, so that recursion ends', () => {
    const [, messages, , before] = fields;
    const turn = fieldsOf(messages?.inner ?? {}, reference.schemas);
    expect(turn.map(({ name, values }) => [name, values])).toEqual([
      ['role', ['user', 'system']],
      ['content', []],
    ]);
    expect(fieldsOf(before?.inner ?? {}, reference.schemas)).toHaveLength(4);
  });

  test('with several types names each once', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'string' }, { const: 'auto' }] };
    expect(typeOf(schema, {})).toBe('string or "auto"');
  });
});

describe('the command', () => {
  test('has the required fields', () => {
    const command =
      chatOperation === undefined
        ? ''
        : curlOf(exampleRequest(chatOperation, reference), reference.baseUrl);
    expect(command).toStartWith('curl -sS -X POST https://gate.example/v2/chat/completions \\\n');
    expect(command).toContain('-H "Authorization: Bearer $MODELGATE_API_KEY"');
    expect(JSON.parse(/-d '([\s\S]*)'/.exec(command)?.[1] ?? '')).toEqual({
      model: 'MODEL',
      messages: [{ role: 'user', content: 'Hello!' }],
    });
  });

  test('is also a program in Python and in TypeScript, with the key from the environment', () => {
    const request = chatOperation && exampleRequest(chatOperation, reference, 'gen');
    if (request === undefined) throw new Error('the document has a chat operation');
    const python = pythonOf(request, reference.baseUrl);
    expect(python).toContain(`f"Bearer {os.environ['MODELGATE_API_KEY']}"`);
    expect(python).toContain('json={"model": "gen", "messages": [');
    const typescript = typescriptOf(request, reference.baseUrl);
    expect(typescript).toContain("await fetch('https://gate.example/v2/chat/completions', {");
    expect(typescript).toMatch(/Authorization: `Bearer \$\{process\.env\.MODELGATE_API_KEY\}`/);
  });

  test('names the path parameters', () => {
    const command =
      account === undefined ? '' : curlOf(exampleRequest(account, reference), reference.baseUrl);
    expect(command).toStartWith('curl -sS https://gate.example/admin/v1/accounts/ID');
    expect(command).toContain('$MODELGATE_ADMIN_TOKEN');
  });
});
