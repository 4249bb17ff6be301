/**
 * Translates a chat conversation to Messages turns. In a user turn, the tool results come before
 * the messages.
 */
import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { asUserText } from '../messages/system-messages.ts';
import { invalid, missing } from '../validation.ts';
import { assistantTurn, type Call, ToolIds } from './assistant-turn.ts';
import { type Block, copyMarker, copyMessageMarker } from './cache-markers.ts';
import { type Reading, textBlocks, userBlocks } from './content.ts';

export type Conversation = {
  /** The blocks of the system and developer messages at the start of the conversation. */
  readonly system: readonly Block[];
  readonly turns: readonly Turn[];
};

export type Turn = AssistantTurn | UserTurn;
type AssistantTurn = { readonly role: 'assistant'; readonly content: Block[] };
export type UserTurn = {
  readonly role: 'user';
  /** Tool results, which must come first in a user turn. */
  readonly results: Block[];
  readonly blocks: UserBlock[];
};
type UserBlock = { readonly by: 'user' | 'system'; readonly block: Block };

/**
 * Translates a conversation.
 * @throws GatewayError `invalid_value` or `unsupported_value`, which names the message and says
 *   what to do.
 */
export function readConversation(messages: readonly unknown[], reading: Reading): Conversation {
  const reader = new ConversationReader(reading);
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (!isJsonObject(message)) throw invalid(path, 'must be an object with role and content');
    reader.read(message, path);
  }
  return reader.end();
}

