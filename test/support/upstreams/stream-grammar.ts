/** For tests: checks that the events of a stream are valid, and returns how the stream ended. */
import { at, eventsOf, type StreamEnding, type WireEvent } from '../wire.ts';
import { responsesEnding } from './responses-grammar.ts';

export type TextEndpointName = 'chat' | 'messages' | 'responses';

/**
 * Returns how the stream ended.
 * @throws Error that names the violated rule, such as a missing end.
 */
export function readEnding(endpoint: TextEndpointName, text: string): StreamEnding {
  const events = eventsOf(text);
  return ended(ENDINGS[endpoint](events));
}

type Ending = (events: readonly WireEvent[]) => StreamEnding | null;

function chatEnding(events: readonly WireEvent[]): StreamEnding | null {
  let ending: StreamEnding | null = null;
  for (const { name, data } of events) {
    if (ending !== null) throw new Error(`after the end came ${data}`);
    if (name !== null) throw new Error(`a chat event has no name, and this one has ${name}`);
    if (data === '[DONE]') {
      ending = { end: 'success' };
      continue;
    }
    const json: unknown = JSON.parse(data);
    const code = at(json, 'error.code');
    if (at(json, 'error') !== undefined) ending = { end: 'error', code: String(code) };
    else if (!Array.isArray(at(json, 'choices'))) throw new Error(`no chunk of a chat: ${data}`);
  }
  return ending;
}

function messagesEnding(events: readonly WireEvent[]): StreamEnding | null {
  let ending: StreamEnding | null = null;
  let started = false;
  const open = new Set<unknown>();
  for (const { name, data } of events) {
    if (ending !== null) throw new Error(`after the end came ${data}`);
    const json: unknown = JSON.parse(data);
    const type = at(json, 'type');
    if (type !== name) throw new Error(`an event named ${name} of type ${type}`);
    const index = at(json, 'index');
    switch (type) {
      case 'ping':
        break;
      case 'error':
        ending = { end: 'error', code: String(at(json, 'error.details.error_code')) };
        break;
      case 'message_start':
        if (started) throw new Error('a second message_start');
        started = true;
        break;
      case 'content_block_start':
        if (!started || open.has(index))
          throw new Error(`block ${index} starts before message_start, or twice`);
        open.add(index);
        break;
      case 'content_block_delta':
        if (!open.has(index)) throw new Error(`a delta of block ${index}, which is not open`);
        break;
      case 'content_block_stop':
        if (!open.delete(index)) throw new Error(`an end of block ${index}, which is not open`);
        break;
      case 'message_delta':
        if (!started || open.size > 0)
          throw new Error('message_delta before message_start, or with open blocks');
        break;
      case 'message_stop':
        if (!started || open.size > 0)
          throw new Error('message_stop before message_start, or with open blocks');
        ending = { end: 'success' };
        break;
      default:
        // After `message_start`, events of unknown types are allowed anywhere.
        if (!started) throw new Error(`${type} before message_start`);
    }
  }
  return ending;
}

function ended(ending: StreamEnding | null): StreamEnding {
  if (ending === null) throw new Error('the stream ended without an end mark or an error');
  return ending;
}

const ENDINGS: Readonly<Record<TextEndpointName, Ending>> = {
  chat: chatEnding,
  messages: messagesEnding,
  responses: responsesEnding,
};
