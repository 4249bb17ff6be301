/**
 * Whether a chat request without `stream` gets a stream. The service streams by default, but every
 * official client library omits `stream` when it wants JSON. So only a client that accepts event
 * streams, or a person with a command-line tool, gets one.
 */

export type StreamDefault = 'negotiate' | 'always' | 'never';

/** Command-line tools; any other client that omits `stream` may be a library. */
const HAND_TOOLS = /^(?:curl|wget|httpie|xh)\//i;

/** @param asked `stream` of the body; null: omitted. */
export function wantsStream(
  asked: boolean | null,
  setting: StreamDefault,
  headers: Headers,
): boolean {
  if (asked !== null) return asked;
  if (setting !== 'negotiate') return setting === 'always';
  const accept = (headers.get('accept') ?? '').toLowerCase();
  if (accept.includes('text/event-stream')) return true;
  if (accept.includes('json')) return false;
  return HAND_TOOLS.test(headers.get('user-agent') ?? '');
}