class ConversationReader {
  readonly #reading: Reading;
  readonly #ids = new ToolIds();
  readonly #system: Block[] = [];
  readonly #turns: Turn[] = [];
  #pending: Call[] = [];
  /**
   * The path of the first message of the current user turn, even if that message is blank. Null if
   * the current turn is not a user turn.
   */
  #userPath: string | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(message: JsonObject, path: string): void {
    switch (message['role']) {
      case 'system':
      case 'developer':
        this.#readSystem(message, path);
        break;
      case 'user':
        this.#userPath ??= path;
        this.#addBlocks('user', this.#userBlocks(message, path));
        break;
      case 'assistant':
        this.#readAssistant(message, path);
        break;
      case 'tool':
        this.#readResult(message, path, this.#answered(message['tool_call_id'], path));
        break;
      case 'function':
        this.#readResult(message, path, this.#answeredFunction(message['name'], path));
        break;
      default:
        throw invalid(`${path}.role`, 'must be system, developer, user, assistant or tool');
    }
  }

  end(): Conversation {
    this.#closeUserTurn();
    if (this.#turns.length === 0) {
      throw invalid('messages', 'must contain at least one user message');
    }
    return { system: this.#system, turns: this.#turns };
  }

  #readSystem(message: JsonObject, path: string): void {
    const blocks = textBlocks(message['content'], `${path}.content`, 'system', this.#reading);
    copyMessageMarker(message, blocks, this.#reading.marked);
    const isLeading = this.#turns.length === 0 && this.#userPath === null;
    if (isLeading) this.#system.push(...blocks);
    else this.#addBlocks('system', blocks);
  }

  #readAssistant(message: JsonObject, path: string): void {
    const turn = assistantTurn(message, path, this.#ids, this.#reading);
    copyMessageMarker(message, turn.content, this.#reading.marked);
    // An empty answer that a client sends back is dropped, because it has no content to send
    // upstream.
    if (turn.content.length === 0) return;
    this.#closeUserTurn();
    this.#pending = [...turn.calls];
    const last = this.#turns.at(-1);
    if (last?.role === 'assistant') last.content.push(...turn.content);
    else this.#turns.push({ role: 'assistant', content: [...turn.content] });
  }

  #readResult(message: JsonObject, path: string, call: Call): void {
    const own: Reading = { ...this.#reading, marked: [] };
    const content = userBlocks(message['content'], `${path}.content`, own);
    const result: Block = { type: 'tool_result', tool_use_id: call.messagesId };
    // If a part of a result has a cache marker, the marker is moved to the result, because the
    // cached prefix ends there.
    const marked = own.marked.at(-1);
    if (marked !== undefined) {
      result['cache_control'] = marked['cache_control'];
      this.#reading.marked.push(result);
    }
    copyMarker(message, result, this.#reading.marked);
    for (const block of own.marked) delete block['cache_control'];
    if (content.length > 0) result['content'] = content;
    this.#userTurn().results.push(result);
  }

  #userBlocks(message: JsonObject, path: string): readonly Block[] {
    const blocks = userBlocks(message['content'], `${path}.content`, this.#reading);
    copyMessageMarker(message, blocks, this.#reading.marked);
    return blocks;
  }

  #answered(id: unknown, path: string): Call {
    const param = `${path}.tool_call_id`;
    if (asString(id) === null)
      throw missing(param, 'it must be the id of the tool call that this message answers');
    return this.#settle((call) => call.id === id, param, 'the id of an unanswered call');
  }

  #answeredFunction(name: unknown, path: string): Call {
    const wanted = (call: Call): boolean => call.id === null && call.function === name;
    return this.#settle(wanted, `${path}.name`, 'the name of an unanswered function call');
  }

  #settle(isAnswered: (call: Call) => boolean, param: string, what: string): Call {
    const at = this.#pending.findIndex(isAnswered);
    const [call] = at < 0 ? [] : this.#pending.splice(at, 1);
    if (call !== undefined) return call;
    throw invalid(
      param,
      `must be ${what} in the previous assistant message; ` +
        'keep the assistant message with its tool calls, and send one result for each',
    );
  }

  #addBlocks(by: UserBlock['by'], blocks: readonly Block[]): void {
    if (blocks.length > 0) this.#userTurn().blocks.push(...blocks.map((block) => ({ by, block })));
  }

  #userTurn(): UserTurn {
    const last = this.#turns.at(-1);
    if (last?.role === 'user') return last;
    const turn: UserTurn = { role: 'user', results: [], blocks: [] };
    this.#turns.push(turn);
    return turn;
  }

  #closeUserTurn(): void {
    const [open] = this.#pending;
    if (open !== undefined) {
      throw invalid(
        open.path,
        'is a call without a result; add a tool message with its id before the next assistant ' +
          'message, or remove the call',
      );
    }
    const path = this.#userPath;
    this.#userPath = null;
    // A user turn that has only blank messages is refused, not omitted. Otherwise the conversation
    // would end with the assistant's message, and the model would continue that message.
    if (path === null || this.#turns.at(-1)?.role === 'user') return;
    throw invalid(`${path}.content`, 'is blank; add text, or remove the message');
  }
}

/**
 * Converts turns to the messages of a request. With the quirk `systemAnywhere`, the upstream
 * accepts the role `system` in `messages`. Each user turn is then followed by a separate message
 * with its system texts, so that the cached prefix does not change. Without the quirk, or if a turn
 * has only system texts, these become user text in `<system>` tags.
 */
export function writeTurns(turns: readonly Turn[], systemAnywhere: boolean): readonly JsonObject[] {
  return turns.flatMap((turn) => {
    if (turn.role === 'assistant') return [turn];
    const { results, blocks } = turn;
    const isLed = results.length > 0 || blocks.some(({ by }) => by === 'user');
    if (!systemAnywhere || !isLed) {
      const content = blocks.map(({ by, block }) => (by === 'user' ? block : asUserText(block)));
      return [{ role: 'user', content: [...results, ...content] }];
    }
    const by = (who: UserBlock['by']) =>
      blocks.filter((each) => each.by === who).map(({ block }) => block);
    const system = by('system');
    const user = { role: 'user', content: [...results, ...by('user')] };
    return system.length === 0 ? [user] : [user, { role: 'system', content: system }];
  });
}
