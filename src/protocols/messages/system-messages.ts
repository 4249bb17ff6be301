/**
 * Moves system messages, merges them or turns them into user text, because some upstreams accept
 * them only after a user turn, and others never. No message moves past an assistant turn, so the
 * cached prefix of a conversation stays unchanged.
 */
import { asArray, isJsonObject, type JsonObject } from '../../json/object.ts';

/** Returns the conversation with system messages where upstreams accept them; null if unchanged. */
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

/** Places the system messages of a run, that is, of all messages between two assistant turns. */
function placeRun(run: readonly unknown[], systemAnywhere: boolean): readonly unknown[] {
  const system = run.filter((message) => roleOf(message) === 'system');
  if (system.length === 0) return run;
  const others = run.filter((message) => roleOf(message) !== 'system');
  if (systemAnywhere && others.length > 0) return [...others, merged(system)];
  // The results of tools must directly follow the calls.
  const results = run.filter(hasResult);
  const rest = run.filter((message) => !hasResult(message));
  return [
    ...results,
    ...rest.flatMap((message) => (roleOf(message) === 'system' ? saidByUser(message) : [message])),
  ];
}

const hasResult = (message: unknown): boolean =>
  isJsonObject(message) && blocksOf(message['content']).some(({ type }) => type === 'tool_result');

/**
 * Merges system messages, since upstreams refuse two in a row. Joins their `content`. For each
 * other member, the last message's value applies.
 */
function merged(system: readonly unknown[]): unknown {
  const [only, ...more] = system;
  if (more.length === 0) return only;
  const all = system.filter(isJsonObject);
  return { ...Object.assign({}, ...all), content: all.flatMap(({ content }) => blocksOf(content)) };
}

/** Returns a user message with the system text; none if the message only changes the effort. */
function saidByUser(message: unknown): readonly unknown[] {
  const { content } = isJsonObject(message) ? message : {};
  const blocks = blocksOf(content);
  return blocks.length === 0 ? [] : [{ role: 'user', content: blocks.map(asUserText) }];
}

/** Returns system text as user text, marked to distinguish it from the user's own words. */
export function asUserText(block: JsonObject): JsonObject {
  const { text } = block;
  return typeof text === 'string' ? { ...block, text: `<system>\n${text}\n</system>` } : block;
}

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asArray(content).filter(isJsonObject);
}

const roleOf = (message: unknown): unknown => (isJsonObject(message) ? message['role'] : undefined);

/**
 * Recognizes the first block of Claude Code's system text. It names the program's version with a
 * digest that differs for each conversation, and is for Anthropic's accounting. For any other
 * model, it is an odd first instruction, and prompts that begin with it share no prompt cache.
 */
const BILLING_HEADER = 'x-anthropic-billing-header:';

export const isBillingHeader = (text: string): boolean => text.startsWith(BILLING_HEADER);
