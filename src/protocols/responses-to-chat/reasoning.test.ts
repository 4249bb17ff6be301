import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';
import {
  call,
  chatMessages,
  messagesBody,
  output,
  reasoning,
  refused,
  said,
  signed,
  turns,
  user,
} from './request.fixture.ts';

const thinking = (text: string) => ({
  type: 'thinking',
  thinking: text,
  signature: `sig of ${text}`,
});
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} });
const blocks = (...items: JsonObject[]): unknown =>
  (turns([user('a'), ...items, user('z')])[1] as unknown[])[1];

describe('sealed thinking on Messages', () => {
  test('comes back with its signature, in the place of its item', () => {
    const items = [
      reasoning({ details: [signed('one')] }),
      said('Hello'),
      reasoning({ details: [signed('two')] }),
      said('there'),
      call('c1'),
      reasoning({
        details: [{ type: 'reasoning.encrypted', data: 'XYZ', format: 'anthropic-claude-v1' }],
      }),
      call('c2'),
      output('c1'),
      output('c2'),
    ];
    expect(blocks(...items)).toEqual([
      thinking('one'),
      text('Hello'),
      thinking('two'),
      text('there'),
      use('c1'),
      { type: 'redacted_thinking', data: 'XYZ' },
      use('c2'),
    ]);
  });

  test('comes back between calls with text between them', () => {
    const items = [
      reasoning({ details: [signed('one')] }),
      said('a'),
      call('c1'),
      reasoning({ details: [signed('two')] }),
      said('b'),
      call('c2'),
      output('c1'),
      output('c2'),
    ];
    expect(blocks(...items)).toEqual([
      thinking('one'),
      text('a'),
      use('c1'),
      thinking('two'),
      text('b'),
      use('c2'),
    ]);
  });

  test('keeps its place after long texts of a large body', () => {
    const long = 'é"\\\n'.repeat(8_000);
    const items = [
      said(long),
      reasoning({ details: [signed('two')] }),
      call('c1'),
      output('c1'),
      said(long),
    ];
    expect(blocks(...items)).toEqual([text(long), thinking('two'), use('c1')]);
  });

  test('keeps its place behind text that is blank, which Messages leaves out', () => {
    const items = [
      said('\n\n'),
      said('real'),
      reasoning({ details: [signed('x')] }),
      said('end'),
      call('c1'),
      output('c1'),
    ];
    expect(blocks(...items)).toEqual([text('real'), thinking('x'), text('end'), use('c1')]);
  });

  test('is left out where nothing follows it in its turn, which providers refuse', () => {
    expect(blocks(said('b'), reasoning({ details: [signed('x')] }))).toEqual([text('b')]);
    const alone = [user('a'), reasoning({ details: [signed('x')] }), user('b')];
    expect(turns(alone)).toEqual([['user', [text('a'), text('b')]]]);
    expect(chatMessages(alone, { reasoningBack: 'reasoning_content' })).toHaveLength(2);
  });

  test('belongs to the turn after the results before it', () => {
    const items = [
      user('a'),
      reasoning({ details: [signed('one')] }),
      call('c1'),
      output('c1'),
      reasoning({ details: [signed('two')] }),
      said('b'),
    ];
    expect(turns(items)[3]).toEqual(['assistant', [thinking('two'), text('b')]]);
  });
});

