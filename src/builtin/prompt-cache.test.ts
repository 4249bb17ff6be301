import { describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { at, builtinCaller } from './builtin-caller.fixture.ts';
import type { CacheLife } from './builtin-conversation.ts';
import {
  createPromptCache,
  MIN_CACHED_TOKENS,
  type PromptCache,
  SHARED_STEP_TOKENS,
} from './prompt-cache.ts';
import type { PromptUnit } from './prompt-units.ts';

/** Returns a text of `tokens` words of one token each. */
const words = (tokens: number, word = 'word'): string => `${word} `.repeat(tokens).trim();
const unit = (text: string, marker: CacheLife | null = null): PromptUnit => ({
  label: 'user',
  text,
  tokens: text.split(' ').length,
  divisible: true,
  marker,
});

const open = (
  maxEntries?: number,
): { readonly clock: ManualClock; readonly cache: PromptCache } => {
  const clock = manualClock();
  return { clock, cache: createPromptCache(clock, maxEntries) };
};

const MINUTE = 60_000;

describe('marked prompts', () => {
  test('a marked prefix is written once and then read', () => {
    const { cache } = open();
    const prompt = [unit(words(2000), '5m'), unit('first question')];
    expect(cache.useMarked('me', prompt)).toEqual({ read: 0, write5m: 2000, write1h: 0 });
    expect(cache.useMarked('me', [prompt[0] ?? unit(''), unit('another')])).toEqual({
      read: 2000,
      write5m: 0,
      write1h: 0,
    });
  });

  test('a growing conversation reads the cached prefix and writes only new tokens', () => {
    const { cache } = open();
    const old = unit(words(1500), '5m');
    cache.useMarked('me', [old]);
    const grown = [
      { ...old, marker: null },
      unit(words(300, 'more')),
      unit(words(200, 'last'), '5m'),
    ];
    expect(cache.useMarked('me', grown)).toEqual({ read: 1500, write5m: 500, write1h: 0 });
  });

  test('markers with both TTLs split the written tokens', () => {
    const { cache } = open();
    const prompt = [unit(words(1100), '1h'), unit(words(400), '5m'), unit('tail')];
    expect(cache.useMarked('me', prompt)).toEqual({ read: 0, write5m: 400, write1h: 1100 });
  });

  test(`prefixes shorter than ${MIN_CACHED_TOKENS} tokens are not cached`, () => {
    const { cache } = open();
    const prompt = [unit(words(MIN_CACHED_TOKENS - 1), '5m')];
    cache.useMarked('me', prompt);
    expect(cache.useMarked('me', prompt)).toEqual({ read: 0, write5m: 0, write1h: 0 });
  });

  test('entries expire after five minutes or an hour without use', () => {
    const { cache, clock } = open();
    const short = [unit(words(1100), '5m')];
    const long = [unit(words(1200), '1h')];
    cache.useMarked('me', short);
    cache.useMarked('me', long);
    clock.advance(4 * MINUTE);
    expect(cache.useMarked('me', short).read).toBe(1100);
    clock.advance(4 * MINUTE);
    expect(cache.useMarked('me', short).read).toBe(1100);
    clock.advance(5 * MINUTE);
    expect(cache.useMarked('me', short).read).toBe(0);
    expect(cache.useMarked('me', long).read).toBe(1200);
    clock.advance(60 * MINUTE);
    expect(cache.useMarked('me', long).read).toBe(0);
  });

  test('a prefix more than twenty units before the marker is not found', () => {
    const { cache } = open();
    const first = unit(words(1100));
    cache.useMarked('me', [{ ...first, marker: '5m' }]);
    const between = (count: number) => Array.from({ length: count }, () => unit('x'));
    expect(cache.useMarked('me', [first, ...between(20), unit('y', '5m')]).read).toBe(0);
    expect(cache.useMarked('me', [first, ...between(19), unit('z', '5m')]).read).toBe(1100);
  });

  test('owners never share entries', () => {
    const { cache } = open();
    const prompt = [unit(words(1100), '5m')];
    cache.useMarked('me', prompt);
    expect(cache.useMarked('you', prompt).read).toBe(0);
  });

  test('evicts the least recently used prefixes when full', () => {
    const { cache } = open(2);
    const [one, two, three] = ['one', 'two', 'three'].map((word) => [
      unit(words(1100, word), '5m'),
    ]);
    for (const prompt of [one, two, one, three]) cache.useMarked('me', prompt ?? []);
    expect(cache.useMarked('me', one ?? []).read).toBe(1100);
    expect(cache.useMarked('me', two ?? []).read).toBe(0);
  });
});

describe('prompts without markers', () => {
  test('reads the longest shared prefix in whole steps', () => {
    const { cache } = open();
    const shared = words(1500);
    expect(cache.useShared('me', [unit(`${shared} and one ending`)])).toBe(0);
    const steps = Math.floor((1500 - MIN_CACHED_TOKENS) / SHARED_STEP_TOKENS);
    const expected = MIN_CACHED_TOKENS + steps * SHARED_STEP_TOKENS;
    expect(cache.useShared('me', [unit(`${shared} but another ending`)])).toBe(expected);
  });

  test('a later message still shares the prefix', () => {
    const { cache } = open();
    cache.useShared('me', [unit(words(1024))]);
    expect(cache.useShared('me', [unit(words(1024)), unit(words(300, 'new'))])).toBe(1024);
  });

  test('prompts that differ at the start share nothing; entries expire after five minutes', () => {
    const { cache, clock } = open();
    cache.useShared('me', [unit(words(2000))]);
    expect(cache.useShared('me', [unit(`other ${words(2000)}`)])).toBe(0);
    clock.advance(5 * MINUTE);
    expect(cache.useShared('me', [unit(words(2000))])).toBe(0);
  });
});

describe('usage in answers', () => {
  const book = words(3000);

  test('messages: cache reads, writes and plain input add up to the prompt', async () => {
    const { json } = builtinCaller();
    const body = {
      model: 'gen-opus-4-8',
      max_tokens: 50,
      system: [{ type: 'text', text: book, cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }],
        },
      ],
    };
    const { max_tokens: _, ...counted } = body;
    const { input_tokens: total } = await json('count_tokens', counted);
    const first = await json('messages', body);
    expect(at(first, 'usage')).toMatchObject({
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: total,
      cache_creation: {
        ephemeral_1h_input_tokens: 3004,
        ephemeral_5m_input_tokens: Number(total) - 3004,
      },
    });
    const again = await json('messages', body);
    expect(at(again, 'usage')).toMatchObject({ input_tokens: 0, cache_read_input_tokens: total });
    const stranger = await json('messages', body, 'someone else');
    expect(at(stranger, 'usage.cache_read_input_tokens')).toBe(0);
  });

  test('messages: a top-level marker marks the last block; five are refused', async () => {
    const { json, send } = builtinCaller();
    const messages = [{ role: 'user', content: book }];
    const automatic = { model: 'm', max_tokens: 5, cache_control: { type: 'ephemeral' }, messages };
    const written = await json('messages', automatic);
    expect(at(written, 'usage.cache_creation.ephemeral_5m_input_tokens')).toBe(3004);
    const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
    const five = { role: 'user', content: [marked, marked, marked, marked, marked] };
    expect((await send('messages', { model: 'm', max_tokens: 5, messages: [five] })).status).toBe(
      400,
    );
  });

  test('messages: max_tokens 0 warms the cache without output', async () => {
    const { json } = builtinCaller();
    const content = [{ type: 'text', text: book, cache_control: { type: 'ephemeral' } }];
    const body = { model: 'm', messages: [{ role: 'user', content }] };
    const warmed = await json('messages', { ...body, max_tokens: 0 });
    expect(warmed).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 0 },
    });
    const read = await json('messages', { ...body, max_tokens: 9 });
    expect(at(read, 'usage.cache_read_input_tokens')).toBe(3004);
  });

  test('chat: cached tokens are part of the prompt tokens and come without markers', async () => {
    const { json } = builtinCaller();
    const body = { model: 'gen-v4-pro', messages: [{ role: 'user', content: book }] };
    const first = await json('chat', body);
    expect(at(first, 'usage.prompt_tokens_details.cached_tokens')).toBe(0);
    const second = await json('chat', body);
    expect(at(second, 'usage.prompt_tokens')).toBe(3004);
    expect(at(second, 'usage.prompt_tokens_details')).toMatchObject({
      cached_tokens: 2944,
      cache_write_tokens: 0,
    });
    const otherModel = await json('chat', { ...body, model: 'gen-v4-flash' });
    expect(at(otherModel, 'usage.prompt_tokens_details.cached_tokens')).toBe(0);
  });
});
