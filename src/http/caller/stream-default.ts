/**
 * Decides whether a chat request without `stream` gets a stream. The service streams by default,
 * but every official client library omits `stream` when it expects JSON. So only two kinds of
 * clients get a stream: those that accept event streams, and command-line tools.
 */

export type StreamDefault = 'negotiate' | 'always' | 'never';

/** Command-line tools that people use. Any other client that omits `stream` may be a library. */
const HAND_TOOLS = /^(?:curl|wget|httpie|xh)\//i;

/**
 * Whether the response is a stream.
 * @param asked the field `stream` of the body; null if omitted.
 */
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
