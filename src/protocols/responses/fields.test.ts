import { expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { scanObject } from '../../json/scan.ts';
import { flatTerms } from '../../money/card-terms.ts';
import { NO_RATES } from '../../money/price.ts';
import { CHAT_FIELDS } from '../chat/fields.ts';
import { MESSAGES_FIELDS } from '../messages/fields.ts';
import {
  type FieldAsk,
  type FieldPlan,
  type FieldTable,
  fieldList,
  planFields,
} from '../request-fields.ts';
import { RESPONSES_FIELDS } from './fields.ts';
import { readResponsesRequest } from './request.ts';

const TERMS = flatTerms(NO_RATES);

/** Returns the field plan (which fields are sent, and how) for a body with these members. */
function planned(members: object, more: Partial<FieldAsk> = {}): FieldPlan {
  const text = JSON.stringify({ model: 'm', input: 'Hi', ...members });
  const body = scanObject(new TextEncoder().encode(text), 64);
  return planFields({
    ...{ body, claims: readResponsesRequest(body.view()).claims, written: [] },
    list: fieldList(RESPONSES_FIELDS.rules),
    ...{ pass: new Set<string>(), imageDetail: null, isTranslated: false, accountId: 'acct_1' },
    card: { model: 'gen-x', terms: TERMS },
    ...more,
  });
}

const selling = (...tools: readonly 'web_search'[]): Partial<FieldAsk> => ({
  card: { model: 'gen-x', terms: { ...TERMS, admits: { ...TERMS.admits, tools } } },
});

test.each([
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ background: true }, 'background'],
  [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  [{ access_programs: ['x'] }, 'access_programs'],
  [{ prompt_cache_options: { prewarm: true } }, 'prompt_cache_options.prewarm'],
  [{ reasoning: { mode: 'pro' } }, 'reasoning.mode'],
  [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  [{ tools: [{ type: 'file_search' }] }, 'tools[0].type'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    'input[0].content[0].file_id',
  ],
])('refused unless the operator passes it: %j', (members, param) => {
  const refusal = expect.objectContaining({ param });
  for (const isTranslated of [false, true])
    expect(() => planned(members, { isTranslated })).toThrow(refusal);
  expect(() => planned(members)).toThrow(GatewayError);
  expect(planned(members, { pass: 'all' }).ignored).toEqual([]);
});

test('case variants of known names are refused, also in items and tools', () => {
  for (const [members, param] of [
    [{ Store: true }, 'Store'],
    [{ input: [{ role: 'user', content: 'Hi', Output: [] }] }, 'input[0].Output'],
    [{ tools: [{ type: 'shell', Environment: {} }] }, 'tools[0].Environment'],
  ] as const)
    expect(() => planned(members)).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param }),
    );
});

test('a tier needs a price', () => {
  const priority = { service_tier: 'priority' };
  expect(() => planned(priority)).toThrow('not sold with "priority"');
  const admits = { ...TERMS.admits, tier: ['priority'] };
  const card = { model: 'gen-x', terms: { ...TERMS, admits } };
  expect(planned(priority, { card }).requested.tier).toBe('priority');
});

test('a web search beside other tools is left out and named, unless the card sells it', () => {
  const own = { type: 'function', name: 'f' };
  const tools = [own, { type: 'web_search' }, { type: 'web_search_preview' }];
  expect(planned({ tools })).toMatchObject({
    leftOut: ['tools[1].type', 'tools[2].type'],
    ignored: ['web_search', 'web_search_preview'],
  });
  expect(planned({ tools }, selling('web_search')).leftOut).toEqual(['tools[2].type']);
});

test('what clients ask to store is not stored', () => {
  for (const store of [true, false, null])
    expect(planned({ store, background: false })).toEqual(
      expect.objectContaining({
        edits: new Map([
          ['store', null],
          ['background', null],
        ]),
        ignored: [],
      }),
    );
});

test('identities have the names of chat there, and of Messages elsewhere', () => {
  const body = { user: 'u', prompt_cache_key: 'k' };
  const edits = (more: Partial<FieldAsk> = {}): Record<string, string | null> =>
    Object.fromEntries(planned(body, more).edits);
  const translatedTo = ({ rules }: FieldTable) =>
    edits({ isTranslated: true, target: fieldList(rules).rules });
  const own = edits();
  expect(Object.values(own).join()).toMatch(/^"[0-9a-f]{32}","[0-9a-f]{32}"$/);
  expect(translatedTo(CHAT_FIELDS)).toEqual({ ...own, service_tier: null });
  expect(translatedTo(MESSAGES_FIELDS)).toEqual({
    metadata: JSON.stringify({ user_id: JSON.parse(own['user'] ?? '') }),
    service_tier: null,
  });
});
