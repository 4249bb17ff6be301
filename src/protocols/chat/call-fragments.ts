/**
 * Finds the tool call to which a streamed fragment belongs, for all ways in which servers number
 * calls.
 */
import { advance, type JsonProgress, NO_PROGRESS } from '../../json/progress.ts';
import type { CallFragment } from './model-output.ts';

/** Maximum tool calls of an answer in OpenAI's chat protocol. */
export const MAX_CALLS = 128;

/** A streamed tool call, assembled from the fragments received so far. */
export type FragmentedCall = {
  /** The index that the server sends for the call; null if it sends none. */
  readonly key: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly progress: JsonProgress;
};

export const newCall = (key: number | null): FragmentedCall => ({
  key,
  id: null,
  name: null,
  progress: NO_PROGRESS,
});

/**
 * Returns the call with a fragment added. The id and name that came first are kept, because servers
 * repeat or change them.
 */
export const withFragment = <Call extends FragmentedCall>(
  call: Call,
  { id, name, arguments: text }: CallFragment,
): Call => ({
  ...call,
  id: call.id ?? id,
  name: call.name ?? name,
  progress: advance(call.progress, text),
});

/**
 * Returns the position of the call to which the fragment belongs; -1 if the fragment begins a new
 * call.
 */
export function callIndex(
  calls: readonly FragmentedCall[],
  { index, id, name }: CallFragment,
): number {
  const found =
    index === null
      ? calls.findIndex((call) => id !== null && call.id === id)
      : calls.findLastIndex((call) => call.key === index);
  const at = found < 0 && index === null && id === null ? calls.length - 1 : found;
  const call = calls[at];
  if (call === undefined) return -1;
  // Some servers send several complete calls with the same index, or without an index. Then a
  // fragment with a name begins the next call.
  const isOther = name !== null && (id === null || id !== call.id) && mayBeWhole(call, name);
  return isOther ? -1 : at;
}

/**
 * Whether the call may be complete: its arguments are complete, or it has no arguments yet and the
 * new fragment has another name.
 */
function mayBeWhole({ progress, name }: FragmentedCall, otherName: string): boolean {
  return progress.isComplete || (progress === NO_PROGRESS && name !== null && name !== otherName);
}
