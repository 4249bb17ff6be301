import { expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import { flatTerms } from '../../money/card-terms.ts';
import { NO_RATES } from '../../money/price.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { type FieldPlan, fieldList, planFields } from '../request-fields.ts';
import { CHAT_FIELDS } from './fields.ts';
import { readChatRequest } from './request.ts';
import { chatToChat } from './translator.ts';

const scanned = (members: object) => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const text = JSON.stringify({ model: 'm', messages, ...members });
  return scanObject(new TextEncoder().encode(text), 64);
};

function planned(members: object, isTranslated = false, pass: readonly string[] = []): FieldPlan {
  const body = scanned(members);
  return planFields({
    body,
    claims: readChatRequest(body.view()).claims,
    list: fieldList(CHAT_FIELDS.rules),
    written: [],
    pass: new Set(pass),
    imageDetail: null,
    isTranslated,
    accountId: 'acct_1',
    card: { model: 'gen-x', terms: flatTerms(NO_RATES) },
  });
}

/** Returns the parsed body that a chat upstream gets for a request with these members. */
function sent(members: object): Record<string, unknown> {
  const stream = Object(members).stream === true;
  const prepared = chatToChat.prepare(scanned(members), { maxOutput: 9 }, stream);
  const plan = planned(members);
  const bytes = prepared.bodyFor({ model: 'm', quirks: NO_QUIRKS, clampedOutput: null, plan });
  return JSON.parse(new TextDecoder().decode(bytes));
}

const json_schema = {
  ...{ name: 'reply', description: 'a reply', strict: true },
  schema: { type: 'object', properties: { model: {}, speed: {} }, title: 'x'.repeat(9_000) },
};
const KNOWN = {
  response_format: { type: 'json_schema', json_schema },
  thinking: { type: 'enabled', budget_tokens: 1_024, clear_thinking: true, keep: 'all' },
  reasoning: { effort: 'high', max_tokens: 2_000, exclude: true, enabled: true, summary: 'auto' },
  stream_options: { include_usage: true, include_obfuscation: false },
};

test('members that stock clients send stay as they are', () => {
  const plain = { response_format: { type: 'json_object', schema: { a: 1 } }, thinking: null };
  for (const known of [KNOWN, plain]) {
    expect(planned(known)).toEqual(expect.objectContaining({ edits: new Map(), ignored: [] }));
    expect(sent(known)).toMatchObject(known);
  }
});

test('other members are not sent, and named', () => {
  const members = {
    response_format: { ...KNOWN.response_format, fast: 1, json_schema: { ...json_schema, x: 2 } },
    thinking: { ...KNOWN.thinking, turbo: true },
    reasoning: { ...KNOWN.reasoning, mode: 'pro' },
    stream_options: { ...KNOWN.stream_options, Include_Usage: false },
  };
  expect(planned(members).ignored).toEqual([
    'response_format.json_schema.x',
    'response_format.fast',
    'thinking.turbo',
    'reasoning.mode',
    'stream_options.Include_Usage',
  ]);
  for (const stream of [false, true]) {
    const { messages: _, model: _m, stream: _s, ...fields } = sent({ ...members, stream });
    expect(fields).toEqual(KNOWN);
  }
});

test.each([
  [{ type: 'text', text: 'x', uuid: 'u', video_url: 'https://example.com/v.mp4' }],
  [{ type: 'input_text', uuid: 'logo', image_url: null }],
  [{ type: 'image_url', uuid: 'logo', image_url: { url: 'data:image/png;base64,AAAA' } }],
])('the part %j is refused, since servers look up media by its uuid', (part) => {
  const given = (uuid: unknown) => ({
    messages: [{ role: 'user', content: [{ ...part, uuid }] }],
  });
  expect(() => planned(given(part.uuid))).toThrow(
    expect.objectContaining({
      code: 'unsupported_value',
      param: 'messages[0].content[0].uuid',
      message: expect.stringContaining('omit it'),
    }),
  );
  expect(planned(given(null)).edits.size).toBe(0);
  // A translated request never contains the member.
  expect(planned(given(part.uuid), true).edits.has('messages')).toBe(false);
});

test.each(['constructor', 'toString', '__proto__'])('a tool of type %s is refused', (type) => {
  expect(() => planned({ tools: [{ type }] })).toThrow(
    expect.objectContaining({ code: 'unsupported_value', param: 'tools[0].type' }),
  );
});

test('numbers of a schema keep every digit when another member is left out', () => {
  const text = `{"model":"m","messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json_schema","x":1,"json_schema":{"name":"n","schema":{"maximum":12345678901234567890}}}}`;
  const body = scanObject(new TextEncoder().encode(text), 64);
  const { claims } = readChatRequest(body.view());
  const card = { model: 'gen-x', terms: flatTerms(NO_RATES) };
  const { edits } = planFields({
    ...{ body, claims, card, written: [], pass: new Set(), imageDetail: null },
    ...{ list: fieldList(CHAT_FIELDS.rules), isTranslated: false, accountId: 'acct_1' },
  });
  expect(edits.get('response_format')).toContain('"maximum":12345678901234567890');
});

test('they are named where a translator leaves them out, and sent where the operator passes', () => {
  const body = { reasoning: { boost: 2 } };
  expect(planned(body, true).ignored).toEqual(['reasoning.boost']);
  expect(planned(body, true).edits.has('reasoning')).toBe(false);
  expect(planned(body, false, ['reasoning'])).toEqual(
    expect.objectContaining({ edits: new Map(), ignored: [] }),
  );
});

test.each(['speed', 'service_tier', 'inference_geo', 'model', 'fallbacks'])(
  'the member %s is refused, since it would change the price',
  (name) => {
    for (const [field, known] of Object.entries(KNOWN)) {
      expect(() => planned({ [field]: { ...known, [name]: 'expensive' } })).toThrow(
        expect.objectContaining({ code: 'unsupported_value', param: `${field}.${name}` }),
      );
    }
  },
);