describe('sealed reasoning on chat', () => {
  const items = [user('a'), reasoning({ text: 'I think.' }), said('b'), user('c')];

  test('goes back to servers that want it, in their field', () => {
    expect(chatMessages(items, { reasoningBack: 'reasoning_content' })[1]).toEqual({
      role: 'assistant',
      content: 'b',
      reasoning_content: 'I think.',
    });
    expect(chatMessages(items)[1]).toEqual({ role: 'assistant', content: 'b' });
  });

  test('is an empty text where a server requires the field', () => {
    const quirks = { reasoningBack: 'reasoning_content', reasoningRequired: true } as const;
    expect(chatMessages([user('a'), said('b')], quirks)[1]).toMatchObject({
      reasoning_content: '',
    });
  });

  test('of several items of a turn is joined, and thinking of Messages is its text', () => {
    const several = [
      user('a'),
      reasoning({ text: 'One.' }),
      reasoning({ details: [signed('Two.')] }),
      said('b'),
    ];
    expect(chatMessages(several, { reasoningBack: 'reasoning_content' })[1]).toMatchObject({
      reasoning_content: 'One.\n\nTwo.',
    });
  });

  test('goes back to OpenRouter with the entries that it wrote', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'XYZ', format: 'google-gemini-v1' }];
    const sealed = [user('a'), reasoning({ text: 'I think.', details }), call('c1'), output('c1')];
    expect(chatMessages(sealed, { reasoningBack: 'reasoning' })[1]).toMatchObject({
      reasoning: 'I think.',
      reasoning_details: details,
    });
    expect(chatMessages(sealed, { reasoningBack: 'reasoning_content' })[1]).not.toHaveProperty(
      'reasoning_details',
    );
  });

  test('returns what a provider added to a call, but not what the gateway added', () => {
    const own = { google: { thought_signature: `${CALL_SIGNATURE_PREFIX}abc` } };
    const theirs = { google: { thought_signature: 'AbC' } };
    const sealed = [
      user('a'),
      reasoning({ calls: { c1: theirs, c2: own } }),
      call('c1'),
      call('c2'),
      output('c1'),
      output('c2'),
    ];
    const function_ = { name: 'f', arguments: '{}' };
    expect(chatMessages(sealed)[1]).toMatchObject({
      tool_calls: [
        { id: 'c1', type: 'function', function: function_, extra_content: theirs },
        { id: 'c2', type: 'function', function: function_ },
      ],
    });
    expect(JSON.stringify(chatMessages(sealed))).not.toContain(CALL_SIGNATURE_PREFIX);
    // The second call has the same id as the first, but no signature.
    const again = [...sealed, call('c1'), output('c1')];
    expect(JSON.stringify(chatMessages(again)).split('AbC')).toHaveLength(2);
  });
});

describe('reasoning that the gateway did not seal', () => {
  test('is never refused, and only shown text goes on', () => {
    const foreign: JsonObject[] = [
      { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' },
      { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: null },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'sum' }] },
    ];
    for (const item of foreign) {
      expect(chatMessages([user('a'), item, said('b')], { reasoningBack: 'reasoning' })[1]).toEqual(
        {
          role: 'assistant',
          content: 'b',
        },
      );
      expect(blocks(item, said('b'))).toEqual([text('b')]);
    }
    const shown = {
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'raw' }],
    };
    expect(chatMessages([user('a'), shown, said('b')], { reasoningBack: 'reasoning' })[1]).toEqual({
      role: 'assistant',
      content: 'b',
      reasoning: 'raw',
    });
  });

  test('is refused with its place if it was cut or changed', () => {
    const sealed = String(reasoning({ text: 'I think.' })['encrypted_content']);
    for (const encrypted_content of [
      sealed.slice(0, -4),
      `${sealed.slice(0, 40)}A${sealed.slice(41)}`,
    ]) {
      const input = [user('a'), { type: 'reasoning', summary: [], encrypted_content }, said('b')];
      expect(refused({ input })).toBe('invalid_encrypted_content at input[1].encrypted_content');
    }
  });

  test('as a compaction is refused, because the conversation would be lost', () => {
    for (const type of ['compaction', 'context_compaction']) {
      const input = [user('a'), { type, encrypted_content: 'gAAAA' }, user('b')];
      expect(refused({ input })).toBe('invalid_encrypted_content at input[1].encrypted_content');
    }
    const input = [user('a'), { type: 'compaction_trigger' }];
    expect(refused({ input })).toBe('unsupported_value at input[1].type');
  });
});

test('thinking is asked for by the effort on Messages', () => {
  const body = messagesBody({ input: 'Hi', reasoning: { effort: 'high', summary: 'auto' } });
  expect(body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
  expect(messagesBody({ input: 'Hi', reasoning: { effort: 'none' } })).not.toHaveProperty(
    'thinking',
  );
});
