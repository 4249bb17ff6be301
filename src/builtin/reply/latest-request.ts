/** What a conversation comes down to for whoever must answer it: the last request and what came with it. */
import type { Conversation, Part } from '../builtin-conversation.ts';
import type { Media } from '../prompt-media.ts';
import type { Language } from './phrases.ts';

export type ToolResult = {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
};

export type LatestRequest = {
  /** The text of the last user message that has any. */
  readonly asked: string;
  readonly system: string;
  /** How many user messages there are, tool results not counted. */
  readonly userTurns: number;
  readonly media: readonly Media[];
  /** Names of the tools called since the last request. */
  readonly called: ReadonlySet<string>;
  /** What the tools said, when nothing came after it. */
  readonly results: readonly ToolResult[];
  readonly language: Language;
};

const textsOf = (parts: readonly Part[]): string =>
  withoutNotes(
    parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'),
  ).trim();

/** Client programs slip notes into a user's message, in these tags; they are not what the user asked. */
const NOTE = { start: '<system-reminder>', end: '</system-reminder>' } as const;

function withoutNotes(text: string): string {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(NOTE.start); at >= 0; at = text.indexOf(NOTE.start, from)) {
    const end = text.indexOf(NOTE.end, at);
    if (end < 0) break;
    rest += text.slice(from, at);
    from = end + NOTE.end.length;
  }
  return rest + text.slice(from);
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
  // Results may come in the same message as a new request; they count then as well.
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

function mediaOf(part: Part): readonly Media[] {
  if (part.kind === 'media') return [part.media];
  return part.kind === 'tool_result' ? part.media : [];
}

/** A text shows its language this early. */
const MAX_LANGUAGE_CHARS = 2_000;

/** Han characters count for more than letters, since one of them is most of a word. */
function isChinese(whole: string): boolean {
  const text = whole.slice(0, MAX_LANGUAGE_CHARS);
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const kana = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const letters = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return han > 0 && kana === 0 && han * 3 >= letters;
}

/** The text on one line and no longer than `maxChars`, with an ellipsis where it was cut. */
export function brief(text: string, maxChars: number): string {
  // Only the front is looked at: the text may be a book.
  const line = text
    .slice(0, maxChars * 4)
    .trim()
    .replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= maxChars && text.length <= maxChars * 4) return line;
  return `${characters.slice(0, maxChars).join('').trimEnd()}…`;
}
