/**
 * Decides whether a chat request without `stream` gets a stream or JSON. With the setting
 * `negotiate`, only command-line tools and event-stream clients get a stream, because official
 * client libraries omit `stream` when they expect JSON. `always` and `never` decide for every
 * client.
 */

export type StreamDefault = 'negotiate' | 'always' | 'never';

/** Command-line tools that people use. Any other client without `stream` may be a library. */
const HAND_TOOLS = /^(?:curl|wget|httpie|xh)\//i;

/** Whether the response is a stream. @param asked the request's `stream` field; null if omitted. */
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
