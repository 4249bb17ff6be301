/** Content blocks of the messages dialect as parts of a conversation. */

import type { Fields } from '../body-fields.ts';
import type { CacheLife, Part } from '../builtin-conversation.ts';
import { inspectMedia, type Media } from '../prompt-media.ts';
import { invalid } from '../request-error.ts';

/** The cache marker of a block, a tool or the whole request; five minutes unless it says one hour. */
export function readMarker(fields: Fields): CacheLife | null {
  const marker = fields.child('cache_control');
  if (marker === undefined) return null;
  if (marker.oneOf('type', ['ephemeral']) === undefined) marker.missing('type');
  return marker.oneOf('ttl', ['5m', '1h']) ?? '5m';
}

/** A message's `content`: a string is one text block. */
export function readContent(message: Fields): readonly Part[] {
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
    case 'search_result':
      return { kind: 'text', text: readSearchResult(fields), marker };
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
      // Blocks of provider-run tools and betas come back from earlier answers and are carried along.
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

function readSearchResult(fields: Fields): string {
  const lines = fields.children('content').map((block) => block.requiredString('text'));
  return [fields.requiredString('title'), fields.requiredString('source'), ...lines].join('\n');
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
      if (type === 'image') throw invalid(source.at('type'), `'${form}' is no source of an image.`);
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
