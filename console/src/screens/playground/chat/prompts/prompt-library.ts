/** The prompts that a person saves in this browser. The server never stores prompts. */
import { asList, asObject, asText, parseObject } from '#api/json.ts';
import type { Storage } from '#screens/playground/chat/saved-chat.ts';
import { type Prompt, readPrompt } from './prompt.ts';

const KEY = 'modelgate.playground.prompts';
/**
 * The maximum number of saved prompts. The list needs no search field, because it is this short.
 */
export const MAX_PROMPTS = 50;
/**
 * The maximum length of all prompts together. Browsers allow about five million characters per
 * origin.
 */
export const MAX_LIBRARY_CHARACTERS = 1_000_000;
export const MAX_PROMPT_NAME = 80;

export type KeptPrompt = {
  readonly name: string;
  /** When the prompt was saved, in Unix milliseconds. */
  readonly savedMs: number;
  readonly prompt: Prompt;
};

/** The limit that prevented a prompt from being saved. */
export type Full = 'count' | 'size';

/** Returns the prompts of a person, newest first. Unreadable prompts are omitted. */
export function keptPrompts(storage: Storage, personId: string): readonly KeptPrompt[] {
  const kept = parseObject(storage.getItem(keyOf(personId)) ?? '') ?? {};
  return asList(kept['prompts'])
    .map((each): KeptPrompt | null => {
      const { name, savedMs, prompt } = asObject(each) ?? {};
      const read = readPrompt(prompt);
      return read === null || asText(name) === '' || typeof savedMs !== 'number'
        ? null
        : { name: asText(name).slice(0, MAX_PROMPT_NAME), savedMs, prompt: read };
    })
    .filter((each) => each !== null)
    .slice(0, MAX_PROMPTS);
}

/**
 * Saves a prompt, or replaces the prompt with the same name.
 * @returns the limit that prevented saving; null when the prompt was saved.
 */
export function keepPrompt(storage: Storage, personId: string, added: KeptPrompt): Full | null {
  const others = keptPrompts(storage, personId).filter(({ name }) => name !== added.name);
  if (others.length >= MAX_PROMPTS) return 'count';
  return store(storage, personId, [added, ...others]);
}

export function removePrompt(storage: Storage, personId: string, name: string): void {
  const kept = keptPrompts(storage, personId);
  store(
    storage,
    personId,
    kept.filter((each) => each.name !== name),
  );
}

function store(storage: Storage, personId: string, prompts: readonly KeptPrompt[]): Full | null {
  const text = JSON.stringify({ prompts });
  if (text.length > MAX_LIBRARY_CHARACTERS) return 'size';
  try {
    storage.setItem(keyOf(personId), text);
    return null;
  } catch {
    // Other pages of this origin have used up the browser's storage.
    return 'size';
  }
}

const keyOf = (personId: string): string => `${KEY}.${personId}`;
