/** An assistant message of a Messages conversation as one chat message. */
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { unsealedThinking } from '../sealed-thinking.ts';
import { type PlacedBlock, textOf } from './content.ts';
import type { ChatTurn, Reading, ToolCall } from './conversation.ts';
import { refusedBlock } from './refusal.ts';
import { chatCallId } from './tool-names.ts';

export type AssistantReading = {
  readonly turn: ChatTurn & { readonly role: 'assistant' };
  /** The caller's own id of each tool call and where it stands. */
  readonly places: readonly (readonly [id: string, path: string])[];
};

/**
 * Chat has one text and one list of calls, so that text which stood behind a call stands before it. Texts
 * are put together as they are: what a model writes in one turn is cut into blocks where it cites, even
 * within a sentence.
 *
 * @throws GatewayError `unsupported_value` naming a block that cannot be said.
 */
export function readAssistant(
  blocks: readonly PlacedBlock[],
  { aside, names }: Reading,
): AssistantReading {
  let text = '';
  const thoughts: string[] = [];
  const calls: ToolCall[] = [];
  const places: (readonly [id: string, path: string])[] = [];
  for (const { block, path } of blocks) {
    switch (block['type']) {
      case 'text':
        text += textOf(block);
        break;
      case 'thinking':
        thoughts.push(thinkingOf(block));
        break;
      case 'redacted_thinking':
        break;
      case 'tool_use': {
        const id = asString(block['id']) ?? '';
        places.push([id, path]);
        calls.push({
          id: chatCallId(id),
          type: 'function',
          function: {
            name: names.forChat(asString(block['name']) ?? ''),
            arguments: aside.jsonText(asJsonObject(block['input']) ?? {}),
          },
        });
        break;
      }
      default:
        throw refusedBlock(block['type'], path);
    }
  }
  const reasoning = thoughts.filter((thought) => thought !== '').join('\n\n');
  const content = text === '' && calls.length > 0 ? null : text;
  return { turn: { role: 'assistant', content, reasoning, calls }, places };
}

/** What was thought; out of the signature where the caller asked not to see it. */
function thinkingOf(block: JsonObject): string {
  const shown = asString(block['thinking']) ?? '';
  if (shown !== '') return shown;
  return unsealedThinking(asString(block['signature']) ?? '') ?? '';
}
