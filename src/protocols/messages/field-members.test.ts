import { expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import { flatTerms } from '../../money/card-terms.ts';
import { NO_RATES } from '../../money/price.ts';
import { type FieldPlan, fieldList, planFields } from '../request-fields.ts';
import { MESSAGES_FIELDS } from './fields.ts';
import { readMessagesRequest } from './request.ts';

function planned(members: object, isTranslated = false, pass: readonly string[] = []): FieldPlan {
  const messages = [{ role: 'user', content: 'Hi' }];
  const text = JSON.stringify({ model: 'm', max_tokens: 9_999, messages, ...members });
  const body = scanObject(new TextEncoder().encode(text), 64);
  return planFields({
    body,
    claims: readMessagesRequest(body.view()).claims,
    list: fieldList(MESSAGES_FIELDS.rules),
    written: [],
    pass: new Set(pass),
    imageDetail: null,
    isTranslated,
    accountId: 'acct_1',
    card: { model: 'gen-x', terms: flatTerms(NO_RATES) },
  });
}

const FORMAT = { type: 'json_schema', schema: { type: 'object', title: 'x'.repeat(9_000) } };
const KNOWN = {
  output_config: {
    effort: 'low',
    format: FORMAT,
    task_budget: { type: 'tokens', total: 20_000 },
  },
  thinking: { type: 'enabled', budget_tokens: 1_024, display: 'omitted', block_binding: null },
};

test('members that stock clients send stay as they are', () => {
  expect(planned(KNOWN)).toEqual(expect.objectContaining({ edits: new Map(), ignored: [] }));
});

test('other members of output_config and thinking are not sent, and named', () => {
  const { edits, ignored } = planned({
    output_config: { ...KNOWN.output_config, boost: 2, speed: null },
    thinking: { turbo: true, ...KNOWN.thinking },
  });
  expect(ignored).toEqual(['output_config.boost', 'output_config.speed', 'thinking.turbo']);
  expect(JSON.parse(edits.get('output_config') ?? '')).toEqual(KNOWN.output_config);
  expect(JSON.parse(edits.get('thinking') ?? '')).toEqual(KNOWN.thinking);
});

test('they are named where a translator leaves them out, and sent where the operator passes', () => {
  const body = { output_config: { boost: 2 } };
  expect(planned(body, true).ignored).toEqual(['output_config.boost']);
  expect(planned(body, true).edits.has('output_config')).toBe(false);
  expect(planned(body, false, ['output_config'])).toEqual(
    expect.objectContaining({ edits: new Map(), ignored: [] }),
  );
});

test.each(['speed', 'service_tier', 'inference_geo', 'model', 'fallbacks'])(
  'the member %s is refused, since it would change the price',
  (name) => {
    for (const field of ['output_config', 'thinking'] as const) {
      expect(() => planned({ [field]: { ...KNOWN[field], [name]: 'dear' } })).toThrow(
        expect.objectContaining({ code: 'unsupported_value', param: `${field}.${name}` }),
      );
    }
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'system', output_config: { effort: 'low', [name]: 'dear' } },
    ];
    expect(() => planned({ messages })).toThrow(
      expect.objectContaining({ param: `messages[1].output_config.${name}` }),
    );
  },
);

test('a message refuses what its output_config does not define, as Anthropic does', () => {
  const messages = (output_config: object) => [
    { role: 'user', content: 'Hi' },
    { role: 'system', output_config },
  ];
  expect(planned({ messages: messages({ effort: 'low' }) }).ignored).toEqual([]);
  for (const isTranslated of [false, true]) {
    expect(() =>
      planned({ messages: messages({ effort: 'low', boost: 2 }) }, isTranslated),
    ).toThrow(
      expect.objectContaining({
        param: 'messages[1].output_config.boost',
        message: expect.stringContaining('only effort can be sent'),
      }),
    );
  }
  const passed = planned({ messages: messages({ boost: 2 }) }, false, ['messages']);
  expect(passed).toEqual(expect.objectContaining({ edits: new Map(), ignored: [] }));
});
