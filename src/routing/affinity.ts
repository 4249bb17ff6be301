/**
 * Recognizes requests of the same conversation, so that they go to the route whose provider has
 * cached their prompt.
 */

import type { Span } from '../json/cursor.ts';
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
import type { ScannedObject } from '../json/scan.ts';

/** Request headers in which clients name the conversation. */
const SESSION_HEADERS = [
  'x-session-id',
  'x-claude-code-session-id',
  'x-session-affinity',
  'session-id',
  'session_id',
] as const;

/** Shorter prompts get no affinity: no provider caches a prompt of less than about 1,024 tokens. */
const MIN_CACHED_BYTES = 4 * 1024;
/** How many bytes of each part of a prompt are hashed: enough to distinguish prompts. */
const HEAD_BYTES = 8 * 1024;
/** How many bytes of the messages are searched for the first user turn. */
const SEARCHED_BYTES = 256 * 1024;
/** How many bytes of a session name are read. No real name is longer. */
const MAX_NAME_BYTES = 512;
const MAX_METADATA_BYTES = 4 * 1024;

const ROLE = new TextEncoder().encode('"role"');
const USER = new TextEncoder().encode('"user"');

/** Matches cache markers. They are not hashed, because clients move them from turn to turn. */
const CACHE_MARK = /(?:,\s*)?"cache_control"\s*:\s*(?:null|\{[^{}]*\})/g;

export type AffinityAsk = {
  /**
   * The account of the request. Its id is part of the affinity key, so that accounts with equal
   * session names get different keys.
   */
  readonly accountId: string;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: ScannedObject;
};

/**
 * Returns a key that identifies the conversation. It is made from the first of these that is
 * present: `prompt_cache_key`, a session header, `metadata.user_id`, or the beginning of a long
 * prompt (tools, system, first user turn). Returns null if all are missing.
 */
export function affinityOf({ accountId, headers, body }: AffinityAsk): string | null {
  const named = cacheKey(body) ?? sessionOf(headers) ?? userOf(body);
  if (named !== null) return `${accountId} ${named}`;
  const beginning = beginningOf(body);
  return beginning === null ? null : `${accountId} prefix ${beginning}`;
}

/** Returns `prompt_cache_key` as written in the body, with its quotes, since it is only hashed. */
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

/** Returns `metadata.user_id`, where coding tools write their session. */
function userOf({ bytes, members }: ScannedObject): string | null {
  const member = members.get('metadata');
  if (member === undefined || member.end - member.start > MAX_METADATA_BYTES) return null;
  // If the metadata is not valid JSON, there is no user. The request is validated elsewhere.
  const metadata = parsedObject(textOf(bytes, member, MAX_METADATA_BYTES));
  const user = asFilledString(metadata?.['user_id']);
  return user === null ? null : `user ${user.slice(0, MAX_NAME_BYTES)}`;
}

function beginningOf(body: ScannedObject): string | null {
  const { bytes, members } = body;
  if (bytes.byteLength < MIN_CACHED_BYTES) return null;
  const system = members.get('system') ?? members.get('instructions');
  const spans: (Span | undefined)[] = [members.get('tools'), system];
  const messages = members.get('messages') ?? members.get('input');
  if (messages !== undefined) {
    const turn = firstUserTurn(body, messages);
    spans.push({ ...messages, end: turn?.end ?? messages.end }, turn ?? undefined);
  }
  const heads = spans.flatMap((span) =>
    span === undefined ? [] : [unmarked(textOf(bytes, span, HEAD_BYTES))],
  );
  return Bun.hash.xxHash64(heads.join('\n')).toString(36);
}

/**
 * Removes cache markers. `includes` is far faster than the pattern, and most texts have no marker.
 */
const unmarked = (text: string): string =>
  text.includes('"cache_control"') ? text.replace(CACHE_MARK, '') : text;

/**
 * Decodes the start of a span as Latin-1. A split character does no harm: the text is only hashed.
 */
const textOf = (
  { buffer, byteOffset }: Uint8Array,
  { start, end }: Span,
  maxBytes: number,
): string =>
  Buffer.from(buffer, byteOffset + start, Math.min(end - start, maxBytes)).toString('latin1');

/**
 * Returns the first message with the role `user`; null if the searched bytes contain no such
 * message.
 */
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
  // The user's message continues beyond the searched bytes, but its beginning suffices to identify
  // the conversation.
  return isUsers ? { start, end } : null;
}
