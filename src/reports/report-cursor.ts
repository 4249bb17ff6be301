/**
 * Cursors of report pages: the position where a page ended, with a digest of the list and its
 * filters. A cursor grants no access, since each query takes its account from the caller.
 */
import { createHash } from 'node:crypto';
import { GatewayError } from '../errors.ts';

const DIGEST_CHARS = 12;
/** Longer cursors are refused without parsing. Valid cursors have fewer than 300 characters. */
const MAX_CURSOR_CHARS = 1_000;

/**
 * Returns the cursor of a position. `scope` is a text that identifies the list and its filters. It
 * must be the same for all pages.
 */
export function cursorOf(scope: string, position: readonly string[]): string {
  const parts = [digest(scope, position), ...position];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Returns the position in `cursor`.
 * @throws GatewayError `invalid_value` if the cursor was altered or belongs to another list.
 */
export function readCursor(scope: string, cursor: string, parts: number): readonly string[] {
  const [stated, ...position] = cursor.length > MAX_CURSOR_CHARS ? [] : texts(cursor);
  if (position.length === parts && stated === digest(scope, position)) return position;
  throw new GatewayError(
    'invalid_value',
    'after is not a cursor of this list. Send `next` of the previous page with the same filters, or omit it.',
    { param: 'after' },
  );
}

function digest(scope: string, position: readonly string[]): string {
  const text = JSON.stringify([scope, ...position]);
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARS);
}

function texts(cursor: string): readonly string[] {
  const parts = parsed(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!Array.isArray(parts)) return [];
  return parts.filter((part) => typeof part === 'string');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The text is not JSON, so it is not a cursor, and `readCursor` throws.
    return null;
  }
}
