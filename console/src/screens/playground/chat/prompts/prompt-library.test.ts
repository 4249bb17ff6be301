import { describe, expect, test } from 'bun:test';
import { NO_SETTINGS } from '#screens/playground/chat/chat-body.ts';
import type { Prompt } from './prompt.ts';
import {
  keepPrompt,
  keptPrompts,
  MAX_LIBRARY_CHARACTERS,
  MAX_PROMPTS,
  removePrompt,
} from './prompt-library.ts';

function storage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
const prompt = (system: string): Prompt => ({
  ...{ version: 1, model: 'gen-a', channel: null, messages: [] },
  settings: { ...NO_SETTINGS, system },
});
const kept = (name: string, system = 's') => ({ name, savedMs: 1, prompt: prompt(system) });

describe('the prompt library', () => {
  test('has the newest first, replaces by name, and deletes', () => {
    const store = storage();
    for (const name of ['a', 'b', 'c']) expect(keepPrompt(store, 'ada', kept(name))).toBeNull();
    expect(keepPrompt(store, 'ada', kept('a', 'newer'))).toBeNull();
    expect(keptPrompts(store, 'ada').map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(keptPrompts(store, 'ada')[0]?.prompt.settings.system).toBe('newer');
    removePrompt(store, 'ada', 'c');
    expect(keptPrompts(store, 'ada').map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('belongs to one person', () => {
    const store = storage();
    keepPrompt(store, 'ada', kept('a'));
    expect(keptPrompts(store, 'grace')).toEqual([]);
  });

  test('is limited in number and in size, and keeps its prompts when it is full', () => {
    const store = storage();
    for (let at = 0; at < MAX_PROMPTS; at += 1) keepPrompt(store, 'ada', kept(`p${at}`));
    expect(keepPrompt(store, 'ada', kept('one more'))).toBe('count');
    expect(keepPrompt(store, 'ada', kept('p3', 'changed'))).toBeNull();
    expect(keptPrompts(store, 'ada').length).toBe(MAX_PROMPTS);
    const large = 'x'.repeat(190_000);
    const refusals = Array.from({ length: 6 }, (_, at) =>
      keepPrompt(store, 'grace', kept(`p${at}`, large)),
    );
    expect(refusals).toEqual([null, null, null, null, null, 'size']);
    expect(keptPrompts(store, 'grace').length).toBe(5);
    for (const text of store.items.values()) {
      expect(text.length).toBeLessThanOrEqual(MAX_LIBRARY_CHARACTERS);
    }
  });

  test("reports when the browser's storage is full", () => {
    const full = {
      ...storage(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    expect(keepPrompt(full, 'ada', kept('a'))).toBe('size');
  });

  test('leaves out unreadable prompts', () => {
    const store = storage();
    const entries = [kept('a'), { name: 'b' }, null, { ...kept('c'), savedMs: 'now' }, kept('')];
    store.setItem('modelgate.playground.prompts.ada', JSON.stringify({ prompts: entries }));
    expect(keptPrompts(store, 'ada').map(({ name }) => name)).toEqual(['a']);
    store.setItem('modelgate.playground.prompts.ada', '{"prompts"');
    expect(keptPrompts(store, 'ada')).toEqual([]);
  });
});
