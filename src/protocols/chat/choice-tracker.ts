/**
 * Tracks the choices of a stream, and repairs chunks so that every client can assemble them. For
 * example, clients concatenate strings, so an id that is sent twice would become `call_1call_1`.
 */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { derivedId } from '../dialect.ts';
import { isFailedFinish, normalizedFinish, outputBytesOf } from './answer-fields.ts';
import { CallTracker } from './call-tracker.ts';
import { withTextContent } from './model-output.ts';

type ChoiceState = {
  readonly index: number;
  hasRole: boolean;
  finishReason: string | null;
  finishSent: boolean;
  readonly calls: CallTracker;
};

export class ChoiceTracker {
  readonly #choices = new Map<number, ChoiceState>();
  readonly #requestId: string;
  #minted = 0;
  outputBytes = 0;
  /**
   * The number of new roles, calls, names and finish reasons so far. If a chunk increases it,
   * `ChunkTemplates` must not learn from the chunk, because later ones are repaired differently.
   */
  changes = 0;
  /**
   * The number of tool calls so far in all choices. When it increases, `ChunkTemplates` must forget
   * what it learned from earlier chunks.
   */
  begunCalls = 0;

  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  /** The finish reason of the first choice, after repair; null until it is known. */
  get finishReason(): string | null {
    const first = this.#choices.get(0) ?? this.#choices.values().next().value;
    return first?.finishReason ?? null;
  }

  /** Whether at least one choice has begun and every choice has a finish reason. */
  get allFinished(): boolean {
    const states = [...this.#choices.values()];
    return states.length > 0 && states.every(({ finishReason }) => finishReason !== null);
  }

  /**
   * The finish reasons that were not sent yet, as choices of a chunk that is sent before the end
   * mark.
   */
  get unsentFinishes(): readonly JsonObject[] {
    return [...this.#choices.values()].flatMap(({ index, finishSent, finishReason }) =>
      finishSent || finishReason === null
        ? []
        : [{ index, delta: {}, logprobs: null, finish_reason: finishReason }],
    );
  }

  /** The first finish reason of any choice that reports a failure; null without a failure. */
  get failedFinish(): string | null {
    for (const { finishReason } of this.#choices.values()) {
      if (finishReason !== null && isFailedFinish(finishReason)) return finishReason;
    }
    return null;
  }

  /**
   * Returns the choices in a form that clients accept. Returns the same array if nothing must be
   * repaired.
   */
  repair(choices: readonly unknown[]): readonly unknown[] {
    const repaired = choices.map((choice) =>
      isJsonObject(choice) ? this.#repairChoice(choice) : choice,
    );
    return repaired.some((choice, at) => choice !== choices[at]) ? repaired : choices;
  }

  #repairChoice(choice: JsonObject): JsonObject {
    const state = this.#stateOf(choice['index']);
    const given = asJsonObject(choice['delta']) ?? {};
    const delta = withTextContent(given);
    if (delta !== given) this.changes += 1;
    this.outputBytes += outputBytesOf(delta);
    const edits: Record<string, unknown> = {};
    const repairedDelta = this.#repairCalls(this.#repairRole(delta, state), state);
    // Adds `delta` if it is missing, because clients read it without a check. For example, choices
    // with the results of content filters have no `delta`.
    if (repairedDelta !== choice['delta']) edits['delta'] = repairedDelta;
    if (choice['index'] !== state.index) edits['index'] = state.index;
    const finish = choice['finish_reason'] ?? null;
    const reason = this.#finish(finish, delta, state);
    if (reason !== finish) edits['finish_reason'] = reason;
    return Object.keys(edits).length === 0 ? choice : { ...choice, ...edits };
  }

  /**
   * Returns the finish reason to send with this chunk, or null. Some servers send the reason in
   * every chunk, but clients stop reading when they get it. So it is sent only once per choice, in
   * a chunk without output.
   */
  #finish(given: unknown, delta: JsonObject, state: ChoiceState): string | null {
    if (typeof given !== 'string' || given === '' || state.finishSent) return null;
    const reason = normalizedFinish(given, state.calls.count > 0);
    state.finishReason = reason;
    state.finishSent = !saysSomething(delta);
    this.changes += 1;
    return state.finishSent ? reason : null;
  }

  /** Adds a missing role to the first chunk of a choice, and removes the role from later chunks. */
  #repairRole(delta: JsonObject, state: ChoiceState): JsonObject {
    if (state.hasRole) return 'role' in delta ? without(delta, 'role') : delta;
    state.hasRole = true;
    this.changes += 1;
    return asString(delta['role']) ? delta : { role: 'assistant', ...without(delta, 'role') };
  }

  #repairCalls(delta: JsonObject, { calls: known }: ChoiceState): JsonObject {
    const { tool_calls: calls } = delta;
    if (!Array.isArray(calls)) return delta;
    const { count, changes } = known;
    const repaired = calls.map((call) => (isJsonObject(call) ? known.repair(call) : call));
    this.begunCalls += known.count - count;
    this.changes += known.changes - changes;
    const isWhole = repaired.every((call, at) => call === calls[at]);
    return isWhole ? delta : { ...delta, tool_calls: repaired };
  }

  #stateOf(given: unknown): ChoiceState {
    const index = Number.isInteger(given) ? Number(given) : 0;
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const calls = new CallTracker(this.#mintId);
    const state = { index, hasRole: false, finishReason: null, finishSent: false, calls };
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
