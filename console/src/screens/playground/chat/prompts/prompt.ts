/**
 * A prompt to save or to share: model, channel, settings and messages, without attachments and tool
 * calls. Saved prompts and links are untrusted, so all fields are validated.
 */
import { asList, asObject, asText, parseObject } from '#api/json.ts';
import { newAnswer } from '#chat/answer.ts';
import { NO_SETTINGS, type Settings, TOOL_CHOICES } from '#screens/playground/chat/chat-body.ts';
import {
  PARAMETER_NAMES,
  type ParameterValues,
  parameterIn,
} from '#screens/playground/chat/settings/parameters.ts';
import type { Message, Thread } from '#screens/playground/chat/thread.ts';

/** The version of the format. Prompts of other versions are rejected. */
const VERSION = 1;
const MAX_NAME_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 200_000;
const MAX_MESSAGES = 400;
/** The maximum length of a link. Chat programs and browsers truncate longer links. */
export const MAX_LINK_CHARACTERS = 16_000;

type Line = { readonly role: 'user' | 'assistant'; readonly text: string };

export type Prompt = {
  readonly version: typeof VERSION;
  readonly model: string;
  /** The channel; null for the model's default channel. */
  readonly channel: string | null;
  readonly settings: Settings;
  readonly messages: readonly Line[];
};

type Chat = { readonly threads: readonly Thread[]; readonly settings: Settings };

/** Returns the prompt of the first column; null when there is no column. */
export function promptIn({ threads: [thread], settings }: Chat): Prompt | null {
  if (thread === undefined) return null;
  const { model, channel, messages } = thread;
  return { version: VERSION, model, channel, settings, messages: messages.flatMap(lineOf) };
}

function lineOf(message: Message): readonly Line[] {
  if (message.kind === 'result') return [];
  const line: Line =
    message.kind === 'user'
      ? { role: 'user', text: message.text }
      : { role: 'assistant', text: message.answer.text };
  return line.text === '' ? [] : [line];
}

/**
 * Returns a new thread, which a column shows, with the model, channel and messages of the prompt.
 */
export function threadOf(prompt: Prompt, newId: () => string): Thread {
  const { model, channel } = prompt;
  const messages = prompt.messages.map(({ role, text }): Message => {
    const id = newId();
    if (role === 'user') return { kind: 'user', id, text, attachments: [] };
    const asked = { model, requestedChannel: channel, promptWeight: 0, sentMs: 0 };
    return { kind: 'answer', id, answer: { ...newAnswer(asked), phase: 'done', text } };
  });
  return { id: newId(), model, channel, messages, spent: {}, saved: {} };
}

/** Reads an untrusted prompt; null when a field has a wrong type or is too long. */
export function readPrompt(value: unknown): Prompt | null {
  const { version, model, channel, settings, messages } = asObject(value) ?? {};
  const lines = asList(messages).map(readLine);
  const read = readSettings(settings);
  const isWhole =
    version === VERSION &&
    isName(model) &&
    (channel === null || isName(channel)) &&
    lines.length <= MAX_MESSAGES;
  if (!isWhole || read === null) return null;
  const known = lines.filter((line) => line !== null);
  if (known.length < lines.length) return null;
  return { version: VERSION, model, channel, settings: read, messages: known };
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARACTERS;
const isWriting = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT_CHARACTERS;

function readLine(value: unknown): Line | null {
  const { role, text } = asObject(value) ?? {};
  return (role === 'user' || role === 'assistant') && isWriting(text) ? { role, text } : null;
}

function readSettings(value: unknown): Settings | null {
  const { system, values, tools, toolChoice } = asObject(value) ?? {};
  const choice = TOOL_CHOICES.find((each) => each === toolChoice);
  const given = asObject(values);
  if (!isWriting(system) || !isWriting(tools) || choice === undefined || given === null)
    return null;
  const read = PARAMETER_NAMES.filter((name) => Object.hasOwn(given, name)).map(
    (name) => [name, parameterIn(name, given[name])] as const,
  );
  if (read.some(([, parameter]) => parameter === null)) return null;
  const parameters: ParameterValues = Object.fromEntries(read);
  return { ...NO_SETTINGS, system, values: parameters, tools, toolChoice: choice };
}

const NAME = 'prompt=';

/** Returns the fragment of a link, without `#`; null when the prompt is too long for a link. */
export function fragmentOf(prompt: Prompt): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify(prompt));
  // Converts bytes one by one, since a function call accepts only a limited number of arguments.
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const text = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return text.length > MAX_LINK_CHARACTERS ? null : NAME + text;
}

/** Whether a URL fragment has the prefix of a prompt. */
export const isPromptFragment = (fragment: string): boolean => fragment.startsWith(NAME);

/** Reads the prompt of a link's fragment; null when it is damaged, too long or not a prompt. */
export function promptOfFragment(fragment: string): Prompt | null {
  const text = fragment.slice(NAME.length);
  if (!isPromptFragment(fragment) || text.length > MAX_LINK_CHARACTERS) return null;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return readPrompt(parseObject(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    // The text is not base64, or its bytes are not UTF-8, so the link is damaged or forged.
    return null;
  }
}

/** Returns a title for a prompt without a name: the beginning of its text. */
export const titleOf = ({ messages, settings }: Prompt): string =>
  (asText(messages[0]?.text) || settings.system).trim().slice(0, MAX_TITLE_CHARACTERS);
const MAX_TITLE_CHARACTERS = 60;
