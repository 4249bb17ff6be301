/**
 * Tracks the choices of a stream, and repairs chunks so that every client can assemble them. For
 * example, clients concatenate strings, so an id that is sent twice would become `call_1call_1`.
 */
import {
  asFilledString,
  asJsonObject,
  asString,
  changedList,
  isJsonObject,
  type JsonObject,
  parsedObject,
} from '../../json/object.ts';
import { advance, type JsonProgress, NO_PROGRESS } from '../../json/progress.ts';
import { derivedId } from '../dialect.ts';
import { isFailedFinish, normalizedFinish, outputBytesOf } from './answer-fields.ts';
import { withTextContent } from './model-output.ts';

type ChoiceState = {
  readonly index: number;
  hasRole: boolean;
  finishReason: string | null;
  finishSent: boolean;
  readonly calls: CallTracker;
};

export class ChoiceTracker {
  /** The choice that began first, which in most streams is the only one. */
  #first: ChoiceState | null = null;
  /** The other choices, by index. */
  #others: Map<number, ChoiceState> | null = null;
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
    const first = this.#others?.get(0) ?? this.#first;
    return first?.finishReason ?? null;
  }

  /** Whether at least one choice has begun and every choice has a finish reason. */
  get allFinished(): boolean {
    const states = this.#all;
    return states.length > 0 && states.every(({ finishReason }) => finishReason !== null);
  }

  /**
   * The finish reasons that were not sent yet, as choices of a chunk that is sent before the end
   * mark.
   */
  get unsentFinishes(): readonly JsonObject[] {
    return this.#all.flatMap(({ index, finishSent, finishReason }) =>
      finishSent || finishReason === null
        ? []
        : [{ index, delta: {}, logprobs: null, finish_reason: finishReason }],
    );
  }

  /** The first finish reason of any choice that reports a failure; null without a failure. */
  get failedFinish(): string | null {
    for (const { finishReason } of this.#all) {
      if (finishReason !== null && isFailedFinish(finishReason)) return finishReason;
    }
    return null;
  }

  /**
   * Returns the choices in a form that clients accept. Returns the same array if nothing must be
   * repaired.
   */
  repair(choices: readonly unknown[]): readonly unknown[] {
    return changedList(choices, (choice) =>
      isJsonObject(choice) ? this.#repairChoice(choice) : choice,
    );
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
    if (state.hasRole) return 'role' in delta ? withoutRole(delta) : delta;
    state.hasRole = true;
    this.changes += 1;
    return asString(delta['role']) ? delta : { role: 'assistant', ...withoutRole(delta) };
  }

  #repairCalls(delta: JsonObject, { calls: known }: ChoiceState): JsonObject {
    const { tool_calls: calls } = delta;
    if (!Array.isArray(calls)) return delta;
    const { count, changes } = known;
    const repaired = changedList(calls, (call) => (isJsonObject(call) ? known.repair(call) : call));
    this.begunCalls += known.count - count;
    this.changes += known.changes - changes;
    return repaired === calls ? delta : { ...delta, tool_calls: repaired };
  }

  #stateOf(given: unknown): ChoiceState {
    const index = Number.isInteger(given) ? Number(given) : 0;
    if (this.#first?.index === index) return this.#first;
    const known = this.#others?.get(index);
    if (known !== undefined) return known;
    const calls = new CallTracker(this);
    const state = { index, hasRole: false, finishReason: null, finishSent: false, calls };
    if (this.#first === null) this.#first = state;
    else {
      this.#others ??= new Map();
      this.#others.set(index, state);
    }
    return state;
  }

  /** Returns a new id for a tool call that the server sent without one. */
  mintId(): string {
    return `${derivedId('call_', this.#requestId)}_${this.#minted++}`;
  }

  get #all(): readonly ChoiceState[] {
    if (this.#first === null) return [];
    return this.#others === null ? [this.#first] : [this.#first, ...this.#others.values()];
  }
}

const saysSomething = (delta: JsonObject): boolean =>
  outputBytesOf(delta) > 0 ||
  (Array.isArray(delta['tool_calls']) && delta['tool_calls'].length > 0);

