/**
 * The tool calls of one streamed choice, numbered from 0 in their order and each told whole in its first
 * fragment. Servers give all calls one number, or none, or count other things with them; some repeat ids and
 * names, send new ids with every fragment, or none at all.
 */
import {
  asFilledString,
  asJsonObject,
  isJsonObject,
  type JsonObject,
  parsedObject,
} from '../../json/object.ts';

type Call = {
  /** The server's own number for it; null where it has none. */
  readonly key: number | null;
  /** As it was sent. */
  readonly id: string;
  /** The server's own; null where it gave none. */
  readonly givenId: string | null;
  /** What was sent last of it; null as long as none was. */
  name: string | null;
};

export class CallTracker {
  readonly #calls: Call[] = [];
  #changes = 0;
  readonly #mintId: () => string;

  /** @param mintId makes an id for a call that came without one. */
  constructor(mintId: () => string) {
    this.#mintId = mintId;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Counts up with each call, and with each piece of a name: with what may be told once only. */
  get changes(): number {
    return this.#changes;
  }

  /** The fragment as clients take it: the same object when there is nothing to mend. */
  repair(fragment: JsonObject): JsonObject {
    const at = this.#indexOf(fragment);
    const call = this.#calls[at];
    if (call === undefined) return this.#begin(fragment);
    const name = nameOf(fragment);
    const isNewName = name !== null && name !== call.name;
    if (isNewName) {
      call.name = name;
      this.#changes += 1;
    }
    return continued(fragment, at, isNewName);
  }

  #begin(fragment: JsonObject): JsonObject {
    const index = this.#calls.length;
    this.#changes += 1;
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

  /** -1 for a call that is new. */
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

/** Where numbers do not tell calls apart, a name beside an id of its own does, or beside whole arguments. */
function isOther(fragment: JsonObject, id: string | null, call: Call): boolean {
  if (nameOf(fragment) === null) return false;
  if (id !== null) return id !== call.givenId;
  return isWholeObject(asJsonObject(fragment['function'])?.['arguments']);
}

/** A later fragment, with only what is new in it. */
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
