/**
 * Repairs the tool calls of a streamed choice: numbers them, removes repeated members and adds
 * missing ones.
 */
import {
  asFilledString,
  asJsonObject,
  isJsonObject,
  type JsonObject,
  parsedObject,
} from '../../json/object.ts';

type Call = {
  /** The index that the server sends for the call; null if it sends none. */
  readonly key: number | null;
  /** The id that is sent to the caller. */
  readonly id: string;
  readonly givenId: string | null;
  /** The name that was last sent to the caller; null if none was sent. */
  name: string | null;
};

export class CallTracker {
  readonly #calls: Call[] = [];
  /**
   * The number of new calls, changed names and names without an id so far. If a fragment increases
   * it, `ChunkTemplates` must not learn from the fragment, because later ones are repaired
   * differently.
   */
  changes = 0;
  readonly #mintId: () => string;

  constructor(mintId: () => string) {
    this.#mintId = mintId;
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
    // A later fragment with this name and no id may begin another call.
    if (isNewName || (name !== null && asFilledString(fragment['id']) === null)) this.changes += 1;
    return continued(fragment, at, isNewName);
  }

  #begin(fragment: JsonObject): JsonObject {
    const index = this.#calls.length;
    this.changes += 1;
    const givenId = asFilledString(fragment['id']);
    const id = givenId ?? this.#mintId();
    const kind = isJsonObject(fragment['custom']) ? 'custom' : 'function';
    this.#calls.push({ key: numberOf(fragment), id, givenId, name: nameOf(fragment) });
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
 * name and complete arguments but no id.
 */
function isOther(fragment: JsonObject, id: string | null, call: Call): boolean {
  if (nameOf(fragment) === null) return false;
  if (id !== null) return id !== call.givenId;
  return isWholeObject(asJsonObject(fragment['function'])?.['arguments']);
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

const isWholeObject = (json: unknown): boolean =>
  typeof json === 'string' && json.trimStart().startsWith('{') && parsedObject(json) !== null;
