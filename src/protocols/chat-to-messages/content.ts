/** The content of chat messages as Messages blocks. Blank text is left out: upstreams refuse it. */

import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { invalid, unsupportedValue } from '../validation.ts';
import { fileBlock, imageBlock } from './media.ts';

/** The most cache markers that a request may hold. */
export const MAX_CACHE_MARKERS = 4;

/** What a content block is, on its way to JSON; a cache marker may still be taken off again. */
export type Block = { [member: string]: unknown };

/** What the reading of one request carries from message to message. */
export type Reading = {
  readonly placeholders: Placeholders;
  /** Blocks with a cache marker, in the order of the prompt. */
  readonly marked: Block[];
};

/** What `system`, `developer`, `tool` and `assistant` messages say in parts. */
export type SaidBy = 'system' | 'assistant';

/** Blocks of a user message, or of what a tool gave back. @throws GatewayError naming the part. */
export function userBlocks(content: unknown, path: string, reading: Reading): readonly Block[] {
  return blocksOf(content, path, reading, (part, at) => {
    switch (part['type']) {
      case 'image_url':
        return imageBlock(part, at);
      case 'file':
        return fileBlock(part, at, reading.placeholders);
      default:
        throw unsupportedValue(`${at}.type`, unsupportedPart(part['type']));
    }
  });
}

/** Blocks of a message that can hold text alone. @throws GatewayError naming the part. */
export function textBlocks(
  content: unknown,
  path: string,
  by: SaidBy,
  reading: Reading,
): readonly Block[] {
  return blocksOf(content, path, reading, (part, at) => {
    const refusal =
      by === 'assistant' && part['type'] === 'refusal' ? asString(part['refusal']) : null;
    if (refusal !== null) return textBlock(refusal);
    throw unsupportedValue(`${at}.type`, `a message of role ${by} takes text parts only`);
  });
}

/** @returns null for blank text. */
export const textBlock = (text: string): Block | null =>
  text.trim() === '' ? null : { type: 'text', text };

type PartReader = (part: JsonObject, path: string) => Block | JsonObject | null;

function blocksOf(
  content: unknown,
  path: string,
  reading: Reading,
  readOther: PartReader,
): readonly Block[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return present(textBlock(content));
  if (!Array.isArray(content)) {
    throw invalid(path, 'must be a string or an array of content parts');
  }
  return content.flatMap((part: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isJsonObject(part)) throw invalid(at, 'must be a content part: an object with a type');
    const text = part['type'] === 'text' ? asString(part['text']) : null;
    const block = text === null ? readOther(part, at) : textBlock(text);
    return block === null ? [] : [marked(block, part, reading)];
  });
}

const present = (block: Block | null): readonly Block[] => (block === null ? [] : [block]);

/**
 * `cache_control` is what gateways of many models made known for chat. A marker lives five minutes, whatever
 * was asked: an hour has a price that chat knows nothing of.
 */
function marked(block: Block | JsonObject, part: JsonObject, { marked: all }: Reading): Block {
  const isMarked =
    isJsonObject(part['prompt_cache_breakpoint']) || isJsonObject(part['cache_control']);
  if (!isMarked) return block;
  const withMarker: Block = { ...block, cache_control: { type: 'ephemeral' } };
  all.push(withMarker);
  return withMarker;
}

/** Of too many markers the last stay: each of them covers all that stands before it. */
export function limitMarkers({ marked: all }: Reading): void {
  for (const block of all.slice(0, -MAX_CACHE_MARKERS)) delete block['cache_control'];
}

function unsupportedPart(type: unknown): string {
  if (type === 'input_audio')
    return 'this model does not listen to audio; send a transcript as text';
  if (type === 'video_url') return 'this model does not watch video; send images of it';
  return `parts of type "${String(type)}" are not taken here; send text, image_url or file`;
}
