/** Prepares a request for display. Attachments are shortened, since they would fill the page. */
import type { Json } from '#snippets/literal.ts';
import type { ModelRequest } from '#snippets/request.ts';

/** The number of characters shown of a data URL, enough to see its type. */
const SHOWN_CHARACTERS = 64;

export function shortened(request: ModelRequest): ModelRequest {
  if (request.kind !== 'chat') return request;
  return {
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      content: shortenedJson(message.content),
    })),
  };
}

function shortenedJson(value: Json): Json {
  if (typeof value === 'string') {
    const isCut = value.startsWith('data:') && value.length > SHOWN_CHARACTERS;
    return isCut ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value;
  }
  if (Array.isArray(value)) return value.map(shortenedJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shortenedJson(each)]),
  );
}
