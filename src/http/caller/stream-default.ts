/**
 * Whether a chat call that says nothing of `stream` gets one. The service streams by default, yet every
 * official client library leaves `stream` out when it wants JSON, so only a caller that plainly reads
 * streams, or types by hand, gets one.
 */

export type StreamDefault = 'negotiate' | 'always' | 'never';

/** Tools that people type into; everything else that omits `stream` may be a library. */
const HAND_TOOLS = /^(?:curl|wget|httpie|xh)\//i;

/** @param asked `stream` of the body; null when it was omitted. */
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
