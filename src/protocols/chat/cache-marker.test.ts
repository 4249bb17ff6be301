/**
 * Tests which cache lifetimes in a chat request add a claim. A claim is a check that is made once
 * the route is known. It refuses a lifetime that has no price on that route.
 */
import { expect, test } from 'bun:test';
import { LONG_CACHE } from '../inputs/request-extras.ts';
import { CACHE_TTL } from '../messages/fields.ts';
import { CHAT_CACHE_TTL } from './fields.ts';
import { readChatRequest } from './request.ts';

const said = (...messages: object[]) => ({ model: 'm', messages });

test('a longer cache lifetime is claimed wherever a server may read a cache marker', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const call = { id: 'c', type: 'function', cache_control };
  const { claims, oneHourCache } = readChatRequest({
    ...said(
      { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: '{}' } }] },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}', cache_control } }],
      },
      { role: 'user', content: 'hi' },
    ),
    tools: [
      { type: 'function', function: { name: 'f', cache_control } },
      { type: 'custom', custom: { name: 'g', cache_control } },
    ],
  });
  expect(oneHourCache).toBe(true);
  expect(claims.map(({ param, rule, only }) => [param, rule, only])).toEqual(
    [
      'tools[0].function.cache_control.ttl',
      'tools[1].custom.cache_control.ttl',
      'messages[0].tool_calls[0].cache_control.ttl',
      'messages[1].tool_calls[0].function.cache_control.ttl',
    ].flatMap((param) => [
      [param, CHAT_CACHE_TTL, 'untranslated'],
      [param, CACHE_TTL, 'translated'],
    ]),
  );
});

test('a cache lifetime of OpenAI is held and claimed as an hour if that is longer than usual', () => {
  const part = (ttl: string) => ({
    type: 'text',
    text: 'Hi',
    prompt_cache_breakpoint: { mode: 'explicit', ttl },
  });
  const read = (ttl: string) => readChatRequest(said({ role: 'user', content: [part(ttl)] }));
  expect(read('30m')).toMatchObject({ oneHourCache: false, claims: [] });
  const param = 'messages[0].content[0].prompt_cache_breakpoint.ttl';
  expect(read('12h')).toMatchObject({
    oneHourCache: true,
    claims: [
      { param, rule: LONG_CACHE, value: '12h', only: 'untranslated' },
      { param, rule: CACHE_TTL, value: '1h', only: 'translated' },
    ],
  });
});

test('a lifetime for all of the request is claimed if it is longer than usual', () => {
  const read = (prompt_cache_options: object) =>
    readChatRequest({ ...said({ role: 'user', content: 'Hi' }), prompt_cache_options });
  for (const ttl of [undefined, null, '30m'])
    expect(read({ mode: 'explicit', ttl }).claims).toEqual([]);
  expect(read({ mode: 'explicit', ttl: '12h' }).claims).toEqual([
    { param: 'prompt_cache_options.ttl', rule: LONG_CACHE, value: '12h', only: 'untranslated' },
  ]);
});
