/** Chat content: parts, results of tools, the detail of images and cache markers. */
import { asJsonObject, changedList, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { FieldPlan } from '../request-fields.ts';

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      readonly image_url: { readonly url: string; readonly detail?: string };
    }
  | {
      readonly type: 'file';
      readonly file: { readonly filename?: string; readonly file_data: string };
    }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: string };
    };

/** The separator between text blocks that are joined into one string. */
export const PARAGRAPH = '\n\n';

export const textPart = (text: string): ChatPart => ({ type: 'text', text });

/**
 * Returns the content of a message. If all parts are text, it is a single string, because many
 * servers accept only a string.
 */
export const contentOf = (parts: readonly ChatPart[]): string | readonly ChatPart[] =>
  parts.every((part) => part.type === 'text') ? textsOf(parts) : parts;

export const textsOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(PARAGRAPH);

export type ToolResult = {
  readonly text: string;
  /**
   * The images and files of the result. They must be sent in a user message after all tool results.
   */
  readonly shown: readonly ChatPart[];
};

/**
 * Splits a tool's result into text and other parts, because a `tool` message may contain only text
 * on chat servers.
 */
export function toolResult(parts: readonly ChatPart[], callId: string): ToolResult {
  const shown = parts.filter(({ type }) => type !== 'text');
  if (shown.length === 0) return { text: textsOf(parts), shown };
  const texts = [textsOf(parts), 'Its images and files are in the next user message.'];
  return {
    text: texts.filter((text) => text !== '').join(PARAGRAPH),
    shown: [textPart(`Shown by tool call ${callId}:`), ...shown],
  };
}

/**
 * Sets `detail` on each image whose `detail` is missing or `auto`, because some models then read
 * images at full size.
 */
export function withImageDetail(
  messages: readonly unknown[],
  detail: FieldPlan['imageDetail'],
): readonly unknown[] {
  if (detail === null) return messages;
  return changedList(messages, (message) => {
    const given = asJsonObject(message)?.['content'];
    if (!isJsonObject(message) || !Array.isArray(given)) return message;
    const content = changedList(given, (part) => withDetail(part, detail));
    return content === given ? message : { ...message, content };
  });
}

function withDetail(part: unknown, detail: string): unknown {
  const image = asJsonObject(asJsonObject(part)?.['image_url']);
  if (!isJsonObject(part) || image === null) return part;
  return (image['detail'] ?? 'auto') === 'auto'
    ? { ...part, image_url: { ...image, detail } }
    : part;
}

/** The cache lifetimes that Messages upstreams support. */
export type CacheLifetime = '5m' | '1h';

/**
 * Lifetimes in chat requests that become one hour at a Messages upstream. All others become 5
 * minutes, including OpenAI's usual 30 minutes, because one hour costs more.
 */
const LONG_LIFETIMES: ReadonlySet<unknown> = new Set(['1h', '12h', '24h']);

/**
 * Returns the lifetime that an object's cache marker requests; null if it has no marker.
 * `cache_control` is a convention of multi-provider gateways, and `prompt_cache_breakpoint` is
 * OpenAI's.
 */
export function cacheLifetime(of: JsonObject): CacheLifetime | null {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = of;
  if (control === undefined && breakpoint === undefined) return null;
  const marker = asJsonObject(control) ?? asJsonObject(breakpoint);
  if (marker === null) return null;
  return LONG_LIFETIMES.has(marker['ttl']) ? '1h' : '5m';
}
