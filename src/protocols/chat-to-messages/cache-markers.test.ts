/**
 * Tests which parts of a prompt get a cache marker when a chat request is translated to Messages.
 */
import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { NO_PLAN } from '../request-fields.ts';
import { assistant, call, messagesBody, result, target, user } from './request.fixture.ts';

const FIVE_MINUTES = { cache_control: { type: 'ephemeral' } };
const AN_HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const system = (content: unknown) => ({ role: 'system', content });
const text = (words: string) => ({ type: 'text', text: words });
const tool = (name: string, members: object = {}) => ({
  type: 'function',
  function: { name },
  ...members,
});

/**
 * Lists the objects with a cache marker, in prompt order. Each is shown as its text, name or id,
 * followed by the marker's lifetime.
 */
function markers(json: JsonObject, isAutomatic = false): readonly string[] {
  const to = { ...target(), plan: { ...NO_PLAN, marksCache: isAutomatic } };
  const { tools = [], system: prompt = [], messages } = messagesBody(json, to);
  const turns = (messages as readonly JsonObject[]).flatMap(({ content }) => content);
  return [tools, prompt, turns].flat().flatMap((each) => {
    const { cache_control, text: words, name, tool_use_id: id } = each as JsonObject;
    const { ttl = '5m' } = (cache_control ?? {}) as JsonObject;
    return cache_control === undefined ? [] : [`${String(words ?? name ?? id)} ${String(ttl)}`];
  });
}

describe("the caller's markers", () => {
  test('keep their place and their lifetime', () => {
    const messages = [
      system([{ ...text('a'), ...AN_HOUR }]),
      user([{ ...text('b'), ...FIVE_MINUTES }, text('c')]),
    ];
    expect(markers({ messages })).toEqual(['a 1h', 'b 5m']);
  });

  test("in OpenAI's form are for an hour if that is longer than usual", () => {
    const marked = (words: string, ttl?: string) => ({
      ...text(words),
      prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === undefined ? {} : { ttl }) },
    });
    const messages = [user([marked('a', '12h'), marked('b', '30m'), marked('c')])];
    expect(markers({ messages })).toEqual(['a 1h', 'b 5m', 'c 5m']);
  });

  test('on tools reach the tools, beside the function or in it', () => {
    const tools = [
      tool('f', AN_HOUR),
      tool('g'),
      { type: 'function', function: { name: 'h', ...FIVE_MINUTES } },
    ];
    expect(markers({ tools, messages: [user('x')] })).toEqual(['f 1h', 'h 5m']);
  });

  test('on a message are at its end, and on a tool call at the call', () => {
    const messages = [
      { ...system('a'), ...AN_HOUR },
      { ...user([text('b'), text('c')]), ...FIVE_MINUTES },
      assistant({ content: null, tool_calls: [{ ...call('1', 'f', '{}'), ...FIVE_MINUTES }] }),
      { ...result('1', 'd'), ...FIVE_MINUTES },
    ];
    const tools = [tool('f')];
    expect(markers({ tools, messages })).toEqual(['a 1h', 'c 5m', 'f 5m', '1 5m']);
  });

  test('on a part of a result mark the result', () => {
    const messages = [
      user('x'),
      assistant({ content: null, tool_calls: [call('1', 'f', '{}')] }),
      result('1', [{ ...text('d'), ...AN_HOUR }, text('e')]),
    ];
    expect(markers({ tools: [tool('f')], messages })).toEqual(['1 1h']);
  });

  test('above four are removed but for the last, those of tools first', () => {
    const parts = ['a', 'b', 'c', 'd', 'e'].map((words) => ({ ...text(words), ...FIVE_MINUTES }));
    const json = { tools: [tool('f', FIVE_MINUTES)], messages: [user(parts)] };
    expect(markers(json)).toEqual(['b 5m', 'c 5m', 'd 5m', 'e 5m']);
  });
});

describe('automatic markers', () => {
  const long = 'x'.repeat(3_000);
  const talk = [user(long), assistant({ content: 'a' }), user('b')];
  const automatic = (json: JsonObject) => markers(json, true);

  test('are at the ends of the system text and of the last two user turns', () => {
    const messages = [system('s'), user('z'), assistant({ content: 'y' }), ...talk];
    expect(automatic({ messages, tools: [tool('f')] })).toEqual(['s 5m', `${long} 5m`, 'b 5m']);
  });

  test('are on the last tool without a system text, and on the last result of a loop', () => {
    const calls = [call('1', 'f', '{}'), call('2', 'f', '{}')];
    const loop = [
      user(long),
      assistant({ content: null, tool_calls: calls }),
      result('1', 'r'),
      result('2', 'r'),
    ];
    const tools = [tool('f'), tool('g')];
    expect(automatic({ messages: loop, tools })).toEqual(['g 5m', `${long} 5m`, '2 5m']);
  });

  test('are in the first request of a loop with tools, but not in another first request', () => {
    const json = { messages: [user(long)] };
    const tools = [tool('f')];
    expect(automatic({ ...json, tools })).toEqual(['f 5m', `${long} 5m`]);
    expect(automatic({ ...json, tools, tool_choice: 'required' })).toEqual([]);
    expect(automatic(json)).toEqual([]);
  });

  test('are left out for a short prompt, beside own markers, and where the caller says so', () => {
    expect(automatic({ messages: [user('x'), assistant({ content: 'a' }), user('b')] })).toEqual(
      [],
    );
    const own = [system([{ ...text('s'), ...FIVE_MINUTES }]), ...talk];
    expect(automatic({ messages: own })).toEqual(['s 5m']);
    expect(automatic({ messages: talk, prompt_cache_options: { mode: 'explicit' } })).toEqual([]);
    expect(automatic({ messages: talk, prompt_cache_options: { mode: 'implicit' } })).toEqual([
      `${long} 5m`,
      'b 5m',
    ]);
  });

  test('are left out unless the plan for the upstream has them', () => {
    expect(markers({ messages: talk })).toEqual([]);
  });
});