function withoutRole({ role: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

type Call = {
  /** The index that the server sends for the call; null if it sends none. */
  readonly key: number | null;
  /** The id that is sent to the caller. */
  readonly id: string;
  readonly givenId: string | null;
  /** The name that was last sent to the caller; null if none was sent. */
  name: string | null;
  /** The progress of the arguments in fragments that were repaired, not rewritten by a template. */
  progress: JsonProgress;
};

/**
 * Repairs the tool calls of a choice: numbers them, removes repeated members and adds missing ones.
 */
class CallTracker {
  readonly #calls: Call[] = [];
  /**
   * The number of new calls, changed names and names without an id so far. If a fragment increases
   * it, `ChunkTemplates` must not learn from the fragment, because later ones are repaired
   * differently.
   */
  changes = 0;
  readonly #ids: Pick<ChoiceTracker, 'mintId'>;

  constructor(ids: Pick<ChoiceTracker, 'mintId'>) {
    this.#ids = ids;
  }

  get count(): number {
    return this.#calls.length;
  }

  /**
   * Returns the fragment in a form that clients accept. Returns the same object if nothing must be
   * repaired.
   */
  repair(fragment: JsonObject): JsonObject {
    const at = this.#indexOf(fragment);
    const call = this.#calls[at];
    if (call === undefined) return this.#begin(fragment);
    const name = nameOf(fragment);
    const isNewName = name !== null && name !== call.name;
    if (isNewName) call.name = name;
    call.progress = advance(call.progress, argumentsOf(fragment));
    // A later fragment with this name and no id may begin another call.
    if (isNewName || (name !== null && asFilledString(fragment['id']) === null)) this.changes += 1;
    return continued(fragment, at, isNewName);
  }

  #begin(fragment: JsonObject): JsonObject {
    const index = this.#calls.length;
    this.changes += 1;
    const givenId = asFilledString(fragment['id']);
    const id = givenId ?? this.#ids.mintId();
    const kind = isJsonObject(fragment['custom']) ? 'custom' : 'function';
    this.#calls.push({
      key: numberOf(fragment),
      id,
      givenId,
      name: nameOf(fragment),
      progress: advance(NO_PROGRESS, argumentsOf(fragment)),
    });
    const isWhole =
      fragment['index'] === index && givenId !== null && asFilledString(fragment['type']) !== null;
    if (isWhole) return fragment;
    const { index: _i, id: _d, type, ...rest } = fragment;
    return { index, id, type: asFilledString(type) ?? kind, ...rest };
  }

  #indexOf(fragment: JsonObject): number {
    const key = numberOf(fragment);
    const id = asFilledString(fragment['id']);
    const found =
      key === null
        ? this.#calls.findLastIndex(({ givenId }) => id !== null && givenId === id)
        : this.#calls.findLastIndex((call) => call.key === key);
    const last = this.#calls.length - 1;
    const at =
      found < 0 && key === null && (id === null || nameOf(fragment) === null) ? last : found;
    const call = this.#calls[at];
    return call === undefined || isOther(fragment, id, call) ? -1 : at;
  }
}

/**
 * Whether a fragment begins another call. It does if it has a name and a new id, or if it has a
 * name and complete arguments but no id. Some servers repeat the name in each fragment, so an
 * earlier call of this name must be complete.
 */
function isOther(fragment: JsonObject, id: string | null, call: Call): boolean {
  const name = nameOf(fragment);
  if (name === null) return false;
  if (id !== null) return id !== call.givenId;
  if (name === call.name && !call.progress.isComplete) return false;
  return isWholeObject(argumentsOf(fragment));
}

/**
 * Removes from a later fragment of a call what its first fragment had: the id, the type and, unless
 * `keepsName` is true, the name.
 */
function continued(fragment: JsonObject, index: number, keepsName: boolean): JsonObject {
  const isSame = fragment['index'] === index && !('id' in fragment) && !('type' in fragment);
  const { id: _d, type: _t, index: _i, ...rest } = fragment;
  let repaired: JsonObject = isSame ? fragment : { index, ...rest };
  for (const kind of ['function', 'custom'] as const) {
    const inner = asJsonObject(fragment[kind]);
    if (inner === null || !('name' in inner) || keepsName) continue;
    const { name: _, ...others } = inner;
    repaired = { ...repaired, [kind]: others };
  }
  return repaired;
}

const numberOf = ({ index }: JsonObject): number | null =>
  typeof index === 'number' && Number.isInteger(index) ? index : null;

const nameOf = ({ function: definition, custom }: JsonObject): string | null =>
  asFilledString((asJsonObject(definition) ?? asJsonObject(custom))?.['name']);

const argumentsOf = ({ function: definition }: JsonObject): string =>
  asString(asJsonObject(definition)?.['arguments']) ?? '';

const isWholeObject = (json: string): boolean =>
  json.trimStart().startsWith('{') && parsedObject(json) !== null;
