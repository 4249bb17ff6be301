/** Parses `system` and `messages` into turns. A system message may be at any position. */

import { isBillingHeader } from '../../protocols/messages/system-messages.ts';
import type { Fields } from '../body-fields.ts';
import type { CacheLife, Conversation, Part, Turn } from '../builtin-conversation.ts';
import { inspectMedia, type Media } from '../prompt-media.ts';
import { invalid } from '../request-error.ts';

/**
 * @throws RequestError for an invalid message, a tool call without a result, or a result without a
 *   call.
 */
export function readMessagesTurns(fields: Fields): Pick<Conversation, 'turns' | 'prefill'> {
  const messages = fields.children('messages');
  if (!fields.has('messages')) fields.missing('messages');
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.oneOf('role', ['user', 'assistant', 'system']) ?? message.missing('role');
    // A system message that only changes settings has no content.
    if (role !== 'system' && !message.has('content')) message.missing('content');
    const parts = readContent(message);
    const last = turns.at(-1);
    if (last?.role === role && role !== 'system') {
      turns[turns.length - 1] = { role, parts: [...last.parts, ...parts] };
    } else {
      turns.push({ role, parts });
    }
  }
  if (!turns.some((turn) => turn.role !== 'system')) {
    throw invalid('messages', 'At least one message with role user is required.');
  }
  checkToolResults(turns);
  return { turns: [...readSystem(fields), ...turns], prefill: prefillOf(turns) };
}

function readSystem(fields: Fields): readonly Turn[] {
  const { system } = fields.object;
  if ((system ?? null) === null) return [];
  if (typeof system === 'string') {
    return [{ role: 'system', parts: [{ kind: 'text', text: system, marker: null }] }];
  }
  const parts = fields.children('system').map((block): Part => {
    if (block.oneOf('type', ['text']) === undefined) block.missing('type');
    return { kind: 'text', text: block.requiredString('text'), marker: readMarker(block) };
  });
  const shown = parts.filter((part) => part.kind !== 'text' || !isBillingHeader(part.text));
  return shown.length === 0 ? [] : [{ role: 'system', parts: shown }];
}

function checkToolResults(turns: readonly Turn[]): void {
  const open = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'system') continue;
    for (const part of turn.parts) {
      if (part.kind !== 'tool_result' || open.delete(part.callId)) continue;
      throw invalid(
        `messages[${index}]`,
        `No \`tool_use\` block of the previous message has the id ${part.callId}.`,
      );
    }
    checkNoneOpen(open, index);
    for (const part of turn.parts) if (part.kind === 'tool_call') open.add(part.id);
  }
  checkNoneOpen(open, turns.length);
}

function checkNoneOpen(open: ReadonlySet<string>, index: number): void {
  if (open.size === 0) return;
  throw invalid(
    `messages[${index}]`,
    `Missing \`tool_result\` blocks for \`tool_use\` ids: ${[...open].join(', ')}.`,
  );
}

function prefillOf(turns: readonly Turn[]): string | null {
  const last = turns.at(-1);
  const part = last?.role === 'assistant' ? last.parts.at(-1) : undefined;
  return part?.kind === 'text' ? part.text : null;
}

/** Returns the cache marker of a block, a tool or the request. The default TTL is five minutes. */
export function readMarker(fields: Fields): CacheLife | null {
  const marker = fields.child('cache_control');
  if (marker === undefined) return null;
  if (marker.oneOf('type', ['ephemeral']) === undefined) marker.missing('type');
  return marker.oneOf('ttl', ['5m', '1h']) ?? '5m';
}

/** Returns the parts of a message's `content`. A string counts as one text block. */
function readContent(message: Fields): readonly Part[] {
  const { content } = message.object;
  if (typeof content === 'string') return [{ kind: 'text', text: content, marker: null }];
  return message.children('content').map(readBlock);
}

function readBlock(fields: Fields): Part {
  const type = fields.string('type') ?? fields.missing('type');
  const marker = readMarker(fields);
  switch (type) {
    case 'text':
      return { kind: 'text', text: fields.requiredString('text'), marker };
    case 'image':
    case 'document':
      return { kind: 'media', media: readMedia(fields, type), marker };
    case 'thinking':
      return { kind: 'thinking', text: fields.requiredString('thinking'), marker: null };
    case 'tool_use': {
      const input = JSON.stringify(fields.requiredChild('input').object);
      const [id, name] = [fields.requiredString('id'), fields.requiredString('name')];
      return { kind: 'tool_call', id, name, input, marker };
    }
    case 'tool_result':
      return { ...readToolResult(fields), marker };
    default:
      // Some blocks are counted but not interpreted: search results, blocks of tools that the
      // provider runs, and blocks of beta features.
      return { kind: 'opaque', json: JSON.stringify(fields.object), marker };
  }
}

function readToolResult(fields: Fields): Part & { kind: 'tool_result' } {
  const parts = readContent(fields);
  return {
    kind: 'tool_result',
    callId: fields.requiredString('tool_use_id'),
    text: parts
      .flatMap((part) =>
        part.kind === 'text' ? [part.text] : part.kind === 'opaque' ? [part.json] : [],
      )
      .join('\n'),
    isError: fields.boolean('is_error') ?? false,
    media: parts.flatMap((part) => (part.kind === 'media' ? [part.media] : [])),
    marker: null,
  };
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function readMedia(fields: Fields, type: 'image' | 'document'): Media {
  const kind = type === 'image' ? 'image' : 'file';
  const source = fields.requiredChild('source');
  const name = fields.string('title');
  const form =
    source.oneOf('type', ['base64', 'url', 'file', 'text', 'content']) ?? source.missing('type');
  switch (form) {
    case 'url':
      return inspectMedia(kind, { kind: 'url', url: source.requiredString('url') }, { name });
    case 'file':
      return inspectMedia(kind, { kind: 'stored', id: source.requiredString('file_id') }, { name });
    case 'base64': {
      const data = source.requiredString('data');
      const mediaType =
        type === 'image' ? source.oneOf('media_type', IMAGE_TYPES) : source.string('media_type');
      if (mediaType === undefined) return source.missing('media_type');
      return inspectMedia(kind, { kind: 'base64', data }, { mediaType, name });
    }
    case 'text':
    case 'content': {
      if (type === 'image')
        throw invalid(source.at('type'), `'${form}' is not a supported source type for images.`);
      const text = form === 'text' ? source.requiredString('data') : readContentSource(source);
      return inspectMedia('file', { kind: 'text', text }, { mediaType: 'text/plain', name });
    }
  }
}

function readContentSource(source: Fields): string {
  if (typeof source.object['content'] === 'string') return source.object['content'];
  return source
    .children('content')
    .map((block) => block.string('text') ?? '')
    .join('\n');
}
