/**
 * The choices of one stream: how far each has come, and what has to be mended so that every client can
 * put the pieces together. Clients join the strings of fragments, so what may come once must come once:
 * `call_1` sent twice becomes the id `call_1call_1`.
 */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { derivedId } from '../dialect.ts';
import { isFailedFinish, normalizedFinish, outputBytesOf } from './answer-fields.ts';
import { CallTracker } from './call-tracker.ts';

type ChoiceState = {
  readonly index: number;
  hasRole: boolean;
  finishReason: string | null;
  /** Whether the reason was told. */
  finishSent: boolean;
  readonly calls: CallTracker;
};

export class ChoiceTracker {
  readonly #choices = new Map<number, ChoiceState>();
  readonly #requestId: string;
  #minted = 0;
  #changes = 0;
  #begunCalls = 0;
  #outputBytes = 0;

  /** @param requestId that ids are made of for calls which come without one. */
  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  /** Bytes of output seen so far, over all choices. */
  get outputBytes(): number {
    return this.#outputBytes;
  }

  /** Counts up with all that a later chunk's treatment depends on: a role, a tool call, a finish. */
  get changes(): number {
    return this.#changes;
  }

  /** Tool calls so far, over all choices: with each, later fragments may belong elsewhere. */
  get begunCalls(): number {
    return this.#begunCalls;
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

  /** The ends that are still to be told, at the end mark, as choices of chunks. */
  get unsentFinishes(): readonly JsonObject[] {
    return [...this.#choices.values()].flatMap(({ index, finishSent, finishReason }) =>
      finishSent || finishReason === null
        ? []
        : [{ index, delta: {}, logprobs: null, finish_reason: finishReason }],
    );
  }

  /** A reason that tells of a failure, of any choice; null when there is none. */
  get failedFinish(): string | null {
    for (const { finishReason } of this.#choices.values()) {
      if (finishReason !== null && isFailedFinish(finishReason)) return finishReason;
    }
    return null;
  }

  /** Output that was seen without `mend`. */
  addOutput(bytes: number): void {
    this.#outputBytes += bytes;
  }

  /** @returns the same array when there is nothing to mend. */
  repair(choices: readonly unknown[]): readonly unknown[] {
    const repaired = choices.map((choice) =>
      isJsonObject(choice) ? this.#repairChoice(choice) : choice,
    );
    return repaired.some((choice, at) => choice !== choices[at]) ? repaired : choices;
  }

  #repairChoice(choice: JsonObject): JsonObject {
    const state = this.#stateOf(choice['index']);
    const delta = asJsonObject(choice['delta']) ?? {};
    this.#outputBytes += outputBytesOf(delta);
    const edits: Record<string, unknown> = {};
    const repairedDelta = this.#repairCalls(this.#repairRole(delta, state), state);
    // Annotations of a filter come without a delta, where clients look into it unasked.
    if (repairedDelta !== choice['delta']) edits['delta'] = repairedDelta;
    if (choice['index'] !== state.index) edits['index'] = state.index;
    const given = choice['finish_reason'] ?? null;
    const reason = this.#finish(given, delta, state);
    if (reason !== given) edits['finish_reason'] = reason;
    return Object.keys(edits).length === 0 ? choice : { ...choice, ...edits };
  }

  /**
   * Clients take any reason for the end, and the end may come once only. Some servers give one with every
   * word: beside words it waits, since more may follow.
   *
   * @returns what is told now.
   */
  #finish(given: unknown, delta: JsonObject, state: ChoiceState): string | null {
    if (typeof given !== 'string' || given === '' || state.finishSent) return null;
    const reason = normalizedFinish(given, state.calls.count > 0);
    state.finishReason = reason;
    state.finishSent = !saysSomething(delta);
    this.#changes += 1;
    return state.finishSent ? reason : null;
  }

  /** The role stands in a choice's first chunk, and nowhere else. */
  #repairRole(delta: JsonObject, state: ChoiceState): JsonObject {
    if (state.hasRole) return 'role' in delta ? without(delta, 'role') : delta;
    state.hasRole = true;
    this.#changes += 1;
    const isTold = asString(delta['role']) !== null;
    return isTold ? delta : { role: 'assistant', ...without(delta, 'role') };
  }

  #repairCalls(delta: JsonObject, { calls: known }: ChoiceState): JsonObject {
    const { tool_calls: calls } = delta;
    if (!Array.isArray(calls)) return delta;
    const { count, changes } = known;
    const repaired = calls.map((call) => (isJsonObject(call) ? known.repair(call) : call));
    this.#begunCalls += known.count - count;
    this.#changes += known.changes - changes;
    const isWhole = repaired.every((call, at) => call === calls[at]);
    return isWhole ? delta : { ...delta, tool_calls: repaired };
  }

  #stateOf(given: unknown): ChoiceState {
    const index = Number.isInteger(given) ? Number(given) : 0;
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const calls = new CallTracker(this.#mintId);
    const state: ChoiceState = {
      index,
      hasRole: false,
      finishReason: null,
      finishSent: false,
      calls,
    };
    this.#choices.set(index, state);
    return state;
  }

  readonly #mintId = (): string => `${derivedId('call_', this.#requestId)}_${this.#minted++}`;
}

const saysSomething = (delta: JsonObject): boolean =>
  outputBytesOf(delta) > 0 ||
  (Array.isArray(delta['tool_calls']) && delta['tool_calls'].length > 0);

function without(part: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = part;
  return rest;
}
