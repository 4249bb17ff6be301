/**
 * Which requests belong together, so that the route which has their beginning in its prompt cache gets
 * the rest. What the caller says comes first; where nothing is said, the beginning itself is the key.
 */
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  closingQuote,
  isAt,
  isKey,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../json/cursor.ts';
import { asFilledString, parsedObject } from '../json/object.ts';
import type { ScannedObject, Span } from '../json/scan.ts';

/** Headers in which clients name the conversation that a request belongs to. */
const SESSION_HEADERS = [
  'x-session-id',
  'x-claude-code-session-id',
  'x-session-affinity',
  'session-id',
  'session_id',
] as const;

/** Below some 1,024 tokens no provider caches a prompt, so there is nothing to stay for. */
const MIN_CACHED_BYTES = 4 * 1024;
/** Of each part of a beginning: enough to tell one from another, little enough to cost nothing. */
const HEAD_BYTES = 8 * 1024;
/** The first turn of a user is looked for in so much of the messages. */
const SEARCHED_BYTES = 256 * 1024;
/** More than any session's name. */
const MAX_NAME_BYTES = 512;
const MAX_METADATA_BYTES = 4 * 1024;

const ROLE = new TextEncoder().encode('"role"');
const USER = new TextEncoder().encode('"user"');

/** Clients move these marks on from turn to turn. */
const CACHE_MARK = /,?\s*"cache_control"\s*:\s*(?:null|\{[^{}]*\})/g;

export type AffinityAsk = {
  /** Two accounts share no cache, whatever they call their sessions. */
  readonly accountId: string;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: ScannedObject;
};

/**
 * A text that is the same for the requests of one conversation, opaque and of bounded length: made of
 * `prompt_cache_key`, else of a session header, else of `metadata.user_id`, else of what stays the same
 * at the beginning of a long prompt (tools, system, the first turn of the user). Null: no preference.
 */
export function affinityOf({ accountId, headers, body }: AffinityAsk): string | null {
  const named = cacheKey(body) ?? sessionOf(headers) ?? userOf(body);
  if (named !== null) return `${accountId} ${named}`;
  const beginning = beginningOf(body);
  return beginning === null ? null : `${accountId} prefix ${beginning}`;
}

/** As it is written in the body, quotes and all: nobody reads it. */
function cacheKey({ bytes, members }: ScannedObject): string | null {
  const member = members.get('prompt_cache_key');
  if (member === undefined || bytes[member.start] !== QUOTE) return null;
  return `key ${textOf(bytes, member, MAX_NAME_BYTES)}`;
}

function sessionOf(headers: Pick<Headers, 'get'>): string | null {
  for (const name of SESSION_HEADERS) {
    const value = headers.get(name);
    if (value !== null && value !== '') return `session ${value.slice(0, MAX_NAME_BYTES)}`;
  }
  return null;
}

/** Coding tools write their session into it; where it is no more than a user, it is a narrower one than none. */
function userOf({ bytes, members }: ScannedObject): string | null {
  const member = members.get('metadata');
  if (member === undefined || member.end - member.start > MAX_METADATA_BYTES) return null;
  // Invalid metadata names no user; whether the request is valid is checked elsewhere.
  const metadata = parsedObject(textOf(bytes, member, MAX_METADATA_BYTES));
  const user = asFilledString(metadata?.['user_id']);
  return user === null ? null : `user ${user.slice(0, MAX_NAME_BYTES)}`;
}

function beginningOf(body: ScannedObject): string | null {
  const { bytes, members } = body;
  if (bytes.byteLength < MIN_CACHED_BYTES) return null;
  const spans: (Span | undefined)[] = [members.get('tools'), members.get('system')];
  const messages = members.get('messages');
  if (messages !== undefined) {
    const turn = firstUserTurn(body, messages);
    spans.push({ ...messages, end: turn?.end ?? messages.end }, turn ?? undefined);
  }
  const heads = spans.flatMap((span) =>
    span === undefined ? [] : [unmarked(textOf(bytes, span, HEAD_BYTES))],
  );
  return Bun.hash.xxHash64(heads.join('\n')).toString(36);
}

/** Most have none, and looking for the word costs far less than for the pattern. */
const unmarked = (text: string): string =>
  text.includes('"cache_control"') ? text.replace(CACHE_MARK, '') : text;

/** Byte by byte, so that a character cut in two at the end is the same each time. */
const textOf = (
  { buffer, byteOffset }: Uint8Array,
  { start, end }: Span,
  maxBytes: number,
): string =>
  Buffer.from(buffer, byteOffset + start, Math.min(end - start, maxBytes)).toString('latin1');

/** The first message whose role is `user`; null when there is none near the beginning. */
function firstUserTurn({ bytes, longStrings }: ScannedObject, messages: Span): Span | null {
  const end = Math.min(messages.end, messages.start + SEARCHED_BYTES);
  let long = longStrings.findIndex(({ start }) => start > messages.start);
  let depth = 0;
  let start = 0;
  let isRole = false;
  let isUsers = false;
  for (let at = messages.start; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const skipped = longStrings[long];
      const isLong = skipped?.start === at + 1;
      const close = isLong ? skipped.end : closingQuote(bytes, at + 1, end);
      if (close < 0) break;
      if (isLong) long += 1;
      if (depth === 2) {
        if (isRole) isUsers = isAt(bytes, at, USER);
        isRole = isAt(bytes, at, ROLE) && isKey(bytes, close + 1);
      }
      at = close;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth === 2) start = at;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 1 && isUsers) return { start, end: at + 1 };
    }
  }
  // One that is longer than what is searched is known by its beginning.
  return isUsers ? { start, end } : null;
}
