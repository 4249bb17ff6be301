/** The end mark of a chat stream. */

const decoder = new TextDecoder();

/**
 * Whether an event that is not whole yet is the end mark all the same: nothing else begins like it, and
 * some upstreams close without a blank line behind it.
 */
export function isPendingEndMark(pending: Uint8Array): boolean {
  const shortest = 'data:[DONE]'.length;
  const { byteLength } = pending;
  if (byteLength < shortest || byteLength > shortest + 3) return false;
  return /^data: ?\[DONE\][\r\n]*$/.test(decoder.decode(pending));
}
