/**
 * System messages in mid-conversation. Callers may put them anywhere (service rule); upstreams take one
 * only behind a user turn and before the assistant's, some take none. They are moved, merged or said by
 * the user, never dropped, and always behind what a prompt cache may hold already.
 */
import { asArray, isJsonObject, type JsonObject } from '../../json/object.ts';

/**
 * @param messages as they came; anything that is no message stays where it is.
 * @param systemAnywhere whether the upstream takes system messages in the conversation at all.
 * @returns null when there is nothing to change.
 */
export function placeSystemTurns(
  messages: readonly unknown[],
  systemAnywhere: boolean,
): readonly unknown[] | null {
  const isPlaced = messages.every((message, at) => {
    if (roleOf(message) !== 'system') return true;
    const next = roleOf(messages[at + 1]);
    return (
      systemAnywhere && roleOf(messages[at - 1]) === 'user' && next !== 'user' && next !== 'system'
    );
  });
  if (isPlaced) return null;
  const placed: unknown[] = [];
  let run: unknown[] = [];
  for (const message of messages) {
    if (roleOf(message) !== 'assistant') {
      run.push(message);
      continue;
    }
    placed.push(...placeRun(run, systemAnywhere), message);
    run = [];
  }
  return [...placed, ...placeRun(run, systemAnywhere)];
}

/** What lies between two answers of the assistant. */
function placeRun(run: readonly unknown[], systemAnywhere: boolean): readonly unknown[] {
  const system = run.filter((message) => roleOf(message) === 'system');
  if (system.length === 0) return run;
  const others = run.filter((message) => roleOf(message) !== 'system');
  if (systemAnywhere && others.length > 0) return [...others, merged(system)];
  return run.map((message) => (roleOf(message) === 'system' ? saidByUser(message) : message));
}

/** Two in a row are refused, so they become one: the blocks of all, and whatever else the last one says. */
function merged(system: readonly unknown[]): unknown {
  const [only, ...more] = system;
  if (more.length === 0) return only;
  const all = system.filter(isJsonObject);
  return { ...Object.assign({}, ...all), content: all.flatMap(({ content }) => blocksOf(content)) };
}

/** Marked as what it is, so that the model can tell it from the user's own words. */
function saidByUser(message: unknown): unknown {
  const { content } = isJsonObject(message) ? message : {};
  return { role: 'user', content: blocksOf(content).map(asUserText) };
}

/** Marked as what it is, so that the model can tell it from the user's own words. */
export function asUserText(block: JsonObject): JsonObject {
  const { text } = block;
  return typeof text === 'string' ? { ...block, text: `<system>\n${text}\n</system>` } : block;
}

/** A string is one text block. */
function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asArray(content).filter(isJsonObject);
}

const roleOf = (message: unknown): unknown => (isJsonObject(message) ? message['role'] : undefined);
