/** Finds the latest request of a conversation, and the context that its answer needs. */
import type { Conversation, Part } from '../builtin-conversation.ts';
import type { Media } from '../prompt-media.ts';
import { mediaOf } from '../prompt-units.ts';
import type { Language } from './phrases.ts';

export type ToolResult = {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
};

export type LatestRequest = {
  /**
   * The text of the latest user message that has text or media; empty if that message has only
   * media.
   */
  readonly asked: string;
  readonly system: string;
  /** The number of user messages, not counting tool results. */
  readonly userTurns: number;
  readonly media: readonly Media[];
  /** The names of the tools called since the latest request. */
  readonly called: ReadonlySet<string>;
  /** The tool results in the message of the latest request and in later messages. */
  readonly results: readonly ToolResult[];
  readonly language: Language;
};

const textsOf = (parts: readonly Part[]): string =>
  withoutReminders(
    parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'),
  ).trim();

/** The tags around reminders that coding agents, not users, add to user messages. */
const [REMINDER, REMINDER_END] = ['<system-reminder>', '</system-reminder>'] as const;

function withoutReminders(text: string): string {
  const pieces = text.split(REMINDER_END);
  const rest = pieces.pop() ?? '';
  const kept = pieces.map((piece) => {
    const at = piece.indexOf(REMINDER);
    return at < 0 ? `${piece}${REMINDER_END}` : piece.slice(0, at);
  });
  return kept.join('') + rest;
}

export function readLatestRequest(conversation: Conversation): LatestRequest {
  const { turns } = conversation;
  const users = turns.filter((turn) => turn.role === 'user');
  const isAsked = (parts: readonly Part[]): boolean =>
    parts.some((part) => part.kind === 'text' || part.kind === 'media');
  const askedAt = turns.findLastIndex((turn) => turn.role === 'user' && isAsked(turn.parts));
  const asked = textsOf(turns[askedAt]?.parts ?? []);
  const after = turns.slice(askedAt + 1).flatMap((turn) => turn.parts);
  const names = new Map<string, string>();
  for (const part of turns.flatMap((turn) => turn.parts)) {
    if (part.kind === 'tool_call') names.set(part.id, part.name);
  }
  // `recent` includes the message of the request itself, because it may contain tool results too.
  const recent = [...(turns[askedAt]?.parts ?? []), ...after];
  return {
    asked,
    system: textsOf(turns.filter((turn) => turn.role === 'system').flatMap((turn) => turn.parts)),
    userTurns: users.filter((turn) => isAsked(turn.parts)).length,
    media: users.flatMap((turn) => turn.parts.flatMap(mediaOf)),
    called: new Set(after.flatMap((part) => (part.kind === 'tool_call' ? [part.name] : []))),
    results: recent.flatMap((part) => {
      if (part.kind !== 'tool_result') return [];
      const name = names.get(part.callId) ?? part.callId;
      return [{ name, text: part.text, isError: part.isError }];
    }),
    language: isChinese(asked) ? 'chinese' : 'english',
  };
}

/** The maximum number of characters that are read to detect the language. */
const MAX_LANGUAGE_CHARS = 2_000;

/** Whether a text is mostly Chinese. One Han character counts as three Latin letters. */
function isChinese(whole: string): boolean {
  const text = whole.slice(0, MAX_LANGUAGE_CHARS);
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const kana = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const letters = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return han > 0 && kana === 0 && han * 3 >= letters;
}

/** Returns the text on one line, truncated to `maxChars` with an ellipsis. */
export function brief(text: string, maxChars: number): string {
  // Normalizes white space only at the beginning, because the text may be long.
  const line = text
    .slice(0, maxChars * 4)
    .trim()
    .replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= maxChars && text.length <= maxChars * 4) return line;
  return `${characters.slice(0, maxChars).join('').trimEnd()}…`;
}
