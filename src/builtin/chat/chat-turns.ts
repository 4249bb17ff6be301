/** Parses chat `messages` into turns. Consecutive tool messages become one turn. */
import type { Fields } from '../body-fields.ts';
import type { Part, Turn } from '../builtin-conversation.ts';
import { inspectMedia, type Media, type MediaKind, parseDataUrl } from '../prompt-media.ts';
import { invalid, RequestError } from '../request-error.ts';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

/**
 * @throws RequestError for an invalid message, a tool call without a result, or a result without a
 *   call.
 */
export function readChatTurns(fields: Fields): readonly Turn[] {
  const messages = fields.children('messages');
  if (messages.length === 0) {
    if (!fields.has('messages')) return fields.missing('messages');
    throw invalid('messages', 'Expected at least one message.');
  }
  const turns: Turn[] = [];
  const calls = new OpenCalls();
  for (const message of messages) {
    const role = message.oneOf('role', ROLES) ?? message.missing('role');
    if (role !== 'tool') calls.checkAnswered(message.path);
    switch (role) {
      case 'system':
      case 'developer':
        turns.push({ role: 'system', parts: readContent(message) });
        break;
      case 'user':
        if (!message.has('content')) message.missing('content');
        turns.push({ role: 'user', parts: readContent(message) });
        break;
      case 'assistant':
        turns.push({ role: 'assistant', parts: readAssistant(message, calls) });
        break;
      case 'tool':
        pushResult(turns, calls.answer(message), message);
        break;
    }
  }
  calls.checkAnswered('messages');
  return turns;
}

/** The tool calls of the last assistant message that have no result yet. */
class OpenCalls {
  private expected = new Set<string>();
  private open = new Set<string>();

  begin(ids: readonly string[]): void {
    this.expected = new Set(ids);
    this.open = new Set(ids);
  }

  answer(message: Fields): string {
    const id = message.requiredString('tool_call_id');
    if (!this.expected.has(id)) {
      throw invalid(
        message.path,
        "A 'tool' message must answer a 'tool_calls' entry of the preceding assistant message.",
      );
    }
    this.open.delete(id);
    return id;
  }

  checkAnswered(path: string): void {
    if (this.open.size === 0) return;
    const ids = [...this.open].join(', ');
    throw invalid(
      path,
      `Every 'tool_calls' entry needs a 'tool' message after it. Missing: ${ids}.`,
    );
  }
}

function pushResult(turns: Turn[], callId: string, message: Fields): void {
  const parts = readContent(message);
  const result: Part = {
    kind: 'tool_result',
    callId,
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'),
    isError: false,
    media: parts.flatMap((part) => (part.kind === 'media' ? [part.media] : [])),
    marker: null,
  };
  const last = turns.at(-1);
  const continues =
    last?.role === 'user' && last.parts.every((part) => part.kind === 'tool_result');
  if (continues) turns[turns.length - 1] = { role: 'user', parts: [...last.parts, result] };
  else turns.push({ role: 'user', parts: [result] });
}

function readAssistant(message: Fields, calls: OpenCalls): readonly Part[] {
  const parts = [...readContent(message)];
  const refusal = message.string('refusal');
  if (refusal !== undefined) parts.push(textPart(refusal));
  const asked = message.children('tool_calls');
  calls.begin(asked.map((call) => call.requiredString('id')));
  for (const call of asked) parts.push(readCall(call));
  if (parts.length === 0 && !message.has('content')) message.missing('content');
  return parts;
}

function readCall(call: Fields): Part {
  const id = call.requiredString('id');
  const isCustom = call.string('type') === 'custom';
  const spec = call.requiredChild(isCustom ? 'custom' : 'function');
  const name = spec.requiredString('name');
  const input = spec.string(isCustom ? 'input' : 'arguments') ?? '';
  return { kind: 'tool_call', id, name, input, marker: null };
}

const textPart = (text: string): Part => ({ kind: 'text', text, marker: null });

function readContent(message: Fields): readonly Part[] {
  const { content } = message.object;
  if (typeof content === 'string') return [textPart(content)];
  return message.children('content').map(readPart);
}

function readPart(fields: Fields): Part {
  const type = fields.string('type') ?? fields.missing('type');
  switch (type) {
    case 'text':
      return textPart(fields.requiredString('text'));
    case 'refusal':
      return textPart(fields.requiredString('refusal'));
    case 'image_url': {
      const image = fields.requiredChild(type);
      const url = image.requiredString('url');
      return mediaPart(fromUrl('image', url, undefined, image.at('url')));
    }
    case 'input_audio': {
      const audio = fields.requiredChild(type);
      const format = audio.oneOf('format', ['wav', 'mp3']) ?? audio.missing('format');
      const source = { kind: 'base64', data: audio.requiredString('data') } as const;
      return mediaPart(inspectMedia('audio', source, { mediaType: `audio/${format}` }));
    }
    case 'file':
      return mediaPart(readFile(fields.requiredChild('file')));
    default:
      throw new RequestError(
        'unsupported_value',
        fields.at('type'),
        `'${type}' is not a supported content type.`,
      );
  }
}

const mediaPart = (media: Media): Part => ({ kind: 'media', media, marker: null });

function fromUrl(kind: MediaKind, url: string, name: string | undefined, path: string): Media {
  if (/^https?:\/\//i.test(url)) return inspectMedia(kind, { kind: 'url', url }, { name });
  const parsed = parseDataUrl(url);
  if (parsed === null) {
    throw invalid(path, 'Expected an http(s) URL or a base64 data URL.');
  }
  return inspectMedia(
    kind,
    { kind: 'base64', data: parsed.data },
    { mediaType: parsed.mediaType, name },
  );
}

function readFile(file: Fields): Media {
  const name = file.string('filename');
  const id = file.string('file_id');
  if (id !== undefined) return inspectMedia('file', { kind: 'stored', id }, { name });
  const data = file.requiredString('file_data');
  if (data.startsWith('data:')) return fromUrl('file', data, name, file.at('file_data'));
  return inspectMedia('file', { kind: 'base64', data }, { name });
}
