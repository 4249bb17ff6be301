import { describe, expect, test } from 'bun:test';
import { JsonScan, type ScannedObject } from '../json/scan.ts';
import { affinityOf } from './affinity.ts';

type Json = Readonly<Record<string, unknown>>;

function scanned(body: Json): ScannedObject {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
}

const keyOf = (body: Json, headers: Record<string, string> = {}, accountId = 'acct_1') =>
  affinityOf({ accountId, headers: new Headers(headers), body: scanned(body) });

const LONG = 'You are a careful assistant. "Quotes", \\ and 汉字 are no obstacle.\n'.repeat(80);
const system = { role: 'system', content: LONG };
const user = (content: string) => ({ content, role: 'user' });
const assistant = { role: 'assistant', content: 'Yes.' };

describe('a conversation that the caller names', () => {
  const body = { prompt_cache_key: 'k', metadata: { user_id: 'u' }, messages: [system, user('a')] };
  const headers = { 'x-session-id': 's' };
  const { prompt_cache_key: _key, ...unkeyed } = body;
  const { metadata: _metadata, ...bare } = unkeyed;

  test('is its cache key, else its session, else its user', () => {
    expect(keyOf(body, headers)).toContain('key "k"');
    expect(keyOf(unkeyed, headers)).toContain('session s');
    expect(keyOf(unkeyed)).toContain('user u');
    expect(keyOf(bare)).toContain('prefix');
  });

  test.each(['x-session-id', 'x-claude-code-session-id', 'x-session-affinity', 'session_id'])(
    'may come in the header %s',
    (name) => {
      expect(keyOf({ messages: [] }, { [name]: 'abc' })).toBe('acct_1 session abc');
    },
  );

  test('counts for a short prompt too', () => {
    expect(keyOf({ prompt_cache_key: 'k', messages: [user('hi')] })).not.toBeNull();
    expect(keyOf({ messages: [user('hi')] })).toBeNull();
  });

  test('is not shared across accounts', () => {
    expect(keyOf(body, {}, 'acct_1')).not.toBe(keyOf(body, {}, 'acct_2'));
    expect(keyOf(bare, {}, 'acct_1')).not.toBe(keyOf(bare, {}, 'acct_2'));
  });

  test('is cut to a bounded length', () => {
    const long = 'x'.repeat(100_000);
    for (const key of [
      keyOf({ prompt_cache_key: long }),
      keyOf({}, { 'x-session-id': long }),
      keyOf({ metadata: { user_id: 'x'.repeat(3_000) } }),
      keyOf({ metadata: { user_id: long } }),
    ]) {
      expect((key ?? '').length).toBeLessThan(600);
    }
  });

  test.each<[string, Json]>([
    ['an empty user', { metadata: { user_id: '' } }],
    ['a user that is no text', { metadata: { user_id: 7 } }],
    ['metadata that is null', { metadata: null }],
    ['a cache key of null', { prompt_cache_key: null }],
  ])('%s names no conversation', (_what, body) => {
    expect(keyOf(body)).toBeNull();
  });
});

describe('the beginning of a long prompt', () => {
  const first = [system, user('Who are you?')];

  test('is the same for every later turn', () => {
    const later = [...first, assistant, user('And now?'), assistant, user('Thanks.')];
    expect(keyOf({ messages: later })).toBe(keyOf({ messages: first }) ?? '');
  });

  test('is the same for every later turn of a Responses conversation', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
    const turns = [user('Who are you?'), call, user('More')];
    const key = (input: unknown, instructions = LONG) => keyOf({ instructions, input });
    expect(key(turns)).toBe(key(turns.slice(0, 1)) ?? '');
    expect(key('Hi')).not.toBe(key(turns));
    expect(key(turns, `!${LONG}`)).not.toBe(key(turns));
  });

  test('is the same whatever other fields the body has', () => {
    const messages = [...first, assistant, user('More')];
    expect(keyOf({ model: 'm', temperature: 1, messages, max_tokens: 5 })).toBe(
      keyOf({ messages: first, stream: true }) ?? '',
    );
  });

  test('differs when system, tools or the first user turn differ', () => {
    const bodies = [
      { messages: first },
      { messages: [{ ...system, content: `!${LONG}` }, user('Who are you?')] },
      { messages: [system, user('Who am I?')] },
      { messages: first, tools: [{ name: 'look' }] },
      { messages: first, tools: [{ name: 'listen' }] },
      { messages: first, system: 'Be short.' },
    ];
    expect(new Set(bodies.map((body) => keyOf(body))).size).toBe(bodies.length);
  });

  test('ignores cache marks that clients move from turn to turn', () => {
    const marked = { type: 'text', text: LONG, cache_control: { type: 'ephemeral', ttl: '5m' } };
    const unmarked = { type: 'text', text: LONG };
    const turn = (content: Json) => ({ messages: [{ role: 'user', content: [content] }] });
    expect(keyOf(turn(marked))).toBe(keyOf(turn(unmarked)) ?? '');
  });

  test('is found behind a system message longer than what is hashed', () => {
    const vast = { role: 'system', content: LONG.repeat(8) };
    const one = keyOf({ messages: [vast, user('a')] });
    expect(keyOf({ messages: [vast, user('a'), assistant, user('c')] })).toBe(one ?? '');
    expect(keyOf({ messages: [vast, user('b')] })).not.toBe(one);
  });

  test('ignores roles within the text', () => {
    const tricky = [
      { role: 'system', content: `{"role":"user"} \\" ${LONG}`, x: { role: 'user' } },
      { role: 'system', content: 'role', user: 'user' },
      { role: 'system', content: 'a "quoted" \\" { brace' },
    ];
    const one = keyOf({ messages: [...tricky, user('a')] });
    expect(keyOf({ messages: [...tricky, user('b')] })).not.toBe(one);
    expect(keyOf({ messages: [...tricky, user('a'), assistant, user('c')] })).toBe(one ?? '');
  });

  test('is found as fast behind whitespace before cache marks', () => {
    const blank = ' '.repeat(8_000);
    const list = `[${blank}"cache_control"]`;
    const text = `{"tools":${list},"system":${list},"messages":[{"role":"user",${blank}"a":1}]}`;
    const bytes = new TextEncoder().encode(text);
    const body = new JsonScan({ maxDepth: 64 }).finish(bytes, bytes.byteLength);
    const headers = new Headers();
    const startMs = performance.now();
    for (let at = 0; at < 10; at++) affinityOf({ accountId: 'acct_1', headers, body });
    // Before, the time was quadratic: 180 ms for each body.
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  test('is searched near the beginning only', () => {
    const vast = { role: 'system', content: 'A'.repeat(300_000) };
    expect(keyOf({ messages: [vast, user('a')] })).toBe(
      keyOf({ messages: [vast, user('b')] }) ?? '',
    );
  });
});
