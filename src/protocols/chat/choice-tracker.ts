/**
 * The choices of one stream: how far each has come, and what has to be mended so that every client can
 * put the pieces together. Clients join the strings of fragments, so what may come once must come once:
 * `call_1` sent twice becomes the id `call_1call_1`.
 */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../json-object.ts';
import { writtenBytes } from './delta.ts';

/** A tool call's strings that were sent already. */
type CallState = { id: string | null; type: string | null; name: string | null };
type ChoiceState = {
  hasRole: boolean;
  finishReason: string | null;
  readonly calls: Map<number, CallState>;
};

export class ChoiceTracker {
  readonly #choices = new Map<number, ChoiceState>();
  #changes = 0;
  #writtenBytes = 0;

  /** Bytes of output seen so far, over all choices. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Counts up with all that a later chunk's treatment depends on: a role, a tool call, a finish. */
  get changes(): number {
    return this.#changes;
  }

  /** The first choice's, in the dialect's own words. */
  get finishReason(): string | null {
    const first = this.#choices.get(0) ?? this.#choices.values().next().value;
    return first?.finishReason ?? null;
  }

  /** Whether there was an answer and each of its choices said how it ended. */
  get allFinished(): boolean {
    const states = [...this.#choices.values()];
    return states.length > 0 && states.every(({ finishReason }) => finishReason !== null);
  }

  /** Output that was seen without `mend`. */
  addWritten(bytes: number): void {
    this.#writtenBytes += bytes;
  }

  /** @returns the same array when there is nothing to mend. */
  mend(choices: readonly unknown[]): readonly unknown[] {
    const mended = choices.map((choice) =>
      isJsonObject(choice) ? this.#mendChoice(choice) : choice,
    );
    return mended.some((choice, at) => choice !== choices[at]) ? mended : choices;
  }

  #mendChoice(choice: JsonObject): JsonObject {
    const state = this.#stateOf(choice['index']);
    const delta = asJsonObject(choice['delta']) ?? {};
    this.#writtenBytes += writtenBytes(delta);
    const edits: Record<string, unknown> = {};
    const mendedDelta = this.#mendCalls(this.#mendRole(delta, state), state);
    if (mendedDelta !== delta) edits['delta'] = mendedDelta;
    const reason = choice['finish_reason'] ?? null;
    const isFinish = typeof reason === 'string' && reason !== '' && state.finishReason === null;
    if (isFinish) {
      state.finishReason = reason;
      this.#changes += 1;
    } else if (reason !== null) {
      // Clients take any reason for the end, and the end may come once only.
      edits['finish_reason'] = null;
    }
    return Object.keys(edits).length === 0 ? choice : { ...choice, ...edits };
  }

  /** The role stands in a choice's first chunk, and nowhere else. */
  #mendRole(delta: JsonObject, state: ChoiceState): JsonObject {
    if (state.hasRole) return 'role' in delta ? without(delta, 'role') : delta;
    state.hasRole = true;
    this.#changes += 1;
    const isTold = asString(delta['role']) !== null;
    return isTold ? delta : { role: 'assistant', ...without(delta, 'role') };
  }

  #mendCalls(delta: JsonObject, state: ChoiceState): JsonObject {
    const { tool_calls: calls } = delta;
    if (!Array.isArray(calls)) return delta;
    const mended = calls.map((call) => (isJsonObject(call) ? this.#mendCall(call, state) : call));
    const isWhole = mended.every((call, at) => call === calls[at]);
    return isWhole ? delta : { ...delta, tool_calls: mended };
  }

  #mendCall(call: JsonObject, state: ChoiceState): JsonObject {
    const index = callIndex(call, state);
    const sent = state.calls.get(index) ?? { id: null, type: null, name: null };
    if (!state.calls.has(index)) {
      state.calls.set(index, sent);
      this.#changes += 1;
    }
    let mended = call['index'] === index ? call : { index, ...without(call, 'index') };
    mended = this.#once(mended, 'id', sent, 'id');
    mended = this.#once(mended, 'type', sent, 'type');
    for (const kind of ['function', 'custom'] as const) {
      const inner = asJsonObject(call[kind]);
      if (inner === null) continue;
      const mendedInner = this.#once(inner, 'name', sent, 'name');
      if (mendedInner !== inner) mended = { ...mended, [kind]: mendedInner };
    }
    return mended;
  }

  /** The part without a string that is empty or was sent before; a new one is kept, and remembered. */
  #once(part: JsonObject, key: string, sent: CallState, as: keyof CallState): JsonObject {
    if (!(key in part)) return part;
    const value = asString(part[key]);
    if (value === null || value === '' || value === sent[as]) return without(part, key);
    sent[as] = value;
    this.#changes += 1;
    return part;
  }

  #stateOf(given: unknown): ChoiceState {
    const index = Number.isInteger(given) ? Number(given) : 0;
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const state: ChoiceState = { hasRole: false, finishReason: null, calls: new Map() };
    this.#choices.set(index, state);
    return state;
  }
}

/** Its own; or, where the upstream leaves it out, the next for a new id and else that of the last call. */
function callIndex(call: JsonObject, { calls }: ChoiceState): number {
  const { index } = call;
  if (Number.isInteger(index)) return Number(index);
  const id = asString(call['id']) ?? '';
  const isNew = id !== '' && ![...calls.values()].some((sent) => sent.id === id);
  return isNew ? calls.size : Math.max(0, calls.size - 1);
}

function without(part: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = part;
  return rest;
}
